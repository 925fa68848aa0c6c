import { EnvironmentError, errorMessage } from "../errors.ts";
import { type Commands, createCommands } from "../github/commands.ts";
import { readEnvironment } from "../github/environment.ts";
import {
  publishedParts,
  type SavedRun,
  savedArtifact,
  savedPublished,
  savedRun,
  savedSecretNames,
  savePublished,
} from "../github/state.ts";
import { writeSummary } from "../github/summary.ts";
import { plural } from "../report/number-text.ts";
import { connectEngine } from "../sandbox/docker/connect.ts";
import { discoverEndpoints } from "../sandbox/docker/discover.ts";
import { removeRun } from "../sandbox/docker/sweep.ts";
import { inlineText, linkTo, md } from "../untrusted/markdown.ts";
import { openJob } from "./action.ts";
import { surviveClosedOutput } from "./end-process.ts";
import { publishRun } from "./publish.ts";
import { recoverRun } from "./recover-run.ts";

/** GitHub ends a cancelled job five minutes after the wish; the end of the post step must come before. */
const publishMs = 180_000;

/**
 * Cleans up after the main step: removes containers that it left, and publishes what it could not, as when the job was cancelled.
 * Never throws, never fails the job; quiet when there is nothing to do.
 */
export async function runPost(host: NodeJS.Process): Promise<void> {
  surviveClosedOutput(host);
  const run = savedRun();
  if (run === undefined) return;
  const environment = readEnvironment(host.env, host.cwd());
  const commands = createCommands(environment.workspace);
  await removeLeftovers(run.runId, host, commands);
  try {
    await publishLeftovers(run, host, commands);
  } catch (error) {
    commands.warning(`the results of the run could not be published: ${errorMessage(error)}; they are in ${run.runDir}`);
  }
}

async function removeLeftovers(runId: string, host: NodeJS.Process, commands: Commands): Promise<void> {
  const log = (line: string): void => commands.lines(line, "evalbatch | ");
  try {
    const { client } = await connectEngine(discoverEndpoints(host.env, host.platform));
    const removed = await removeRun({ client, runId, log });
    client.close();
    if (removed > 0)
      log(`removed ${plural(removed, "container, network or volume", "containers, networks and volumes")} that the run had left`);
  } catch (error) {
    // Without an engine there are no containers: a run in temporary directories ends here.
    if (!(error instanceof EnvironmentError)) log(`the containers of run ${runId} could not be removed: ${errorMessage(error)}`);
  }
}

/** The main step has remembered what it published; the rest is published from what lies on the disk. */
async function publishLeftovers(saved: SavedRun, host: NodeJS.Process, commands: Commands): Promise<void> {
  const done = savedPublished();
  if (saved.runDir === "" || publishedParts.every((part) => done.has(part))) return;
  const environment = readEnvironment(host.env, host.cwd());
  const secrets = savedSecretNames().flatMap((name) => host.env[name] ?? []);
  // The main step has said already what it thinks of the inputs.
  const job = { ...openJob(host, environment, { ...commands, warning: () => {} }, secrets), commands };
  const run = await recoverRun(saved, job.inputs.gate);
  if (run === undefined) return;
  const note = run.summary.interrupted
    ? "the run was cut short; this is what had finished by then"
    : "the step ended before everything was published";
  const published = await publishRun(run, job, {
    without: done,
    onPublished: savePublished,
    signal: AbortSignal.timeout(publishMs),
    notes: [note],
    artifact: savedArtifact(),
  });
  if (!job.inputs.summary || !done.has("summary")) return;
  const { artifact } = published;
  const files =
    artifact === undefined || done.has("artifact")
      ? md``
      : md` The results are in the artifact ${linkTo(inlineText(artifact.name, 200), artifact.url)}.`;
  await writeSummary(environment.summaryPath, [md`${inlineText(`evalbatch: ${note}`, 200)}.${files}\n`]);
}
