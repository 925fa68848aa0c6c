import assert from "node:assert/strict";
import test from "node:test";
import { verdictWords } from "../../../src/report/verdict-words.ts";
import { judgeGate, strictGate } from "../../../src/results/gate.ts";
import { policy, rowsOf, runOf, type Scenario } from "../results/gate-runs.ts";

const of = (scenario: Scenario, gate = strictGate) => {
  const summary = runOf(scenario, gate);
  const { sign, words, but } = verdictWords(summary, judgeGate(summary, gate));
  return [sign, words, but];
};

test("a run that passed with every task says so in a count, one that was let pass says what passed", () => {
  assert.deepEqual(of({ rows: rowsOf({ SUCCESS: 2000 }) }), ["passed", "passed, 2,000 of 2,000 tasks", undefined]);
  const rate = policy({ minPassRate: 0.5 });
  assert.deepEqual(of({ rows: rowsOf({ SUCCESS: 2, FAILURE: 1 }) }, rate), ["passed", "passed, 2 of 3 tasks passed", undefined]);
});

test("a red step is never said to have passed, and where every task did it says what was wrong", () => {
  const scored = policy({ minTaskScore: 0.5 });
  assert.deepEqual(of({ rows: rowsOf({ SUCCESS: 1 }, 0.4) }, scored), [
    "failed",
    "failed, 1 of 1 task passed",
    "1 of 1 graded task scored below 0.5, lowest success-0 (0.4)",
  ]);
  // The verdict is "passed": an error counts through the rate only; the gate wants no error at all.
  const noError = policy({ failOn: "error", minPassRate: 0.5 });
  assert.deepEqual(of({ rows: rowsOf({ SUCCESS: 2, ERROR: 1 }) }, noError), ["failed", "failed, 2 of 3 tasks passed", undefined]);
});

test("what a lax gate lets pass is a warning, and not a success", () => {
  const rows = rowsOf({ SUCCESS: 1, FAILURE: 1 });
  assert.deepEqual(of({ rows }, policy({ failOn: "error" })), ["warning", "failures tolerated, 1 of 2 tasks passed", undefined]);
  assert.deepEqual(of({ rows }, policy({ failOn: "never" })), ["warning", "failed (advisory), 1 of 2 tasks passed", undefined]);
});

test("a run that was cut short says so, and what failed for certain stays failed", () => {
  const cut = { notRun: 1, interrupted: true };
  assert.deepEqual(of({ rows: rowsOf({ SUCCESS: 1 }), ...cut }), ["warning", "incomplete (cut short), 1 of 2 tasks passed", undefined]);
  assert.deepEqual(of({ rows: rowsOf({ FAILURE: 1 }), ...cut }), ["failed", "failed and cut short, 0 of 2 tasks passed", undefined]);
});

test("the tasks of a run that another tool wrote are counted from what it wrote", () => {
  const summary = { ...runOf({ rows: rowsOf({ SUCCESS: 1 }), notRun: 2 }), tasks_planned: null };
  assert.equal(verdictWords(summary, undefined).words, "incomplete, 1 of 3 tasks passed");
});
