import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { countedOutcome, passedOnRetry } from "../../../src/results/counted-outcome.ts";
import { buildExperimentResult } from "../../../src/results/experiment/build-experiment.ts";
import { categoryOf } from "../../../src/results/final-status.ts";
import { judgeGate } from "../../../src/results/gate.ts";
import { compareWithPrevious, encodeRows } from "../../../src/results/row-digest.ts";
import type { RunRow } from "../../../src/results/run-row.ts";
import { bucketProblem } from "../../../src/results/run-summary.ts";
import { averageScore, countForRate, passRate, passRateOf } from "../../../src/results/statistics.ts";
import { policy, runOf } from "./gate-runs.ts";
import { again, anyTriedRows, earlier, tried, untried } from "./histories.ts";

test("a row counts by its first graded attempt: a failure stays a miss, whatever came later", () => {
  const counted = (row: RunRow) => categoryOf(countedOutcome(row).status);
  assert.equal(counted(tried("SUCCESS")), "succeeded");
  assert.equal(counted(tried("SUCCESS", [earlier("FAILURE")])), "failed");
  assert.equal(counted(tried("SUCCESS", [earlier("ERROR"), earlier("TIMEOUT"), earlier("ERROR")])), "failed");
  assert.equal(counted(tried("ERROR", [earlier("COST_BUDGET_EXCEEDED")])), "failed");
  assert.equal(counted(tried("NOT_GRADED", [earlier("FAILURE")])), "failed");
});

test("errors, what was cut short and what was not graded tell nothing of a task: the next attempt is the first", () => {
  for (const status of ["ERROR", "BUILD_FAILED", "INTERRUPTED", "NOT_GRADED"] as const) {
    const row = tried("SUCCESS", [earlier(status), earlier(status)]);
    assert.equal(countedOutcome(row).status, "SUCCESS", status);
    assert.equal(passedOnRetry(row), false, status);
  }
});

test("an attempt with other settings or files is of another task, and a success is not kept beside what came after it", () => {
  assert.equal(countedOutcome(tried("SUCCESS", [earlier("FAILURE", { superseded: true })])).status, "SUCCESS");
  assert.equal(countedOutcome(tried("FAILURE", [earlier("SUCCESS", { superseded: true })])).status, "FAILURE");
  assert.equal(countedOutcome(tried("FAILURE", [earlier("SUCCESS")])).status, "FAILURE");
});

test("the score that counts is that of the same attempt", () => {
  assert.equal(countedOutcome(tried("SUCCESS", [earlier("FAILURE", { weighted_score: 0.25 })])).weighted_score, 0.25);
  assert.equal(countedOutcome(tried("SUCCESS", [earlier("TIMEOUT")])).weighted_score, null);
  assert.equal(averageScore([tried("SUCCESS", [earlier("FAILURE", { weighted_score: 0.25 })]), tried("SUCCESS")]), 0.625);
});

test("run.json counts by the last attempt, rates by the first graded one, and says what passed on a retry", () => {
  const summary = runOf({
    rows: [
      tried("SUCCESS", [], { task_id: "a" }),
      tried("SUCCESS", [earlier("FAILURE")], { task_id: "b" }),
      tried("NOT_GRADED", [earlier("FAILURE")], { task_id: "c" }),
      tried("ERROR", [], { task_id: "d" }),
    ],
    notRun: 1,
  });
  assert.deepEqual(
    [summary.tasks_run, summary.tasks_succeeded, summary.tasks_failed, summary.tasks_error, summary.tasks_not_graded],
    [4, 2, 0, 1, 1],
  );
  assert.equal(summary.tasks_passed_on_retry, 1);
  // a passed; b and c failed first; d is an error, which is a miss.
  assert.equal(summary.pass_rate, 1 / 4);
  assert.equal(summary.pass_rate_planned, 1 / 5);
  assert.equal(summary.pass_rate_without_errors, 1 / 3);
  assert.deepEqual(
    { ...summary.pass_rate_interval, low: 0, high: 1 },
    {
      ...{ passed: 1, of: 4, tasks: 4, rate: 1 / 4, low: 0, high: 1, level: 0.95, method: "wilson" },
    },
  );
});

test("the step goes by the last attempts, the thresholds by the first graded ones", () => {
  const rows = [tried("SUCCESS", [], { task_id: "a" }), tried("SUCCESS", [earlier("FAILURE", { weighted_score: 0.4 })], { task_id: "b" })];
  assert.equal(judgeGate(runOf({ rows }), policy({ failOn: "failure" })).passes, true);
  assert.deepEqual(judgeGate(runOf({ rows }), policy({ minPassRate: 0.9 })).reasons, [
    "50.0% of 2 graded tasks passed at the first attempt (1 more on a retry), at least 90% asked",
  ]);
  assert.equal(judgeGate(runOf({ rows }), policy({ minPassRate: 0.5 })).passes, true);
  assert.deepEqual(judgeGate(runOf({ rows }), policy({ minTaskScore: 0.5 })).reasons, [
    "1 of 2 graded tasks scored below 0.5, lowest b (0.4)",
  ]);
});

test("a row that failed and then could not be graded is no open end of a rate: nothing can lift it", () => {
  const rows = [tried("SUCCESS", [], { task_id: "a" }), tried("NOT_GRADED", [earlier("FAILURE")], { task_id: "b" })];
  const { verdict, verdict_reasons: reasons } = runOf({ rows }, policy({ minPassRate: 0.6 }));
  assert.equal(verdict, "failed");
  assert.deepEqual(reasons, ["50.0% of 2 graded tasks passed, at least 60% asked", "1 task was not graded"]);
});

test("the next comment compares with what the rates count: passing on a retry is no fix", () => {
  const before = runOf({ rows: [tried("FAILURE")] });
  const now = { ...runOf({ rows: [tried("SUCCESS", [earlier("FAILURE")])] }), run_id: "another" };
  const changes = compareWithPrevious(encodeRows(before, undefined), now);
  assert.deepEqual([changes?.fixed.length, changes?.passedOnRetry], [0, 1]);
  const later = { ...runOf({ rows: [tried("SUCCESS")] }), run_id: "third" };
  assert.equal(compareWithPrevious(encodeRows(now, undefined), later)?.fixed.length, 1);
});

test("for any histories every rate and mean score is what it would be if nobody had tried again", () => {
  fc.assert(
    fc.property(anyTriedRows, (rows) => {
      const [with_, without] = [runOf({ rows }), runOf({ rows: rows.map(untried) })];
      assert.equal(bucketProblem(with_), undefined);
      for (const key of ["pass_rate", "pass_rate_planned", "pass_rate_without_errors", "pass_rate_interval"] as const) {
        assert.deepEqual(with_[key], without[key], key);
      }
      assert.equal(with_.pass_rate, passRate(countForRate(rows)) ?? null);
      assert.equal(averageScore(rows), averageScore(rows.map(untried)));
      const [mine, theirs] = [experimentOf(rows), experimentOf(rows.map(untried))];
      assert.deepEqual(mine.per_replicate_scores, theirs.per_replicate_scores);
      assert.deepEqual(mine.evalbatch.comparison, theirs.evalbatch.comparison);
      for (const [index, figures] of mine.evalbatch.variants.entries()) {
        const other = theirs.evalbatch.variants[index];
        for (const key of ["passed", "graded", "pass_rate", "pass_rate_low", "pass_rate_high", "pass_at_k", "score_low"] as const) {
          assert.deepEqual(figures[key], other?.[key], key);
        }
        const id = figures.variant_id;
        assert.equal(mine.variant_aggregates[id]?.pass_rate, theirs.variant_aggregates[id]?.pass_rate);
        assert.equal(mine.variant_aggregates[id]?.average_score, theirs.variant_aggregates[id]?.average_score);
      }
    }),
  );
});

test("one more attempt never raises the rate of a run or a variant, nor opens a gate on rate or score", () => {
  const more = fc.array(
    fc.tuple(fc.nat(), fc.constantFrom("SUCCESS", "FAILURE", "NOT_GRADED"), fc.double({ min: 0, max: 1, noNaN: true })),
  );
  fc.assert(
    fc.property(anyTriedRows, more, fc.double({ min: 0, max: 1, noNaN: true }), (rows, attempts, asked) => {
      const after = [...rows];
      for (const [pick, status, score] of attempts) {
        const index = pick % rows.length;
        const row = after[index];
        // What was an error, or was not graded, has no rate yet: a retry of it is its first attempt.
        if (row === undefined || ["error", "ungraded"].includes(categoryOf(row.status))) continue;
        after[index] = again(row, status, status === "NOT_GRADED" ? null : score);
      }
      const [was, is] = [runOf({ rows }), runOf({ rows: after })];
      assert.ok((is.pass_rate ?? 0) <= (was.pass_rate ?? 0));
      assert.ok((is.pass_rate_planned ?? 0) <= (was.pass_rate_planned ?? 0));
      const [before, now] = [experimentOf(rows), experimentOf(after)];
      for (const [index, figures] of now.evalbatch.variants.entries()) {
        assert.ok((figures.pass_rate ?? 0) <= (before.evalbatch.variants[index]?.pass_rate ?? 0));
        const [a, b] = [before.variant_aggregates[figures.variant_id], now.variant_aggregates[figures.variant_id]];
        assert.ok((b?.pass_rate ?? 0) <= (a?.pass_rate ?? 0));
      }
      const missed = (run: typeof was) =>
        judgeGate(run, policy({ minPassRate: asked, minTaskScore: asked })).reasons.filter(
          (reason) => reason.includes("asked") || reason.includes("below"),
        );
      assert.ok(missed(is).length >= missed(was).length);
    }),
  );
});

test("a file without histories, or without rows, has the rate of its counts", () => {
  const counts = { tasks_succeeded: 3, tasks_failed: 1, tasks_error: 1, tasks_not_graded: 2 };
  assert.deepEqual(passRateOf({ ...counts, task_results: [] }), { passed: 3, graded: 5, ungraded: 2, rate: 3 / 5 });
  assert.deepEqual(passRateOf({ ...runOf({}) }), { passed: 0, graded: 0, ungraded: 0, rate: undefined });
});

function experimentOf(rows: readonly RunRow[]) {
  return buildExperimentResult({ experimentId: "e", description: "", variantIds: ["a", "b"], rows, durationSeconds: 1 });
}
