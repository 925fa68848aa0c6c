import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { finalStatuses } from "../../../src/results/final-status.ts";
import { failOnWords, type GatePolicy, judgeGate, strictGate } from "../../../src/results/gate.ts";
import { policyOf } from "../../../src/results/gate-policy.ts";
import { type RunRow, runRowSchema } from "../../../src/results/run-row.ts";
import { bucketProblem, buildRunSummary } from "../../../src/results/run-summary.ts";
import { type RunSummary, runSummarySchema } from "../../../src/results/run-summary-schema.ts";

type Status = RunRow["status"];

function rowsOf(counts: Partial<Record<Status, number>>, score: number | null = 1): RunRow[] {
  return finalStatuses.flatMap((status) =>
    Array.from({ length: counts[status] ?? 0 }, (_, index) => rowOf(status, score, `${status.toLowerCase()}-${index}`)),
  );
}

function rowOf(status: Status, score: number | null, taskId = "t", message: string | null = null): RunRow {
  return { ...runRowSchema.parse({ task_id: taskId, status }), weighted_score: score, error_message: message };
}

interface Scenario {
  readonly rows?: readonly RunRow[];
  readonly notRun?: number;
  readonly invalid?: number;
  readonly unreadable?: number;
  readonly interrupted?: boolean;
}

function runOf(scenario: Scenario, gate?: GatePolicy): RunSummary {
  return buildRunSummary({
    runId: "r",
    startTime: new Date(0),
    endTime: new Date(1000),
    rows: scenario.rows ?? [],
    skippedTasks: Array.from({ length: scenario.invalid ?? 0 }, () => ({ path: "x.yaml", reason: "bad", kind: "invalid" as const })),
    notRun: Array.from({ length: scenario.notRun ?? 0 }, () => ({
      task_id: "n",
      variant_id: "default",
      replicate_index: 0,
      reason: "cancelled",
    })),
    unreadable: Array.from({ length: scenario.unreadable ?? 0 }, () => ({ path: "t/task.json", reason: "empty" })),
    maxParallel: 1,
    frameworkVersion: "1",
    environmentInfo: {},
    interrupted: scenario.interrupted ?? false,
    gate,
  });
}

const policy = (changes: Partial<GatePolicy>): GatePolicy => ({ ...strictGate, ...changes });

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
  assert.deepEqual(reasonOf(8, 10, 0.9), ["80.0 % of 10 graded tasks passed, at least 90 % asked"]);
  assert.deepEqual(reasonOf(0, 1, 0.07), ["0.0 % of 1 graded task passed, at least 7 % asked"]);
  assert.deepEqual(reasonOf(2999, 3000, 1), ["99.97 % of 3000 graded tasks passed, at least 100 % asked"]);
  assert.deepEqual(reasonOf(2, 3, 0.995), ["66.7 % of 3 graded tasks passed, at least 99.5 % asked"]);
});

test("a rate without a graded task fails closed, and a run of nothing that was allowed does not", () => {
  const asked = policy({ minPassRate: 0, allowEmpty: true });
  assert.deepEqual(judgeGate(runOf({ rows: rowsOf({ NOT_GRADED: 2 }) }), asked).reasons, [
    "no task was graded, at least 0 % asked",
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
