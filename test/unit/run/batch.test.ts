import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import test from "node:test";
import fc from "fast-check";
import { type BatchDeps, type BatchOptions, runBatch, type TaskEnd } from "../../../src/run/batch.ts";

interface Recorded {
  readonly results: Map<number, string>;
  readonly notRun: Map<number, string>;
  readonly progressErrors: unknown[];
  readonly deps: BatchDeps<number, string>;
}

function record(
  runTask: (task: number, signal: AbortSignal) => Promise<TaskEnd<string>>,
  overrides: Partial<BatchDeps<number, string>> = {},
): Recorded {
  const results = new Map<number, string>();
  const notRun = new Map<number, string>();
  const progressErrors: unknown[] = [];
  const deps: BatchDeps<number, string> = {
    runTask,
    failedResult: (task, error) => `error ${task}: ${error instanceof Error ? error.message : error}`,
    store: {
      addResult: async (_task, index, result) => void results.set(index, result),
      addNotRun: async (_task, index, reason) => void notRun.set(index, reason),
    },
    progress: { taskStarted: () => {}, taskFinished: () => {}, taskNotRun: () => {} },
    onProgressError: (error) => void progressErrors.push(error),
    ...overrides,
  };
  return { results, notRun, progressErrors, deps };
}

const finished = (result: string): TaskEnd<string> => ({ kind: "finished", result });
const options = (overrides: Partial<BatchOptions> = {}): BatchOptions => ({
  concurrency: 4,
  signal: new AbortController().signal,
  stopReason: () => undefined,
  staggerMs: 0,
  ...overrides,
});
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

test("runs 10,000 tasks, each exactly once and under its own index", async () => {
  let running = 0;
  let peak = 0;
  const seen = record(async (task) => {
    running += 1;
    peak = Math.max(peak, running);
    await tick();
    running -= 1;
    return finished(`r${task}`);
  });
  const end = await runBatch(range(10_000), seen.deps, options({ concurrency: 64 }));
  assert.deepEqual(end, { finished: 10_000, notRun: 0, stopped: undefined });
  assert.equal(peak, 64);
  for (const [index, result] of seen.results) assert.equal(result, `r${index}`);
  assert.equal(seen.results.size, 10_000);
});

test("pulls lazily: an endless-looking plan is only read as far as workers are free", async () => {
  let pulled = 0;
  let ended = 0;
  let lead = 0;
  async function* plan() {
    for (let i = 0; i < 1000; i++) {
      pulled += 1;
      lead = Math.max(lead, pulled - ended);
      yield i;
    }
  }
  const seen = record(async () => {
    await tick();
    ended += 1;
    return finished("ok");
  });
  await runBatch(plan(), seen.deps, options({ concurrency: 3 }));
  assert.ok(lead <= 4, `read ${lead} tasks ahead`);
});

test("a task that throws becomes a row with its cause and the others run", async () => {
  const seen = record(async (task) => {
    if (task === 1) throw new Error("boom");
    return finished("ok");
  });
  await runBatch(range(3), seen.deps, options());
  assert.deepEqual([...seen.results].sort(), [
    [0, "ok"],
    [1, "error 1: boom"],
    [2, "ok"],
  ]);
});

test("a task that throws synchronously is isolated as well", async () => {
  const seen = record(() => {
    throw new Error("at once");
  });
  const end = await runBatch(range(2), seen.deps, options());
  assert.equal(end.finished, 2);
});

test("a progress listener that throws hurts nothing and is noted", async () => {
  const fail = () => {
    throw new Error("listener");
  };
  const seen = record(async () => finished("ok"), { progress: { taskStarted: fail, taskFinished: fail, taskNotRun: fail } });
  const end = await runBatch(range(3), seen.deps, options());
  assert.equal(end.finished, 3);
  assert.equal(seen.progressErrors.length, 6);
});

test("a store that throws ends the batch with its error, after the running tasks have settled", async () => {
  let settled = 0;
  const seen = record(
    async (task) => {
      await tick();
      settled += 1;
      return finished(`r${task}`);
    },
    {
      store: {
        addResult: async (task) => {
          if (task === 1) throw new Error("disk full");
        },
        addNotRun: async () => {},
      },
    },
  );
  await assert.rejects(runBatch(range(100), seen.deps, options({ concurrency: 2 })), /disk full/);
  assert.ok(settled < 100);
});

test("a plan that throws half way ends the batch with its error", async () => {
  async function* plan() {
    yield 1;
    throw new Error("plan broke");
  }
  const seen = record(async () => finished("ok"));
  await assert.rejects(runBatch(plan(), seen.deps, options()), /plan broke/);
});

test("nothing starts once the signal is aborted before the start", async () => {
  const seen = record(async () => assert.fail("started"));
  const end = await runBatch(range(3), seen.deps, options({ signal: AbortSignal.abort() }));
  assert.deepEqual(end, { finished: 0, notRun: 3, stopped: "cancelled" });
  assert.deepEqual([...seen.notRun.values()], ["cancelled", "cancelled", "cancelled"]);
});

test("an abort half way records the running tasks as interrupted and the rest as cancelled", async () => {
  const controller = new AbortController();
  const seen = record(async (task, signal) => {
    if (task < 2) return finished("done");
    if (task === 3) controller.abort(new Error("SIGINT"));
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    throw signal.reason;
  });
  const end = await runBatch(range(6), seen.deps, options({ concurrency: 2, signal: controller.signal }));
  assert.deepEqual(end, { finished: 2, notRun: 4, stopped: "cancelled" });
  assert.deepEqual(Object.fromEntries(seen.notRun), {
    2: "interrupted while running",
    3: "interrupted while running",
    4: "cancelled",
    5: "cancelled",
  });
});

test("the first stop reason wins over a later one", async () => {
  const controller = new AbortController();
  let full = false;
  const seen = record(async (task) => {
    if (task === 0) full = true;
    if (task === 1) controller.abort();
    return finished("ok");
  });
  const end = await runBatch(
    range(4),
    seen.deps,
    options({ concurrency: 1, signal: controller.signal, stopReason: () => (full ? "disk full" : undefined) }),
  );
  assert.equal(end.stopped, "disk full");
  assert.deepEqual([...seen.notRun.values()], ["disk full", "disk full", "disk full"]);
});

test("leaves no listener on the signal", async () => {
  const { signal } = new AbortController();
  const seen = record(async () => finished("ok"));
  await runBatch(range(20), seen.deps, options({ signal, staggerMs: 1 }));
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("property: planned = finished + not run, whatever throws and whenever it stops", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("ok", "throw", "interrupted", "abort"), { maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      async (script, concurrency) => {
        const controller = new AbortController();
        const seen = record(async (task) => {
          const step = script[task];
          if (task % 3 === 0) await tick();
          if (step === "throw") throw new Error("x");
          if (step === "interrupted") return { kind: "interrupted" };
          if (step === "abort") controller.abort();
          return finished("ok");
        });
        const end = await runBatch(script.keys(), seen.deps, options({ concurrency, signal: controller.signal }));
        assert.equal(end.finished + end.notRun, script.length);
        assert.equal(seen.results.size + seen.notRun.size, script.length);
      },
    ),
  );
});

test("a task that is left out is recorded with its reason and not started, the others run", async () => {
  const started: number[] = [];
  const seen = record(
    async (task) => {
      started.push(task);
      return finished("ok");
    },
    { leaveOut: (task) => (task % 2 === 1 && started.length > 0 ? "its agent is refused" : undefined) },
  );
  const end = await runBatch(range(5), seen.deps, options({ concurrency: 1 }));
  assert.deepEqual(end, { finished: 3, notRun: 2, stopped: undefined });
  assert.deepEqual(started, [0, 2, 4]);
  assert.deepEqual(
    [...seen.notRun.entries()],
    [1, 3].map((index) => [index, "its agent is refused"]),
  );
});

test("a task waits until its time is right, and what came up meanwhile counts", async () => {
  const order: string[] = [];
  let isRefused = false;
  const seen = record(
    async (task) => {
      order.push(`run ${task}`);
      return finished("ok");
    },
    {
      ready: async (task) => {
        await tick();
        order.push(`ready ${task}`);
        if (task === 1) isRefused = true;
      },
      leaveOut: () => (isRefused ? "refused" : undefined),
    },
  );
  await runBatch(range(3), seen.deps, options({ concurrency: 1 }));
  assert.deepEqual(order, ["ready 0", "run 0", "ready 1", "ready 2"]);
  assert.deepEqual([...seen.notRun.entries()].sort(), [
    [1, "refused"],
    [2, "refused"],
  ]);
});

test("a stop while a task waits for its time leaves it not run, as cancelled", async () => {
  const stop = new AbortController();
  const seen = record(async () => assert.fail("nothing starts"), {
    ready: async (_task, signal) => {
      stop.abort(new Error("stopped"));
      signal.throwIfAborted();
    },
  });
  const end = await runBatch(range(2), seen.deps, options({ concurrency: 1, signal: stop.signal }));
  assert.deepEqual(end, { finished: 0, notRun: 2, stopped: "cancelled" });
  assert.deepEqual([...seen.notRun.values()], ["cancelled", "cancelled"]);
});
