import { setTimeout as delay } from "node:timers/promises";

// Three invariants:
// - each planned task ends in exactly one record: a result or "not run" with its reason;
// - nothing starts after the first stop reason;
// - memory does not grow with the plan: workers pull from an iterator, results leave through the store.

/** Why a planned task has no result. The first reason of a run wins. */
export type StopReason = "cancelled" | "disk full" | "results cannot be written" | "engine lost";

/** How the run of one task ended: with a result, or cut short by the stop of the batch. */
export type TaskEnd<Result> = { readonly kind: "finished"; readonly result: Result } | { readonly kind: "interrupted" };

export interface BatchStore<Task, Result> {
  /** `index` is the position in the plan: reports list rows in plan order, not in the order of their ends. */
  addResult(task: Task, index: number, result: Result): Promise<void>;
  addNotRun(task: Task, index: number, reason: string): Promise<void>;
}

/** What a batch tells while it runs. A listener that throws is noted and hurts nothing. */
export interface BatchProgress<Task, Result> {
  taskStarted(task: Task, index: number): void;
  taskFinished(task: Task, index: number, result: Result): void;
  taskNotRun(task: Task, index: number, reason: string): void;
}

export interface BatchDeps<Task, Result> {
  /** Must settle soon after its signal aborts. A throw becomes a result through `failedResult`. */
  runTask(task: Task, signal: AbortSignal): Promise<TaskEnd<Result>>;
  /** Awaited before each start: the time may not be right yet. Must settle soon after its signal aborts. */
  ready?(task: Task, signal: AbortSignal): Promise<void>;
  /** Asked before each start: why this one is not worth it, while others are. */
  leaveOut?(task: Task): string | undefined;
  /** The row of a task whose run threw: error isolation, the cause is kept. */
  failedResult(task: Task, error: unknown): Result;
  store: BatchStore<Task, Result>;
  progress: BatchProgress<Task, Result>;
  /** A listener's own mistake, for the log. */
  onProgressError(error: unknown): void;
}

export interface BatchOptions {
  /** At least 1. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Asked before each start; the first answer stops all further starts. */
  readonly stopReason: () => StopReason | undefined;
  /** Milliseconds between the first starts of the workers, so that many containers do not start at once. */
  readonly staggerMs: number;
}

export interface BatchEnd {
  readonly finished: number;
  readonly notRun: number;
  readonly stopped: StopReason | undefined;
}

/**
 * Runs every task once, at most `concurrency` at a time.
 * @throws what the store throws: a run whose results can't be kept is over.
 */
export async function runBatch<Task, Result>(
  tasks: Iterable<Task> | AsyncIterable<Task>,
  deps: BatchDeps<Task, Result>,
  options: BatchOptions,
): Promise<BatchEnd> {
  const source = toAsyncIterator(tasks);
  let nextIndex = 0;
  let finished = 0;
  let notRun = 0;
  let stopped: StopReason | undefined;
  let fatal: { readonly error: unknown } | undefined;

  const checkStop = (): StopReason | undefined => {
    stopped ??= options.signal.aborted ? "cancelled" : options.stopReason();
    return stopped;
  };
  const tell = (event: () => void): void => {
    try {
      event();
    } catch (error) {
      deps.onProgressError(error);
    }
  };
  const recordNotRun = async (task: Task, index: number, reason: string): Promise<void> => {
    await deps.store.addNotRun(task, index, reason);
    notRun += 1;
    tell(() => deps.progress.taskNotRun(task, index, reason));
  };

  const becomeReady = async (task: Task): Promise<void> => {
    try {
      await deps.ready?.(task, options.signal);
    } catch (error) {
      if (!options.signal.aborted) throw error;
    }
  };

  const runOne = async (task: Task, index: number): Promise<void> => {
    if (checkStop() === undefined) await becomeReady(task);
    const reason = checkStop() ?? deps.leaveOut?.(task);
    if (reason !== undefined) return recordNotRun(task, index, reason);
    tell(() => deps.progress.taskStarted(task, index));
    let end: TaskEnd<Result>;
    try {
      end = await deps.runTask(task, options.signal);
    } catch (error) {
      // A throw after the abort is the abort arriving, whatever the error says.
      end = options.signal.aborted ? { kind: "interrupted" } : { kind: "finished", result: deps.failedResult(task, error) };
    }
    if (end.kind === "interrupted") return recordNotRun(task, index, "interrupted while running");
    const { result } = end;
    await deps.store.addResult(task, index, result);
    finished += 1;
    tell(() => deps.progress.taskFinished(task, index, result));
  };

  const work = async (worker: number): Promise<void> => {
    if (worker > 0 && options.staggerMs > 0) await pause(worker * options.staggerMs, options.signal);
    while (fatal === undefined) {
      const item = await source.next();
      if (item.done === true) return;
      // Iterators answer in the order in which they were asked, so the claim below keeps plan order.
      const index = nextIndex++;
      try {
        await runOne(item.value, index);
      } catch (error) {
        fatal ??= { error };
      }
    }
  };

  const workers = Math.max(1, Math.floor(options.concurrency));
  const ends = await Promise.allSettled(Array.from({ length: workers }, (_, worker) => work(worker)));
  await source.return?.();
  if (fatal !== undefined) throw fatal.error;
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return { finished, notRun, stopped };
}

/** Waits, or returns at once when the batch is stopped. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    // Only an abort gets here; the worker then records its tasks as not run.
  }
}

async function* toAsyncIterator<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  yield* items;
}
