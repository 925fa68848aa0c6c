import { tmpdir } from "node:os";
import { EnvironmentError, errorMessage } from "../errors.ts";
import { type Commands, createCommands } from "../github/commands.ts";
import { readEnvironment } from "../github/environment.ts";
import {
  type PublishedPart,
  publishedParts,
  type SavedRun,
  savedArtifact,
  savedPublished,
  savedRun,
  savedSecretNames,
  savePublished,
} from "../github/state.ts";
import { writeSummary } from "../github/summary.ts";
import { createTimeBudget } from "../github/time-budget.ts";
import { plural } from "../report/number-text.ts";
import { connectEngine } from "../sandbox/docker/connect.ts";
import { discoverEndpoints } from "../sandbox/docker/discover.ts";
import { removeRun } from "../sandbox/docker/sweep.ts";
import { sweepLeftovers } from "../sandbox/tempdir/leftovers.ts";
import { inlineText, linkTo, md } from "../untrusted/markdown.ts";
import { surviveClosedOutput } from "./end-process.ts";
import { openJob } from "./job-context.ts";
import { publishRun } from "./publish.ts";
import { recoverRun } from "./recover-run.ts";

/** Milliseconds. GitHub ends a cancelled job five minutes after the wish; the end of the post step must come before, whatever hangs. */
export interface PostBounds {
  /** For the removal of what the run left. */
  readonly removeMs: number;
  /** From the start of publishing to the end of what needs the network. */
  readonly networkMs: number;
  /** For publishing as a whole: what is local is written after the network's time is up. */
  readonly publishMs: number;
}

const usualBounds: PostBounds = { removeMs: 60_000, networkMs: 150_000, publishMs: 180_000 };

/**
 * Cleans up after the main step: removes what it left, and publishes what it could not, as when the job was cancelled.
 * Never throws, never fails the job, ends within its bounds; quiet when there is nothing to do.
 */
export async function runPost(host: NodeJS.Process, bounds: PostBounds = usualBounds): Promise<void> {
  surviveClosedOutput(host);
  const run = savedRun();
  if (run === undefined) return;
  const { workspace } = readEnvironment(host.env, host.cwd());
  const commands = createCommands(workspace);
  const done = savedPublished();
  const isDone = run.runDir === "" || publishedParts.every((part) => done.has(part));
  if (!(await endsWithin(bounds.removeMs, () => removeLeftovers(run.runId, !isDone, host, commands))))
    commands.warning(`what run ${run.runId} left could not be removed in time; the next run on this machine removes it`);
  if (isDone) return;
  try {
    if (await endsWithin(bounds.publishMs, () => publishLeftovers(run, done, host, { commands, networkMs: bounds.networkMs }))) return;
    commands.warning(`the results of the run could not be published in time; they are in ${run.runDir}`);
  } catch (error) {
    commands.warning(`the results of the run could not be published: ${errorMessage(error)}; they are in ${run.runDir}`);
  }
}

/** False when the time is up; the work is then left to itself. */
async function endsWithin(ms: number, work: () => Promise<void>): Promise<boolean> {
  const budget = createTimeBudget(ms, new AbortController().signal, () => performance.now());
  return !("ended" in (await budget.use(work)));
}

/** @param wasCutShort then its processes of this machine may live on too; a run that came to its end has none */
async function removeLeftovers(runId: string, wasCutShort: boolean, host: NodeJS.Process, commands: Commands): Promise<void> {
  const log = (line: string): void => commands.lines(line, "evalbatch | ");
  if (wasCutShort) await sweepLeftovers(tmpdir(), Date.now(), log);
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

interface PublishTools {
  readonly commands: Commands;
  readonly networkMs: number;
}

/** The main step has remembered what it published; the rest is published from what lies on the disk. */
async function publishLeftovers(
  saved: SavedRun,
  done: ReadonlySet<PublishedPart>,
  host: NodeJS.Process,
  { commands, networkMs }: PublishTools,
): Promise<void> {
  const signal = AbortSignal.timeout(networkMs);
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
    signal,
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
