import { resolve } from "node:path";

// The client lives in the repository under test; act copies this folder elsewhere.
const { DefaultArtifactClient } = await import(process.env.ARTIFACT_CLIENT);
const id = Number(process.env["INPUT_ARTIFACT-IDS"]);
const { downloadPath, digestMismatch } = await new DefaultArtifactClient().downloadArtifact(id, { path: resolve(process.env.INPUT_PATH) });
process.stdout.write(`downloaded artifact ${id} to ${downloadPath}\n`);
if (digestMismatch) throw new Error("the artifact is not what was uploaded");
