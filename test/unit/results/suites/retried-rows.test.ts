import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { FinalStatus } from "../../../../src/results/final-status.ts";
import { criteriaForHistory, type EarlierAttempt } from "../../../../src/results/resume/attempt-history.ts";
import type { SuiteRollup } from "../../../../src/results/suites/suite-rollup-schema.ts";
import { summarizeSuite } from "../../../../src/results/suites/suite-summary.ts";
import { createSuiteTotals } from "../../../../src/results/suites/suite-totals.ts";
import { sampleResult } from "../fixtures.ts";
import { earlier } from "../histories.ts";
import { addRow, criterionOf, labelled, rollupOf, type SampleRow, scored } from "./suite-rows.ts";

// Rows of a dataset that were tried again: the suite counts their first graded attempts.

const criteria = [scored({ mean: 0.9 }), labelled("yes", { accuracy: 0.9 })];

/** What the history keeps of an attempt with these findings. */
function past(status: FinalStatus, found: NonNullable<SampleRow["found"]>, score: number | null = 0): EarlierAttempt {
  const result = sampleResult({
    final_status: status,
    success_criteria_results: found.map((entry, index) => criterionOf(entry, criteria[index])),
  });
  return earlier(status, { weighted_score: score, criteria: criteriaForHistory(result) });
}

const rates = (rollup: SuiteRollup) => {
  const { pass_rate, average_weighted_score, criterion_stats, criterion_aggregates, passed, undecided, pass_rate_interval } = rollup;
  return { pass_rate, average_weighted_score, criterion_stats, criterion_aggregates, passed, undecided, pass_rate_interval };
};

test("a row that passed on a retry is in rows_passed, and a miss in rate, score, metrics and gate", () => {
  const rollup = rollupOf(
    [{ found: [1, ["yes", "yes"]] }, { found: [1, ["yes", "yes"]], history: [past("FAILURE", [0.5, ["yes", "no"]], 0.25)] }],
    criteria,
  );
  assert.deepEqual([rollup.rows_passed, rollup.rows_failed, rollup.rows_passed_on_retry], [2, 0, 1]);
  assert.equal(rollup.pass_rate, 0.5);
  assert.equal(rollup.average_weighted_score, 0.625);
  const [scores, labels] = rollup.criterion_aggregates;
  assert.equal(scores?.metrics.mean, 0.75);
  assert.equal(labels?.metrics.accuracy, 0.5);
  assert.equal(rollup.passed, false);
  const summary = summarizeSuite(rollup);
  assert.deepEqual([summary.pass_rate, summary.rows_passed_on_retry, summary.pass_rate_interval?.passed], [0.5, 1, 1]);
});

test("an attempt that failed before it was graded has no results, so that its row is a miss of every criterion", () => {
  const rollup = rollupOf([{ found: [1, ["yes", "yes"]], history: [past("TIMEOUT", [], null)] }], [scored(), labelled("yes")]);
  const [labels] = rollup.criterion_aggregates.filter(({ criterion_type }) => criterion_type === "classification_match");
  assert.equal(labels?.metrics.accuracy ?? 0, 0);
  assert.equal(rollup.pass_rate, 0);
  assert.equal(rollup.average_weighted_score, null);
});

test("attempts that were cut short, ended in an error or had other settings do not count in a suite", () => {
  const plain = rollupOf([{ found: [1, ["yes", "yes"]] }], criteria);
  for (const entry of [earlier("INTERRUPTED"), earlier("ERROR"), { ...past("FAILURE", [0, ["yes", "no"]]), superseded: true }]) {
    const rollup = rollupOf([{ found: [1, ["yes", "yes"]], history: [entry] }], criteria);
    assert.deepEqual(rates(rollup), rates(plain), entry.status);
  }
});

test("a score of a history that lies outside of 0 … 1, as nobody wrote it, is taken for the nearest end", () => {
  const history = [
    {
      ...past("FAILURE", [0.5, ["yes", "no"]]),
      criteria: [{ criterion_type: "file_exists", score: 1e9, failed_to_check: false, observed_label: null, expected_label: null }],
    },
  ];
  assert.equal(rollupOf([{ found: [1, ["yes", "yes"]], history }], criteria).criterion_aggregates[0]?.metrics.max, 1);
});

const anyFound = fc
  .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom("yes", "no", "maybe"))
  .map(([score, label]): NonNullable<SampleRow["found"]> => [score, ["yes", label]]);
const anyFailure = fc
  .record({
    status: fc.constantFrom("FAILURE", "TIMEOUT", "MAX_TURNS_EXHAUSTED"),
    found: fc.oneof(anyFound, fc.constant([])),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ status, found, score }) => ({ status, found, score }));

test("for any rows a retry changes no rate, score or metric of a suite that failed attempts have settled", () => {
  const anyRow = fc.record({
    first: anyFailure,
    retried: fc.boolean(),
    last: fc.constantFrom<FinalStatus>("SUCCESS", "FAILURE", "ERROR", "NOT_GRADED"),
    found: anyFound,
  });
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 12 }), (rows) => {
      const [before, after] = [createSuiteTotals(), createSuiteTotals()];
      // One that everybody can read the thresholds from, whatever the others lack.
      for (const totals of [before, after]) addRow(totals, { found: [1, ["yes", "yes"]] }, 0, criteria);
      for (const [index, { first, retried, last, found }] of rows.entries()) {
        const plain: SampleRow = { status: first.status, found: first.found, score: first.score };
        addRow(before, plain, index + 1, criteria);
        const again: SampleRow = { status: last, found, score: 1, history: [past(first.status, first.found, first.score)] };
        addRow(after, retried ? again : plain, index + 1, criteria);
      }
      const [was, is] = [before.rollups()[0], after.rollups()[0]];
      assert.ok(was !== undefined && is !== undefined);
      assert.deepEqual(rates(is), rates(was));
      assert.equal(is.rows_passed + is.rows_failed + is.rows_error + is.rows_not_graded + is.rows_not_run, is.rows_total);
    }),
  );
});
