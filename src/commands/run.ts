import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { foldIssues } from "../plan/fold-issues.ts";
import { makePlan } from "../plan/plan.ts";
import { renderFolded } from "../plan/render-issues.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { writeFingerprint } from "../results/fingerprint/fingerprint-file.ts";
import { openResultStore } from "../results/store.ts";
import { defaultConcurrency } from "../run/concurrency.ts";
import { withDeadline } from "../run/deadline.ts";
import { checkDiskSpace } from "../run/disk-space.ts";
import { createRunRecorder } from "../run/run-recorder.ts";
import { createRepoSource } from "../sandbox/templates/repo-source.ts";
import { createRedactor } from "../untrusted/redact.ts";
import { version } from "../version.ts";
import { checkVersionsOf } from "./agent-kits.ts";
import { withCleanKept } from "./clean-kept.ts";
import { confirmRun } from "./confirm-run.ts";
import { openDrivers } from "./drivers.ts";
import { type EarlierRun, openEarlierRun, withRecordedDraws } from "./earlier-run.ts";
import { executeRun } from "./execute-run.ts";
import { finishRun, type RunOutcome, recordedExperiment, recordedSelection } from "./finish-run.ts";
import { hostSecrets } from "./host-secrets.ts";
import { redactedProgress } from "./redacted-progress.ts";
import { continueRun, startAfresh } from "./resume-run.ts";
import type { Run, RunDeps, RunOptions } from "./run-context.ts";
import { isInRunsDir, makeRunDir, type RunDir, refuseUsed, removeUnused } from "./run-dir.ts";
import { lockRunDir } from "./run-lock.ts";
import { stampRun } from "./run-stamp.ts";
import { secretsOf } from "./task-environment.ts";
import { tellContinued } from "./tell-continued.ts";

/** How long the removal of what dead runs left may take before the run, in milliseconds. */
const sweepMs = 60_000;

/**
 * Plans, runs, records and reports a batch.
 * @throws InputError, EnvironmentError: nothing was run then. What happens to single tasks is in the outcome.
 */
export async function runCommand(options: RunOptions, deps: RunDeps): Promise<RunOutcome> {
  const earlier = options.resume === undefined ? undefined : await openEarlierRun(options);
  if (options.resume !== undefined && earlier === undefined)
    deps.progress.notice(`${options.runDir} holds no run to continue: every task is run`);
  const held: Held = { unlock: earlier?.unlock, runDir: earlier?.runDir };
  try {
    const run = await prepareRun(options, deps, { earlier, held });
    try {
      return await runPrepared(run);
    } finally {
      // What a stop has not removed yet is still being removed, until the process ends.
      if (!deps.signal.aborted) run.drivers.close();
    }
  } finally {
    await held.unlock?.();
    if (held.runDir !== undefined) await removeUnused(held.runDir);
  }
}

/** The run directory, while it is this process's alone. */
interface Held {
  runDir: RunDir | undefined;
  unlock: (() => Promise<void>) | undefined;
}

async function runPrepared(run: Run): Promise<RunOutcome> {
  const { options, deps } = run;
  const space = checkDiskSpace(run.runDir.path);
  if (space.kind !== "enough") deps.progress.warning(`only ${Math.round(space.freeBytes / 1024 / 1024)} MiB are free where the results go`);
  await using _repos = run.shared.repos;
  // The plan says whose run it is: a directory that has anything else without it would be nobody's.
  await writePlanFile(run);
  await writeFingerprint(run.runDir.path, run.fingerprint);
  if (isInRunsDir(run.runDir.path, options)) await run.store.pointLatest();
  // Rubbish can wait: an engine that is slow with it holds up neither the run nor its stop.
  const swept = await withDeadline("sweep", sweepMs, deps.signal, () => run.drivers.sweep()).catch(() => 0);
  if (swept > 0) deps.progress.notice(`removed ${swept} ${swept === 1 ? "thing" : "things"} that a dead run had left`);
  return finishRun(run, await executeRun(run));
}

/** Everything that can be found wrong without running is found here. */
async function prepareRun(
  options: RunOptions,
  given: RunDeps,
  { earlier, held }: { readonly earlier: EarlierRun | undefined; readonly held: Held },
): Promise<Run> {
  const { clock } = given;
  const startTime = clock.now();
  const selection = withRecordedDraws(options, earlier);
  const found = await makePlan({ ...selection, allowEmpty: options.gate.allowEmpty, unsupported: "refuse", signal: given.signal });
  checkVersionsOf(found.tasks, options.agentVersions);
  const secrets = [...new Set([...secretsOf(found.tasks, options), ...hostSecrets(options.env)])];
  given.onSecrets?.(secrets);
  given.onPlanned?.(found.tasks);
  // What is left of a run that somebody has confirmed is asked for below.
  if (earlier === undefined) await confirmRun(found.tasks.length, options.confirmation, given.ask);
  const redactor = createRedactor(secrets);
  const progress = redactedProgress(given.progress, redactor);
  const deps = { ...given, progress };
  // A reason quotes what stands in the file.
  const plan = { ...found, skipped: found.skipped.map((file) => ({ ...file, reason: redactor.redact(file.reason).text })) };
  for (const folded of foldIssues(plan.issues)) progress.finding(renderFolded([folded], plan.lineOf));
  const maxParallel = options.maxParallel ?? defaultConcurrency(deps.machine, plan.tasks.map(memoryBytesOf));
  const environmentInfo = { evalbatch: version, node: process.version };
  const stamped = await stampRun({ options, deps, plan, redactor, environmentInfo, maxParallel });
  const runDir = earlier?.runDir ?? (await makeFreshDir(options, plan.tasks, startTime));
  held.runDir = runDir;
  held.unlock ??= await lockRunDir(runDir.path);
  if (earlier === undefined)
    await refuseUsed(
      runDir.path,
      plan.tasks.map(({ resultDir }) => resultDir),
    );
  const store = await openResultStore(runDir.path, { now: () => clock.now() });
  const recorder = withCleanKept(createRunRecorder({ tasks: plan.tasks, store, runDir: runDir.path }), secrets, redactor);
  // Directories of different runs may have one name; what is removed by this id must be of this run alone.
  const runId = `${runDir.runId}-${randomBytes(4).toString("hex")}`;
  const drivers = await openDrivers(plan.tasks, { runId, concurrency: maxParallel, clock, env: options.env, progress });
  const parts = { deps, plan, recorder, redactor, ...stamped };
  const continued =
    earlier === undefined || options.resume === undefined
      ? startAfresh(parts)
      : await continueRun(earlier, options.resume, parts, (rows) => confirmRun(rows, options.confirmation, given.ask));
  tellContinued(continued, progress);
  deps.onRunStarts?.({ runId, runDir: runDir.path });
  const { todo, fingerprint, earlierFingerprint, resume, drift, setAside } = continued;
  return {
    options,
    deps,
    plan,
    runDir,
    drivers,
    startTime,
    store,
    recorder,
    todo,
    earlier: { resume, drift, setAside },
    stamps: stamped.stamps,
    fingerprint,
    earlierFingerprint,
    shared: { repos: createRepoSource({ runId, env: options.env, tmpDir: tmpdir() }), imagesWithoutPython: new Set() },
    redactor,
    maxParallel,
    environmentInfo,
    warnings: [...continued.warnings],
  };
}

function makeFreshDir(options: RunOptions, tasks: readonly ResolvedTask[], now: Date): Promise<RunDir> {
  return makeRunDir(options.runDir, { cwd: options.cwd, env: options.env, now, resultDirs: tasks.map(({ resultDir }) => resultDir) });
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
    resume: run.earlier.resume,
    drift: run.earlier.drift,
    setAside: run.earlier.setAside,
    origin: run.options.origin ?? null,
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
