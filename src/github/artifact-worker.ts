// Door of the artifact client: runs as a thread of its own (see artifact-client.ts), bundled as a file of its own.
import { parentPort } from "node:worker_threads";
import { DefaultArtifactClient } from "@actions/artifact";
import type { ClientAnswer, ClientRequest } from "./artifact-client.ts";

const client = new DefaultArtifactClient();

async function carryOut(request: ClientRequest): Promise<ClientAnswer> {
  switch (request.kind) {
    case "upload": {
      const { name, files, rootDir, retentionDays } = request;
      const options = retentionDays === undefined ? {} : { retentionDays };
      const { id = 0, size = 0, digest = "" } = await client.uploadArtifact(name, [...files], rootDir, options);
      return { kind: "uploaded", id, bytes: size, digest };
    }
    case "list": {
      const { artifacts } = await client.listArtifacts();
      return {
        kind: "listed",
        artifacts: artifacts.map(({ id, name, size, createdAt, digest }) => ({
          id,
          name,
          bytes: size,
          createdAtMs: createdAt?.getTime(),
          digest,
        })),
      };
    }
    case "download": {
      const { id, directory, from } = request;
      // As it is: what the client unpacks is bounded in nothing.
      const options = { path: directory, skipDecompress: true };
      await client.downloadArtifact(id, from === undefined ? options : { ...options, findBy: { ...from, workflowRunId: from.runId } });
      return { kind: "downloaded" };
    }
    default:
      return request satisfies never;
  }
}

async function answer(request: ClientRequest): Promise<ClientAnswer> {
  try {
    return await carryOut(request);
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (request: ClientRequest) => {
  // Behind everything that was printed, so that no warning comes after the answer.
  void answer(request).then((given) => process.stdout.write("", () => parentPort?.postMessage(given)));
});
