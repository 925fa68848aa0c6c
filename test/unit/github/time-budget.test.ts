import assert from "node:assert/strict";
import test from "node:test";
import { createTimeBudget } from "../../../src/github/time-budget.ts";

function setUp(totalMs: number) {
  const clock = { ms: 0 };
  const stop = new AbortController();
  return { clock, stop, budget: createTimeBudget(totalMs, stop.signal, () => clock.ms) };
}

test("work takes what it takes from the budget, and what runs at once is counted once", async () => {
  const { clock, budget } = setUp(60_000);
  const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
  const first = budget.use(() => gates[0].promise);
  clock.ms = 1000;
  const second = budget.use(() => gates[1].promise);
  clock.ms = 3000;
  assert.equal(budget.leftMs(), 57_000);
  gates[0].resolve("a");
  assert.deepEqual(await first, { result: "a" });
  clock.ms = 4000;
  gates[1].resolve("b");
  assert.deepEqual(await second, { result: "b" });
  clock.ms = 9000;
  assert.equal(budget.leftMs(), 56_000);
});

test("nothing is started when the time is up", async () => {
  const { clock, budget } = setUp(1000);
  await budget.use(async () => {
    clock.ms = 5000;
  });
  assert.equal(budget.leftMs(), 0);
  assert.deepEqual(await budget.use(() => assert.fail("started")), { ended: "out of time" });
});

test("work that does not come back is left when the time is up, and told", async () => {
  const { budget } = setUp(5);
  let told: AbortSignal | undefined;
  const end = await budget.use((signal) => {
    told = signal;
    return new Promise(() => {});
  });
  assert.deepEqual(end, { ended: "out of time" });
  assert.equal(told?.aborted, true);
});

test("a stop ends what runs and lets nothing start", async () => {
  const { stop, budget } = setUp(60_000);
  const end = budget.use(() => new Promise(() => {}));
  stop.abort();
  assert.deepEqual(await end, { ended: "stopped" });
  assert.deepEqual(await budget.use(() => assert.fail("started")), { ended: "stopped" });
});

test("what the work throws is thrown, and its time is counted", async () => {
  const { clock, budget } = setUp(1000);
  await assert.rejects(
    budget.use(async () => {
      clock.ms = 400;
      throw new Error("no");
    }),
    /no/,
  );
  assert.equal(budget.leftMs(), 600);
});
