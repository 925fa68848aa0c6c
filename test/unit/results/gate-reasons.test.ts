import assert from "node:assert/strict";
import test from "node:test";
import { failOnWords, type GatePolicy, judgeGate } from "../../../src/results/gate.ts";
import type { RunRow } from "../../../src/results/run-row.ts";
import { policy, rowOf, rowsOf, runOf, type Scenario } from "./gate-runs.ts";

test("a rate is compared as people write it, whatever binary fractions make of it", () => {
  const passes = (succeeded: number, graded: number, minPassRate: number) =>
    judgeGate(runOf({ rows: rowsOf({ SUCCESS: succeeded, FAILURE: graded - succeeded }) }), policy({ minPassRate })).passes;
  for (let graded = 1; graded <= 120; graded += 1) {
    for (let hundredths = 0; hundredths <= 100; hundredths += 1) {
      const needed = Math.ceil((hundredths * graded) / 100);
      assert.equal(passes(needed, graded, hundredths / 100), true, `${needed} of ${graded} at ${hundredths} %`);
      if (needed > 0) assert.equal(passes(needed - 1, graded, hundredths / 100), false, `${needed - 1} of ${graded} at ${hundredths} %`);
    }
  }
});

test("a missed rate is told with its numbers, never rounded up to what was asked", () => {
  const reasonOf = (succeeded: number, graded: number, minPassRate: number) =>
    judgeGate(runOf({ rows: rowsOf({ SUCCESS: succeeded, FAILURE: graded - succeeded }) }), policy({ minPassRate })).reasons;
  assert.deepEqual(reasonOf(8, 10, 0.9), ["80.0% of 10 graded tasks passed, at least 90% asked"]);
  assert.deepEqual(reasonOf(0, 1, 0.07), ["0.0% of 1 graded task passed, at least 7% asked"]);
  assert.deepEqual(reasonOf(2999, 3000, 1), ["99.97% of 3,000 graded tasks passed, at least 100% asked"]);
  assert.deepEqual(reasonOf(2, 3, 0.995), ["66.7% of 3 graded tasks passed, at least 99.5% asked"]);
});

test("a rate without a graded task fails closed, and a run of nothing that was allowed does not", () => {
  const asked = policy({ minPassRate: 0, allowEmpty: true });
  assert.deepEqual(judgeGate(runOf({ rows: rowsOf({ NOT_GRADED: 2 }) }), asked).reasons, [
    "no task was graded, at least 0% asked",
    "2 tasks were not graded",
  ]);
  assert.deepEqual(judgeGate(runOf({}), asked), { passes: true, reasons: [], tolerated: ["there was no task to run"] });
});

test("a least score is asked of every graded task in addition to passing", () => {
  const end = (rows: readonly RunRow[], changes: Partial<GatePolicy> = {}) =>
    judgeGate(runOf({ rows }), policy({ minTaskScore: 0.5, ...changes }));
  assert.equal(end([rowOf("SUCCESS", 0.5)]).passes, true);
  assert.equal(end([rowOf("SUCCESS", 0.1 + 0.2)], { minTaskScore: 0.3 }).passes, true);
  assert.equal(end([rowOf("SUCCESS", 0.3 - 1e-12)], { minTaskScore: 0.3 }).passes, true);
  assert.equal(end([rowOf("FAILURE", 0.9)]).passes, false, "a high score does not make a failure a pass");
  assert.equal(end([rowOf("FAILURE", 0.9)], { failOn: "error" }).passes, true);
  assert.equal(end([rowOf("SUCCESS", 1), rowOf("FAILURE", 0.9)], { minPassRate: 0.5 }).passes, true);
  const low = [rowOf("SUCCESS", 1), rowOf("SUCCESS", 0.4), rowOf("FAILURE", 0.25, "the/worst"), rowOf("NOT_GRADED", null)];
  assert.deepEqual(end(low, { failOn: "error" }).reasons, [
    "2 of 3 graded tasks scored below 0.5, lowest the/worst (0.25)",
    "1 task was not graded",
  ]);
  assert.deepEqual(end([rowOf("SUCCESS", null, "a")]).reasons, ["1 of 1 graded task scored below 0.5, lowest a (no score)"]);
  assert.deepEqual(end([rowOf("SUCCESS", 0.49999, "a")]).reasons, ["1 of 1 graded task scored below 0.5, lowest a (0.49999)"]);
});

test("the verdict knows the thresholds and not what fails the step", () => {
  const rows = rowsOf({ SUCCESS: 9, FAILURE: 1 });
  for (const failOn of failOnWords) {
    const verdict = (scenario: Scenario, changes: Partial<GatePolicy>) => runOf(scenario, policy({ failOn, ...changes })).verdict;
    assert.equal(verdict({ rows }, {}), "failed");
    assert.equal(verdict({ rows }, { minPassRate: 0.9 }), "passed");
    assert.equal(verdict({ rows }, { minPassRate: 0.91 }), "failed");
    assert.equal(verdict({ rows: rowsOf({ SUCCESS: 9 }, 0.4) }, { minTaskScore: 0.5 }), "failed");
    assert.equal(verdict({ rows, notRun: 1 }, { minPassRate: 0.9 }), "incomplete");
    assert.equal(verdict({ rows, interrupted: true }, { minPassRate: 0.9 }), "incomplete");
    assert.equal(verdict({}, { minPassRate: 0.9, allowEmpty: true }), "empty");
    assert.equal(verdict({ rows: rowsOf({ NOT_GRADED: 1 }) }, { minPassRate: 0 }), "incomplete");
  }
});

test("a rate that the missing tasks could still lift is open, not missed", () => {
  const verdict = (missing: Scenario) =>
    runOf({ rows: rowsOf({ SUCCESS: 3, FAILURE: 2 }), ...missing }, policy({ minPassRate: 0.8 })).verdict;
  assert.equal(verdict({}), "failed");
  assert.equal(verdict({ notRun: 4 }), "failed", "7 of 9 at best");
  assert.equal(verdict({ notRun: 5 }), "incomplete", "8 of 10 at best");
  assert.equal(verdict({ notRun: 5, interrupted: true }), "incomplete");
});

test("a run of errors alone starts with their cause, and no rate speaks for it", () => {
  const errors = ["401 from the model provider", "401 from the model provider", "no space left"].map((message, index) =>
    rowOf("ERROR", null, `t${index}`, message),
  );
  const cause = "all 3 tasks ended in an error: 401 from the model provider (2 of 3)";
  assert.deepEqual(runOf({ rows: errors }).verdict_reasons, [cause]);
  for (const minPassRate of [0, 0.5]) assert.equal(judgeGate(runOf({ rows: errors }), policy({ minPassRate })).reasons[0], cause);
  assert.equal(runOf({ rows: errors }, policy({ minPassRate: 0 })).verdict, "failed");
  assert.deepEqual(runOf({ rows: errors.slice(0, 1), notRun: 1 }).verdict_reasons, [
    "the only task that ran ended in an error: 401 from the model provider",
    "1 task was not run",
  ]);
  assert.equal(runOf({ rows: [...errors, rowOf("SUCCESS", 1)] }).verdict_reasons[0], "3 tasks ended in an error");
});

test("foreign text in a reason is one bounded line", () => {
  const hostile = `x\n::error::\u202e${"y".repeat(100_000)}`;
  const rows = [rowOf("ERROR", null, hostile, hostile)];
  for (const reason of judgeGate(runOf({ rows }), policy({ minTaskScore: 1 })).reasons) {
    assert.doesNotMatch(reason, /[\p{Cc}\p{Cf}]/u);
    assert.ok(reason.length < 400);
  }
});
