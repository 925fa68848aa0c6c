import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { WaitingClock } from "../../../src/clock.ts";
import { createRateGate } from "../../../src/run/rate-gate.ts";
import { FakeClock } from "./fake-clock.ts";

const never = new AbortController().signal;

test("a gate that nobody shut lets everybody through at once", async () => {
  const clock = new FakeClock();
  const gate = createRateGate(clock, () => 0.5);
  await gate.pass("codex", never);
  assert.deepEqual(clock.sleeps, []);
});

test("shut for one agent, the others pass; the longest of several requests counts", async () => {
  const clock = new FakeClock();
  const gate = createRateGate(clock, () => 0);
  gate.shut("codex", 5000);
  gate.shut("codex", 1000);
  await gate.pass("pi", never);
  assert.equal(clock.monotonicMs(), 0);
  await gate.pass("codex", never);
  assert.equal(clock.monotonicMs(), 5000);
  assert.equal(gate.waitMs("codex"), 0);
});

test("who waits comes back up to a quarter later, so that not all come at once", async () => {
  const clock = new FakeClock();
  const gate = createRateGate(clock, () => 0.8);
  gate.shut("codex", 10_000);
  await gate.pass("codex", never);
  assert.deepEqual(clock.sleeps, [12_000]);
});

test("a gate that is shut again during the wait is waited for again", async () => {
  const clock = new FakeClock();
  const gate = createRateGate(clock, () => 0);
  let again = 2;
  clock.onSleep = () => {
    if (again-- > 0) gate.shut("codex", 3000);
  };
  gate.shut("codex", 1000);
  await gate.pass("codex", never);
  assert.deepEqual(clock.sleeps, [1000, 3000, 3000]);
});

test("no service can shut a gate for longer than a quarter of an hour at a time", () => {
  const gate = createRateGate(new FakeClock(), () => 0);
  gate.shut("codex", Number.POSITIVE_INFINITY);
  assert.equal(gate.waitMs("codex"), 900_000);
});

test("a gate that goes from open to shut is told, once for all who shut it meanwhile", async () => {
  const clock = new FakeClock();
  const told: [agent: string, milliseconds: number][] = [];
  const gate = createRateGate(
    clock,
    () => 0,
    (agent, milliseconds) => void told.push([agent, milliseconds]),
  );
  gate.shut("codex", 0);
  gate.shut("codex", 5000);
  gate.shut("codex", 9000);
  gate.shut("pi", 1000);
  await gate.pass("codex", never);
  gate.shut("codex", 2000);
  assert.deepEqual(told, [
    ["codex", 5000],
    ["pi", 1000],
    ["codex", 2000],
  ]);
});

test("an abort ends the wait with its reason", async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  clock.onSleep = () => stop.abort(new Error("stopped"));
  const gate = createRateGate(clock, () => 0);
  gate.shut("codex", 1000);
  await assert.rejects(gate.pass("codex", stop.signal), /^Error: stopped$/);
});

test("any number of tasks that wait and shut again all get through", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 30 }), async (closings) => {
      const clock = new SharedClock();
      const gate = createRateGate(clock, () => 0.1);
      let passed = 0;
      const tasks = closings.map(async (milliseconds) => {
        await gate.pass("codex", never);
        passed += 1;
        gate.shut("codex", milliseconds);
      });
      await clock.runUntil(Promise.all(tasks));
      assert.equal(passed, closings.length);
    }),
  );
});

/** Many sleepers on one clock: the earliest is woken, whenever all that can run has run. */
class SharedClock implements WaitingClock {
  #now = 0;
  #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  now(): Date {
    return new Date(this.#now);
  }

  monotonicMs(): number {
    return this.#now;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => void this.#sleepers.push({ at: this.#now + milliseconds, wake }));
  }

  async runUntil(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const watching = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      this.#sleepers.sort((a, b) => a.at - b.at);
      const next = this.#sleepers.shift();
      if (next === undefined) continue;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
    await watching;
  }
}
