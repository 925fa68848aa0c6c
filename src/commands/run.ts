import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { foldIssues } from "../plan/fold-issues.ts";
import { makePlan } from "../plan/plan.ts";
import { renderFolded } from "../plan/render-issues.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { openResultStore } from "../results/store.ts";
import { defaultConcurrency } from "../run/concurrency.ts";
import { withDeadline } from "../run/deadline.ts";
import { checkDiskSpace } from "../run/disk-space.ts";
import { createRepoSource } from "../sandbox/templates/repo-source.ts";
import { createRedactor } from "../untrusted/redact.ts";
import { version } from "../version.ts";
import { confirmRun } from "./confirm-run.ts";
import { openDrivers } from "./drivers.ts";
import { executeRun } from "./execute-run.ts";
import { finishRun, type RunOutcome, recordedExperiment, recordedSelection } from "./finish-run.ts";
import { hostSecrets } from "./host-secrets.ts";
import { redactedProgress } from "./redacted-progress.ts";
import type { Run, RunDeps, RunOptions } from "./run-context.ts";
import { isInRunsDir, makeRunDir } from "./run-dir.ts";
import { secretsOf } from "./task-environment.ts";

/** How long the removal of what dead runs left may take before the run, in milliseconds. */
const sweepMs = 60_000;

/**
 * Plans, runs, records and reports a batch.
 * @throws InputError, EnvironmentError: nothing was run then. What happens to single tasks is in the outcome.
 */
export async function runCommand(options: RunOptions, deps: RunDeps): Promise<RunOutcome> {
  const run = await prepareRun(options, deps);
  try {
    return await runPrepared(run);
  } finally {
    // What a stop has not removed yet is still being removed, until the process ends.
    if (!deps.signal.aborted) run.drivers.close();
  }
}

async function runPrepared(run: Run): Promise<RunOutcome> {
  const { options, deps } = run;
  const space = checkDiskSpace(run.runDir.path);
  if (space.kind !== "enough") deps.progress.warning(`only ${Math.round(space.freeBytes / 1024 / 1024)} MiB are free where the results go`);
  await using _repos = run.shared.repos;
  await writePlanFile(run);
  if (isInRunsDir(run.runDir.path, options)) await run.store.pointLatest();
  // Rubbish can wait: an engine that is slow with it holds up neither the run nor its stop.
  const swept = await withDeadline("sweep", sweepMs, deps.signal, () => run.drivers.sweep()).catch(() => 0);
  if (swept > 0) deps.progress.notice(`removed ${swept} ${swept === 1 ? "thing" : "things"} that a dead run had left`);
  return finishRun(run, await executeRun(run));
}

/** Everything that can be found wrong without running is found here. */
async function prepareRun(options: RunOptions, given: RunDeps): Promise<Run> {
  const { clock } = given;
  const startTime = clock.now();
  const found = await makePlan({ ...options, allowEmpty: options.gate.allowEmpty, unsupported: "refuse", signal: given.signal });
  const secrets = [...new Set([...secretsOf(found.tasks, options), ...hostSecrets(options.env)])];
  given.onSecrets?.(secrets);
  given.onPlanned?.(found.tasks);
  await confirmRun(found.tasks.length, options.confirmation, given.ask);
  const redactor = createRedactor(secrets);
  const progress = redactedProgress(given.progress, redactor);
  const deps = { ...given, progress };
  // A reason quotes what stands in the file.
  const plan = { ...found, skipped: found.skipped.map((file) => ({ ...file, reason: redactor.redact(file.reason).text })) };
  for (const folded of foldIssues(plan.issues)) progress.finding(renderFolded([folded], plan.lineOf));
  const resultDirs = plan.tasks.map((task) => task.resultDir);
  const runDir = await makeRunDir(options.runDir, { cwd: options.cwd, env: options.env, now: startTime, resultDirs });
  // Directories of different runs may have one name; what is removed by this id must be of this run alone.
  const runId = `${runDir.runId}-${randomBytes(4).toString("hex")}`;
  const maxParallel = options.maxParallel ?? defaultConcurrency(deps.machine, plan.tasks.map(memoryBytesOf));
  const drivers = await openDrivers(plan.tasks, { runId, concurrency: maxParallel, clock, env: options.env, progress });
  deps.onRunStarts?.({ runId, runDir: runDir.path });
  return {
    options,
    deps,
    plan,
    runDir,
    drivers,
    startTime,
    store: await openResultStore(runDir.path, { now: () => clock.now() }),
    shared: { repos: createRepoSource({ runId, env: options.env, tmpDir: tmpdir() }), imagesWithoutPython: new Set() },
    redactor,
    maxParallel,
    environmentInfo: { evalbatch: version, node: process.version },
    warnings: [],
  };
}

async function writePlanFile(run: Run): Promise<void> {
  await run.store.writePlan({
    startTime: run.startTime,
    maxParallel: run.maxParallel,
    frameworkVersion: version,
    evalbatchVersion: version,
    environmentInfo: run.environmentInfo,
    gate: run.options.gate,
    skippedTasks: run.plan.skipped,
    experiment: recordedExperiment(run),
    selection: recordedSelection(run),
    rows: run.plan.tasks.map((task) => ({
      task_id: task.taskId,
      variant_id: task.variantId,
      replicate_index: task.replicateIndex,
      tags: task.task.tags,
      task_path: task.taskFile,
      suite_id: task.task.suite_id,
    })),
  });
}

function memoryBytesOf(task: ResolvedTask): number | undefined {
  const megabytes = task.task.sandbox.limits.max_memory_mb;
  return megabytes === null || megabytes === 0 ? undefined : megabytes * 1024 * 1024;
}
