import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { clusteredShareInterval, wilsonInterval } from "../../../src/results/intervals.ts";
import { passRateInterval } from "../../../src/results/pass-rate-interval.ts";
import { earlier, tried } from "./histories.ts";

const near = (actual: number | undefined, expected: number | undefined, within = 1e-12) =>
  assert.ok(actual !== undefined && expected !== undefined && Math.abs(actual - expected) <= within, `${actual} is not ${expected}`);
const wide = (interval: { readonly low: number; readonly high: number } | undefined) => (interval?.high ?? 0) - (interval?.low ?? 0);

const anyClusters = fc.array(
  fc.integer({ min: 1, max: 6 }).chain((of) => fc.record({ passed: fc.integer({ min: 0, max: of }), of: fc.constant(of) })),
  { minLength: 1, maxLength: 30 },
);

test("with one sample per cluster the interval is Wilson's", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 50 }), (passes) => {
      const interval = clusteredShareInterval(passes.map((passed) => ({ passed: passed ? 1 : 0, of: 1 })));
      const plain = wilsonInterval(passes.filter(Boolean).length, passes.length);
      assert.equal(interval?.method, "wilson");
      assert.deepEqual([interval?.low, interval?.high], [plain?.low, plain?.high]);
    }),
  );
});

test("tries that always end as the first one did tell nothing more: the interval stays that of the tasks", () => {
  for (const times of [2, 5, 20]) {
    for (const passed of [0, 3, 10]) {
      const clusters = Array.from({ length: 10 }, (_, index) => ({ passed: index < passed ? times : 0, of: times }));
      const [interval, plain] = [clusteredShareInterval(clusters), wilsonInterval(passed, 10)];
      assert.equal(interval?.method, "wilson, clustered by task");
      assert.deepEqual([interval?.passed, interval?.of], [passed * times, 10 * times]);
      near(interval?.low, plain?.low);
      near(interval?.high, plain?.high);
    }
  }
});

test("tries of which as many pass in every task tell as much as different tasks", () => {
  const interval = clusteredShareInterval(Array.from({ length: 10 }, () => ({ passed: 2, of: 4 })));
  const plain = wilsonInterval(20, 40);
  near(interval?.low, plain?.low);
  near(interval?.high, plain?.high);
});

test("one task alone tells of itself only, and nothing tells nothing", () => {
  near(wide(clusteredShareInterval([{ passed: 5, of: 10 }])), wide(wilsonInterval(0.5, 1)));
  assert.equal(clusteredShareInterval([]), undefined);
  assert.equal(clusteredShareInterval([{ passed: 0, of: 0 }]), undefined);
});

test("for any clusters it holds the share, lies in 0 … 1, and is never narrower than for independent samples", () => {
  fc.assert(
    fc.property(anyClusters, (clusters) => {
      const interval = clusteredShareInterval(clusters);
      assert.ok(interval !== undefined);
      const share = interval.passed / interval.of;
      assert.ok(interval.low >= 0 && interval.low <= share && share <= interval.high && interval.high <= 1);
      assert.ok(wide(interval) >= wide(wilsonInterval(interval.passed, interval.of)) - 1e-12);
      const mirrored = clusteredShareInterval(clusters.map(({ passed, of }) => ({ passed: of - passed, of })));
      near(mirrored?.low, 1 - interval.high, 1e-9);
    }),
  );
});

test("the rows of a task are one cluster, in whatever variant; what was not graded is in none", () => {
  const row = (task_id: string, replicate_index: number, variant_id: string, ...of: Parameters<typeof tried>) => ({
    ...tried(...of),
    task_id,
    replicate_index,
    variant_id,
  });
  const found = passRateInterval([
    row("t", 0, "a", "SUCCESS"),
    row("t", 1, "a", "SUCCESS", [earlier("FAILURE")]),
    row("t", 0, "b", "ERROR"),
    row("u", 0, "a", "SUCCESS"),
    row("v", 0, "a", "NOT_GRADED"),
  ]);
  assert.deepEqual([found?.passed, found?.of, found?.tasks, found?.rate], [2, 4, 2, 0.5]);
  assert.equal(passRateInterval([row("v", 0, "a", "NOT_GRADED")]), null);
});

test("over many drawn runs of tasks with their own rates the interval holds the true rate about 95 times in 100, where Wilson's alone does not", () => {
  let state = 12345;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  let [clustered, plain] = [0, 0];
  const runs = 2000;
  for (let run = 0; run < runs; run += 1) {
    // A task passes nearly always, or nearly never: the true rate is one half.
    const clusters = Array.from({ length: 40 }, () => {
      const rate = random() < 0.5 ? 0.95 : 0.05;
      return { passed: Array.from({ length: 5 }, () => random() < rate).filter(Boolean).length, of: 5 };
    });
    const holds = (interval: { readonly low: number; readonly high: number } | undefined) =>
      interval !== undefined && interval.low <= 0.5 && interval.high >= 0.5;
    const found = clusteredShareInterval(clusters);
    if (holds(found)) clustered += 1;
    if (holds(wilsonInterval(found?.passed ?? 0, found?.of ?? 0))) plain += 1;
  }
  assert.ok(clustered / runs > 0.93 && clustered / runs < 0.98, `${clustered / runs}`);
  assert.ok(plain / runs < 0.75, `${plain / runs}`);
});
