// Door of the artifact client: runs as a thread of its own (see artifact-client.ts), bundled as a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import { DefaultArtifactClient } from "@actions/artifact";
import type { UploadAnswer, UploadJob } from "./artifact-client.ts";

const job: UploadJob = workerData;
const client = new DefaultArtifactClient();

async function upload(name: string): Promise<UploadAnswer> {
  try {
    const options = job.retentionDays === undefined ? {} : { retentionDays: job.retentionDays };
    const { id = 0, size = 0, digest = "" } = await client.uploadArtifact(name, [...job.files], job.rootDir, options);
    return { kind: "uploaded", id, bytes: size, digest };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (name: string) => {
  // Behind everything that was printed, so that no warning comes after the answer.
  void upload(name).then((answer) => process.stdout.write("", () => parentPort?.postMessage(answer)));
});
