// Run as a program: artifacts-child.ts ROOT FILE TARGET  Uploads one file with what the environment says, as a job's step would,
// then fetches the artifact with GitHub's own client, as actions/download-artifact would, and prints what became of it.
import { stat } from "node:fs/promises";
import { uploadArtifact } from "../../src/github/artifacts.ts";
import { readEnvironment } from "../../src/github/environment.ts";

const [rootDir = "", file = "", target = ""] = process.argv.slice(2);
const environment = readEnvironment(process.env, process.cwd());
const end = await uploadArtifact({ name: "results", rootDir, files: [file] }, { environment, env: process.env });
process.stdout.write(`${JSON.stringify(end)}\n`);
if (target !== "" && end.kind === "uploaded" && (await stat(target)).isDirectory()) {
  const { default: client } = await import("@actions/artifact");
  const found = (await client.listArtifacts({ latest: true })).artifacts;
  const { digestMismatch } = await client.downloadArtifact(end.id, { path: target, expectedHash: end.digest });
  process.stdout.write(`\n${JSON.stringify({ found: found.map(({ id, name, size }) => ({ id, name, size })), digestMismatch })}\n`);
}
