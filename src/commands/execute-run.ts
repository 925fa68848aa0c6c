import { join } from "node:path";
import { errorMessage } from "../errors.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { fileNames } from "../results/layout.ts";
import { readTaskResult } from "../results/read-task-result.ts";
import { beginAttempt } from "../results/resume/begin-attempt.ts";
import type { EvaluationResult } from "../results/task-result.ts";
import { type AgentRefusals, createAgentRefusals, customerOf } from "../run/agent-refusals.ts";
import { runBatch, type StopReason } from "../run/batch.ts";
import { checkDiskSpace } from "../run/disk-space.ts";
import { failedResult } from "../run/failed-result.ts";
import { preservationOf } from "../run/preservation.ts";
import { createVersionProbes } from "../run/probe-stage.ts";
import { redactResult } from "../run/redact-result.ts";
import { runTaskLife, type TaskLifeDeps } from "../run/task-life.ts";
import { version } from "../version.ts";
import { createRunKits } from "./agent-kits.ts";
import { agentSurroundings, isShown } from "./agent-surroundings.ts";
import type { RowToRun } from "./earlier-part.ts";
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

/**
 * Runs the planned tasks. Whatever ends it, every row has a record afterwards.
 * @returns rows that were to be tried again, were not started, and keep their old results
 */
export async function executeRun(run: Run): Promise<readonly ResolvedTask[]> {
  const { plan, deps, drivers, recorder, runDir, todo } = run;
  const { progress, signal } = deps;
  let stop: StopReason | undefined;
  const stopBatch = (reason: StopReason): void => {
    if (stop !== undefined) return;
    stop = reason;
    run.warnings.push(`no further task was started: ${reason}`);
    progress.warning(`no further task is started: ${reason}`);
  };
  const refusals = createAgentRefusals((message) => {
    const line = run.redactor.redact(message).text;
    run.warnings.push(line);
    progress.warning(line);
  });
  const stopReason = (): StopReason | undefined => {
    if (stop === undefined && checkDiskSpace(runDir.path).kind === "full") stopBatch("disk full");
    return stop;
  };
  const life = lifeDeps(run, stopBatch, refusals);
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
  if (todo.length > 0) progress.started(todo.length, run.maxParallel, liveNames(plan));
  try {
    const batch = runBatch<RowToRun, EvaluationResult>(
      todo,
      {
        runTask: async ({ task }, taskSignal) => {
          const end = await runTaskLife(task, life, taskSignal);
          return end.kind === "finished" ? { ...end, result: clean(end.result) } : end;
        },
        ready: ({ task }, batchSignal) => life.agents.gate.pass(task.task.agent.type ?? "none", batchSignal),
        leaveOut: ({ task }) => refusals.reasonFor(customerOf(task)),
        failedResult: ({ task }, error) => clean(failedResult(task, error, life)),
        // Reports list rows in the order of the plan, kept ones among them.
        store: {
          addResult: async ({ task, index }, _position, result) => {
            await recorder.addResult(task, index, result);
            if (recorder.storageProblems.length > 0) stopBatch(recorder.isDiskFull() ? "disk full" : "results cannot be written");
          },
          addNotRun: ({ task, index }, _position, reason) => recorder.addNotRun(task, index, reason),
        },
        progress: {
          taskStarted: ({ task }) => progress.taskStarted(task.key),
          taskFinished: ({ task }, _index, result) => progress.finished(toFinishedRow(task, result)),
          taskNotRun: ({ task }, _index, reason) => progress.notRun(task.key, reason),
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
  return keepUnstarted(run);
}

/** A row that was to be tried again and never was keeps its old result: the attempt that begins is what clears it away. */
function keepUnstarted({ todo, recorder, runDir }: Run): ResolvedTask[] {
  const kept: ResolvedTask[] = [];
  for (const { task, index, fallback } of todo) {
    if (!fallback || recorder.has(index)) continue;
    const read = readTaskResult(join(runDir.path, task.resultDir, fileNames.task));
    if (read.kind !== "result") continue;
    recorder.addKept(task, index, read.result);
    kept.push(task);
  }
  return kept;
}

/** How long a stopped run of so many finished tasks may wait for the running ones, in milliseconds. */
export function unwindMsOf(finished: number): number {
  return Math.max(leastUnwindMs, mostUnwindMs - finished * writeMsPerRow);
}

function lifeDeps(run: Run, stopBatch: (reason: StopReason) => void, refusals: AgentRefusals): TaskLifeDeps {
  const { options, deps, runDir, redactor } = run;
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
    beginAttempt,
    stampOf: (task) => run.stamps.of(task).digest,
    onStage: (task, stage) => deps.progress.stage(task.key, stage),
    onOutput: (task, source, text) => {
      if (options.verbose) deps.progress.output(task.key, source, text);
    },
    onEvent: (task, event, line) => {
      if (isShown(event.kind, options)) deps.progress.output(task.key, "agent", line);
    },
    agents: agentSurroundings(run, refusals),
    kitsFor: createRunKits(run),
    stopBatch,
  };
}
