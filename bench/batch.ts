import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { runBatch } from "../src/run/batch.ts";
import { type BenchOptions, type Figure, interleave, median, ratioOf, secondsOf } from "./figure.ts";

const concurrency = 64;

interface FakeTask {
  readonly id: string;
  readonly prompt: string;
}

/** The work of a fake task: a turn of the event loop, and a result of about a kilobyte. */
async function fakeWork(task: FakeTask): Promise<string> {
  await turn();
  return `${task.id}: ${task.prompt}`;
}

function* plan(count: number): Generator<FakeTask> {
  for (let index = 0; index < count; index++) yield { id: `task-${index}`, prompt: `${index} `.repeat(200) };
}

async function throughBatch(count: number, onResult: (finished: number) => void): Promise<void> {
  let finished = 0;
  const end = await runBatch(
    plan(count),
    {
      runTask: async (task) => ({ kind: "finished", result: await fakeWork(task) }),
      failedResult: (task, error) => `${task.id}: ${String(error)}`,
      store: {
        addResult: async () => onResult(++finished),
        addNotRun: async () => {},
      },
      progress: { taskStarted: () => {}, taskFinished: () => {}, taskNotRun: () => {} },
      onProgressError: () => {},
    },
    { concurrency, signal: new AbortController().signal, stopReason: () => undefined, staggerMs: 0 },
  );
  if (end.finished !== count) throw new Error(`${end.finished} of ${count} fake tasks finished`);
}

/** The same work from workers that share an iterator, with no results, reasons or errors kept apart. */
async function bareLoop(count: number): Promise<void> {
  const tasks = plan(count);
  const worker = async () => {
    for (const task of tasks) await fakeWork(task);
  };
  // A `for … of` of one worker must not close the iterator for the others: none of them leaves early.
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Megabytes of heap in use after a full collection, at the given numbers of finished tasks. */
async function heapAt(count: number, marks: readonly number[]): Promise<number[]> {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("this Node has no gc()");
  const heap: number[] = [];
  await throughBatch(count, (finished) => {
    if (!marks.includes(finished)) return;
    collect();
    heap.push(process.memoryUsage().heapUsed / 1e6);
  });
  return heap;
}

/** Figure d: fake tasks through the batch loop, and the heap while they pass. */
export async function fakeTasks({ quick }: BenchOptions): Promise<Figure> {
  const count = quick ? 2_000 : 10_000;
  const floor = async () => ((await secondsOf(() => bareLoop(count))) / count) * 1e6;
  const ours = async () => ((await secondsOf(() => throughBatch(count, () => {}))) / count) * 1e6;
  await ours();
  const rounds = await interleave(quick ? 3 : 9, floor, ours);
  const [early, late] = await heapAt(count * 10, [count, count * 10]);
  const value = median(rounds.values);
  return {
    what: `${count} fake tasks through run/batch.ts, ${concurrency} at once`,
    unit: "µs/task",
    value,
    floor: { what: "bare workers on one iterator", value: median(rounds.floors) },
    ratio: ratioOf(rounds),
    notes: [
      `${Math.round(1e6 / value).toLocaleString("en")} tasks/s`,
      `heap in use after ${count.toLocaleString("en")} tasks ${early?.toFixed(1)} MB, after ten times as many ${late?.toFixed(1)} MB`,
    ],
  };
}
