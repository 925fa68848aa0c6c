import { errorMessage } from "../errors.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { EvaluationResult } from "../results/task-result.ts";
import { runBatch, type StopReason } from "../run/batch.ts";
import { checkDiskSpace } from "../run/disk-space.ts";
import { failedResult } from "../run/failed-result.ts";
import { preservationOf } from "../run/preservation.ts";
import { createVersionProbes } from "../run/probe-stage.ts";
import { redactResult } from "../run/redact-result.ts";
import { createRunRecorder, type RunRecorder } from "../run/run-recorder.ts";
import { runTaskLife, type TaskLifeDeps } from "../run/task-life.ts";
import { version } from "../version.ts";
import { toFinishedRow } from "./finished-row.ts";
import { liveNames } from "./live-names.ts";
import type { Run } from "./run-context.ts";
import { environmentOf } from "./task-environment.ts";

/** How long running tasks may take to unwind after a stop before the run is written without them, in milliseconds. */
const [leastUnwindMs, mostUnwindMs] = [1000, 3000];
/** What writing one row of `run.json` takes on a slow machine: the run must stand before the hard exit. */
const writeMsPerRow = 0.1;
/** Milliseconds between the first starts, so that many containers do not start in the same moment. */
const staggerMs = 40;

/** Runs the planned tasks. Whatever ends it, every row has a record afterwards. */
export async function executeRun(run: Run): Promise<RunRecorder> {
  const { plan, deps, drivers, store, runDir } = run;
  const { progress, signal } = deps;
  let stop: StopReason | undefined;
  const stopBatch = (reason: StopReason): void => {
    if (stop !== undefined) return;
    stop = reason;
    run.warnings.push(`no further task was started: ${reason}`);
    progress.warning(`no further task is started: ${reason}`);
  };
  const stopReason = (): StopReason | undefined => {
    if (stop === undefined && checkDiskSpace(runDir.path).kind === "full") stopBatch("disk full");
    return stop;
  };
  const recorder = createRunRecorder({ tasks: plan.tasks, store, runDir: runDir.path, onDiskFull: () => stopBatch("disk full") });
  const life = lifeDeps(run, stopBatch);
  // Before anything else sees a result: file, row, report, display.
  const clean = (result: EvaluationResult): EvaluationResult => redactResult(result, (text) => run.redactor.redact(text));
  // The sandboxes are killed at once; the tasks that wait on them then unwind by themselves.
  const unwound = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  let killing: Promise<void> | undefined;
  const onAbort = (): void => {
    killing = drivers.killAll();
    timer = setTimeout(unwound.resolve, unwindMsOf(recorder.rows().length));
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  progress.started(plan.tasks.length, run.maxParallel, liveNames(plan));
  try {
    const batch = runBatch<ResolvedTask, EvaluationResult>(
      plan.tasks,
      {
        runTask: async (task, taskSignal) => {
          const end = await runTaskLife(task, life, taskSignal);
          return end.kind === "finished" ? { ...end, result: clean(end.result) } : end;
        },
        failedResult: (task, error) => clean(failedResult(task, error, life)),
        store: recorder,
        progress: {
          taskStarted: (task) => progress.taskStarted(task.key),
          taskFinished: (task, _index, result) => progress.finished(toFinishedRow(task, result)),
          taskNotRun: (task, _index, reason) => progress.notRun(task.key, reason),
        },
        onProgressError: (error) => void run.warnings.push(`the progress display failed: ${errorMessage(error)}`),
      },
      { concurrency: run.maxParallel, signal, stopReason, staggerMs: run.maxParallel > 2 ? staggerMs : 0 },
    );
    await Promise.race([batch, unwound.promise]);
    // Once more: a container that was being created in that moment did not stand in the engine's list yet.
    if (killing !== undefined) await Promise.race([killing.then(() => drivers.killAll()), unwound.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    progress.close();
  }
  return recorder;
}

/** How long a stopped run of so many finished tasks may wait for the running ones, in milliseconds. */
export function unwindMsOf(finished: number): number {
  return Math.max(leastUnwindMs, mostUnwindMs - finished * writeMsPerRow);
}

function lifeDeps(run: Run, stopBatch: (reason: StopReason) => void): TaskLifeDeps {
  const { options, deps, runDir, store, redactor } = run;
  return {
    version,
    runDir: runDir.path,
    clock: deps.clock,
    environmentInfo: run.environmentInfo,
    driverFor: (kind) => run.drivers.for(kind),
    environmentFor: (task) => environmentOf(task, options),
    preservationFor: (task) => preservationOf(task, options.preservationMode, { runDir: runDir.path, cwd: options.cwd }),
    redactor,
    shared: run.shared,
    probes: createVersionProbes({ own: options.envProbes ?? [], redact: (text) => redactor.redact(text).text }),
    clearTask: (directory) => store.clearTask(directory),
    onStage: (task, stage) => deps.progress.stage(task.key, stage),
    onOutput: (task, source, text) => {
      if (options.verbose) deps.progress.output(task.key, source, text);
    },
    stopBatch,
  };
}
