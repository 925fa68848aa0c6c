import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { finalStatuses } from "../../../src/results/final-status.ts";
import { failOnWords, type GatePolicy, judgeGate } from "../../../src/results/gate.ts";
import { policyOf } from "../../../src/results/gate-policy.ts";
import { bucketProblem } from "../../../src/results/run-summary.ts";
import { runSummarySchema } from "../../../src/results/run-summary-schema.ts";
import { policy, rowOf, rowsOf, runOf, type Scenario } from "./gate-runs.ts";

// One letter for each of `fail-on` failure, error, never: p passes, f fails. One word without a rate, with 0.9, with 1.
const table: readonly (readonly [string, Scenario, string])[] = [
  ["ten passed", { rows: rowsOf({ SUCCESS: 10 }) }, "ppp ppp ppp"],
  ["1 of 10 failed", { rows: rowsOf({ SUCCESS: 9, FAILURE: 1 }) }, "fpp ppp ffp"],
  ["1 of 10 ran out of time", { rows: rowsOf({ SUCCESS: 9, TIMEOUT: 1 }) }, "fpp ppp ffp"],
  ["2 of 10 failed", { rows: rowsOf({ SUCCESS: 8, FAILURE: 2 }) }, "fpp ffp ffp"],
  ["1 of 10 an error", { rows: rowsOf({ SUCCESS: 9, ERROR: 1 }) }, "ffp pfp ffp"],
  ["2 of 10 errors", { rows: rowsOf({ SUCCESS: 8, BUILD_FAILED: 2 }) }, "ffp ffp ffp"],
  ["10 of 10 failed", { rows: rowsOf({ FAILURE: 10 }) }, "fpp ffp ffp"],
  ["10 of 10 errors", { rows: rowsOf({ ERROR: 10 }) }, "ffp ffp ffp"],
  ["one was not graded", { rows: rowsOf({ SUCCESS: 9, NOT_GRADED: 1 }) }, "ffp ffp ffp"],
  ["none was graded", { rows: rowsOf({ NOT_GRADED: 3 }) }, "ffp ffp ffp"],
  ["one was not run", { rows: rowsOf({ SUCCESS: 9 }), notRun: 1 }, "ffp ffp ffp"],
  ["a file was not loaded", { rows: rowsOf({ SUCCESS: 10 }), invalid: 1 }, "ffp ffp ffp"],
  ["no file was loaded", { invalid: 1 }, "ffp ffp ffp"],
  ["a result was no use", { rows: rowsOf({ SUCCESS: 10 }), unreadable: 1 }, "ffp ffp ffp"],
  ["interrupted", { rows: rowsOf({ SUCCESS: 10 }), interrupted: true }, "fff fff fff"],
  ["interrupted at once", { interrupted: true }, "fff fff fff"],
  ["nothing there", {}, "ffp ffp ffp"],
];

test("every outcome ends under every policy as the table says", () => {
  for (const [name, scenario, expected] of table) {
    for (const allowEmpty of [false, true]) {
      const words = [undefined, 0.9, 1].map((minPassRate) =>
        failOnWords
          .map((failOn) => (judgeGate(runOf(scenario), { failOn, minPassRate, minTaskScore: undefined, allowEmpty }).passes ? "p" : "f"))
          .join(""),
      );
      const wanted = name === "nothing there" && allowEmpty ? "ppp ppp ppp" : expected;
      assert.equal(words.join(" "), wanted, `${name}, allowEmpty ${allowEmpty}`);
    }
  }
});

test("what a milder policy lets pass is told", () => {
  const rows = rowsOf({ SUCCESS: 8, FAILURE: 1, ERROR: 1 });
  assert.deepEqual(judgeGate(runOf({ rows }), policy({ minPassRate: 0.8 })), {
    passes: true,
    reasons: [],
    tolerated: ["1 task failed", "1 task ended in an error"],
  });
  assert.deepEqual(judgeGate(runOf({ rows, notRun: 2 }), policy({ failOn: "error" })), {
    passes: false,
    reasons: ["1 task ended in an error", "2 tasks were not run"],
    tolerated: ["1 task failed"],
  });
  assert.deepEqual(judgeGate(runOf({ rows, interrupted: true }), policy({ failOn: "never" })), {
    passes: false,
    reasons: ["the run was interrupted"],
    tolerated: ["1 task failed", "1 task ended in an error"],
  });
});

test("run.json keeps the policy and what came of it; one without is read as null", () => {
  const asked = policy({ failOn: "error", minPassRate: 0.8, minTaskScore: 0.25, allowEmpty: true });
  const summary = runOf({ rows: rowsOf({ SUCCESS: 8, FAILURE: 2 }) }, asked);
  const read = runSummarySchema.parse(JSON.parse(JSON.stringify(summary)));
  assert.deepEqual(read.gate, summary.gate);
  assert.ok(read.gate !== null);
  assert.deepEqual(policyOf(read.gate), asked);
  assert.deepEqual(judgeGate(read, asked), { passes: read.gate.passes, reasons: read.gate.reasons, tolerated: read.gate.tolerated });
  const { gate: _gate, redactions: _redactions, ...old } = summary;
  const older = runSummarySchema.parse(old);
  assert.equal(older.gate, null);
  assert.equal(older.redactions, 0);
});

const share = fc.oneof(fc.constantFrom(0, 0.5, 0.9, 1), fc.double({ min: 0, max: 1, noNaN: true }));
const anyPolicy: fc.Arbitrary<GatePolicy> = fc.record({
  failOn: fc.constantFrom(...failOnWords),
  minPassRate: fc.option(share, { nil: undefined }),
  minTaskScore: fc.option(share, { nil: undefined }),
  allowEmpty: fc.boolean(),
});
const anyScenario: fc.Arbitrary<Scenario> = fc.record({
  rows: fc.array(
    fc.tuple(fc.constantFrom(...finalStatuses), fc.option(share, { nil: null })).map(([status, score]) => rowOf(status, score)),
    { maxLength: 12 },
  ),
  notRun: fc.constantFrom(0, 0, 2),
  invalid: fc.constantFrom(0, 0, 1),
  unreadable: fc.constantFrom(0, 0, 1),
  interrupted: fc.constantFrom(false, false, true),
});

/** All policies that are one step stricter. A rate makes `failure` milder (misses are counted) and `error` stricter (it is asked besides). */
function stricterThan(mild: GatePolicy, higher: number): GatePolicy[] {
  const { failOn, minPassRate, minTaskScore } = mild;
  const steps: GatePolicy[] = [{ ...mild, allowEmpty: false }];
  if (failOn === "never") steps.push({ ...mild, failOn: "error" }, { ...mild, failOn: "failure" });
  if (failOn === "error" && minPassRate === undefined) steps.push({ ...mild, failOn: "failure" }, { ...mild, minPassRate: higher });
  if (failOn === "failure" && minPassRate !== undefined) steps.push({ ...mild, failOn: "error" }, { ...mild, minPassRate: undefined });
  if (minPassRate !== undefined) steps.push({ ...mild, minPassRate: Math.max(minPassRate, higher) });
  steps.push({ ...mild, minTaskScore: Math.max(minTaskScore ?? 0, higher) });
  return steps;
}

test("a stricter policy never lets pass what a milder one does not", () => {
  fc.assert(
    fc.property(anyScenario, anyPolicy, share, (scenario, mild, higher) => {
      const summary = runOf(scenario);
      if (judgeGate(summary, mild).passes) return;
      for (const strict of stricterThan(mild, higher)) assert.equal(judgeGate(summary, strict).passes, false, JSON.stringify(strict));
    }),
    { numRuns: 2000 },
  );
});

test("for any run and policy the counts add up, and verdict, reasons and end agree", () => {
  fc.assert(
    fc.property(anyScenario, anyPolicy, (scenario, asked) => {
      const summary = runOf(scenario, asked);
      const { gate, verdict, verdict_reasons: reasons } = summary;
      assert.equal(bucketProblem(summary), undefined);
      assert.ok(gate !== null);
      assert.equal(gate.passes, gate.reasons.length === 0);
      assert.equal(verdict === "passed", reasons.length === 0);
      if (summary.interrupted) assert.ok(!gate.passes && verdict !== "passed");
      const byFailure = judgeGate(summary, { ...asked, failOn: "failure", allowEmpty: false });
      assert.equal(byFailure.passes, verdict === "passed");
      assert.deepEqual(byFailure.reasons, reasons);
      for (const failOn of failOnWords) {
        const end = judgeGate(summary, { ...asked, failOn });
        assert.deepEqual([...end.reasons, ...end.tolerated].sort(), [...byFailure.reasons, ...byFailure.tolerated].sort());
      }
    }),
    { numRuns: 1000 },
  );
});
