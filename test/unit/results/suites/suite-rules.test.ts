import assert from "node:assert/strict";
import test from "node:test";
import { criterionResultSchema } from "../../../../src/results/criterion-result.ts";
import type { CriterionAggregate, SuiteRollup } from "../../../../src/results/suites/suite-rollup-schema.ts";
import { labelled, rollupOf, rollupsOf, type SampleRow, scored } from "./suite-rows.ts";

const first = (rollup: SuiteRollup): CriterionAggregate => {
  const [aggregate] = rollup.criterion_aggregates;
  assert.ok(aggregate !== undefined);
  return aggregate;
};

test("2.4: criteria are aggregated by their position, two of one type apart", () => {
  const rollup = rollupOf([{ found: [1, 0] }, { found: [1, 0.5] }], [scored(), scored()]);
  assert.deepEqual(
    rollup.criterion_aggregates.map(({ criterion_type, index, metrics }) => [criterion_type, index, metrics.mean]),
    [
      ["file_exists", 0, 1],
      ["file_exists", 1, 0.25],
    ],
  );
});

test("7.2: statistics are by type, all criteria of a type together, sorted", () => {
  const broken = criterionResultSchema.parse({ criterion_type: "file_exists", score: 0, error: "no such file" });
  const rows: SampleRow[] = [{ found: [1, ["yes", "no"], 0.5] }, { found: [broken, ["yes", "yes"], 0] }];
  assert.deepEqual(rollupOf(rows, [scored(), labelled("yes"), scored()]).criterion_stats, [
    { criterion_type: "classification_match", rows_evaluated: 2, average_score: 0.5, error_count: 0 },
    { criterion_type: "file_exists", rows_evaluated: 4, average_score: 0.375, error_count: 1 },
  ]);
});

test("2.4: completion_rate is the share of the rows whose results reach the criterion", () => {
  const rows: SampleRow[] = [{ found: [1, 1] }, { found: [1] }, { status: "ERROR" }, { found: [1, 1] }];
  const rates = rollupOf(rows, [scored(), scored()]).criterion_aggregates;
  assert.deepEqual(
    rates.map(({ metrics, metrics_graded, rows_excluded }) => [metrics.completion_rate, metrics_graded?.completion_rate, rows_excluded]),
    [
      [0.75, 0.75, 1],
      [0.5, 0.5, 2],
    ],
  );
});

test("2.4: a threshold passes iff its metric exists and is at least the minimum", () => {
  const thresholds = { mean: 0.5, min: 0, max: 1.01, no_such_metric: 0, std: Number.NaN, count: null, median: Number.NEGATIVE_INFINITY };
  const aggregate = first(rollupOf([{ found: [1] }, { found: [0] }], [scored(thresholds)]));
  assert.deepEqual(
    aggregate.threshold_checks.map(({ metric, min_value, actual_value, passed }) => [metric, min_value, actual_value, passed]),
    [
      ["mean", 0.5, 0.5, true],
      ["min", 0, 0, true],
      ["max", 1.01, 1, false],
      ["no_such_metric", 0, null, false],
      ["std", null, 0.5, false],
      ["count", null, 2, false],
      ["median", null, 0.5, false],
    ],
  );
  assert.equal(aggregate.passed, false);
});

test("a threshold that only the last bit of a sum misses is reached", () => {
  const rows = Array.from({ length: 10 }, (): SampleRow => ({ found: [0.1] }));
  assert.equal(first(rollupOf(rows, [scored({ mean: 0.1 })])).passed, true);
  assert.equal(first(rollupOf(rows, [scored({ mean: 0.1001 })])).passed, false);
});

test("a metric's name that every object has is no metric", () => {
  const thresholds = JSON.parse('{"toString": 0, "__proto__": 0, "constructor": 0}');
  const aggregate = first(rollupOf([{ found: [1] }], [scored(thresholds)]));
  assert.deepEqual(
    aggregate.threshold_checks.map(({ metric, actual_value, passed }) => [metric, actual_value, passed]),
    [
      ["toString", null, false],
      ["__proto__", null, false],
      ["constructor", null, false],
    ],
  );
});

test("2.4: thresholds on a criterion that no row reached fail with upstream's words, and without thresholds it is left out", () => {
  const rows: SampleRow[] = [{ found: [1], status: "FAILURE" }, { status: "ERROR" }];
  const rollup = rollupOf(rows, [scored(), scored({ mean: 0.5 }), scored()]);
  assert.deepEqual(rollup.criterion_aggregates.slice(1), [
    {
      criterion_type: "file_exists",
      description: "there",
      rows_total: 2,
      rows_excluded: 2,
      metrics: {},
      threshold_checks: [{ metric: "mean", min_value: 0.5, actual_value: null, passed: false }],
      passed: false,
      details: {},
      error: "Criterion checker did not produce an aggregate, so thresholds cannot be evaluated.",
      metrics_graded: null,
      undecided: false,
      index: 1,
    },
  ]);
  assert.equal(rollup.passed, false);
});

test("a suite without thresholds passes, whatever its rows do", () => {
  const rollup = rollupOf([{ status: "FAILURE", found: [0] }, { status: "ERROR" }], [scored()]);
  assert.deepEqual([rollup.passed, rollup.undecided, rollup.rows_passed], [true, false, 0]);
});

for (const status of ["ERROR", "TIMEOUT", "BUILD_FAILED"] as const) {
  test(`a row that ended in ${status} before it was graded counts as score 0`, () => {
    const aggregate = first(rollupOf([{ found: [1] }, { status }], [scored({ mean: 0.6 })]));
    assert.deepEqual([aggregate.metrics.count, aggregate.metrics.mean, aggregate.metrics.min], [2, 0.5, 0]);
    assert.deepEqual([aggregate.metrics_graded?.count, aggregate.metrics_graded?.mean], [1, 1]);
    assert.deepEqual([aggregate.rows_excluded, aggregate.passed], [1, false]);
  });
}

test("in a classification it counts as observed (error) against its expected label", () => {
  const rows: SampleRow[] = [
    { found: [["yes", "yes"]] },
    { status: "ERROR", criteria: [labelled("YES")] },
    { status: "TIMEOUT", criteria: [labelled("no")] },
  ];
  const aggregate = first(rollupOf(rows, [labelled("yes", { "recall.yes": 0.9 })]));
  assert.deepEqual("confusion" in aggregate.details && aggregate.details.confusion, [
    { expected: "no", observed: "(error)", count: 1 },
    { expected: "yes", observed: "(error)", count: 1 },
    { expected: "yes", observed: "yes", count: 1 },
  ]);
  assert.equal(aggregate.metrics["recall.yes"], 0.5);
  assert.equal(aggregate.metrics_graded?.["recall.yes"], 1);
  assert.equal(aggregate.metrics_graded?.["recall.no"], undefined);
  assert.equal(aggregate.passed, false);
});

test("a classification whose check broke has a score and no label: (error) too", () => {
  const broken = criterionResultSchema.parse({ criterion_type: "classification_match", score: 0, error: "unreadable" });
  const aggregate = first(rollupOf([{ found: [["yes", "yes"]] }, { found: [broken] }], [labelled("yes")]));
  assert.deepEqual([aggregate.rows_excluded, aggregate.metrics.count, aggregate.metrics["recall.yes"]], [0, 2, 0.5]);
  assert.equal(aggregate.metrics["precision.(error)"], 0);
});

test("a row of which nobody knows what was expected is a miss of an (unknown) label", () => {
  const aggregate = first(rollupOf([{ found: [["yes", "yes"]] }, { status: "ERROR", criteria: null }], [labelled("yes")]));
  assert.deepEqual("labels" in aggregate.details && aggregate.details.labels, ["(error)", "(unknown)", "yes"]);
  assert.equal(aggregate.metrics.accuracy, 0.5);
});

test("7.2: there is one rollup per variant and suite, and replicates count as rows", () => {
  const rows: SampleRow[] = [
    { suite: "b", found: [1] },
    { suite: "b", found: [0], replicate: 1, status: "FAILURE" },
    { suite: "a", found: [1] },
    { suite: "b", variant: "other", found: [1] },
  ];
  const rollups = rollupsOf(rows, [scored()]);
  assert.deepEqual(
    rollups.map(({ variant_id, suite_id, rows_total, pass_rate }) => [variant_id, suite_id, rows_total, pass_rate]),
    [
      ["default", "b", 2, 0.5],
      ["default", "a", 1, 1],
      ["other", "b", 1, 1],
    ],
  );
});

test("a task that is no row of a dataset is in no suite", () => {
  assert.deepEqual(rollupsOf([{ suite: "", found: [1] }], [scored()]), []);
});

test("rows are counted by category, and the pass rate is of those that were graded, errors included", () => {
  const statuses = ["SUCCESS", "FAILURE", "TIMEOUT", "ERROR", "BUILD_FAILED", "NOT_GRADED"] as const;
  const rollup = rollupOf(
    statuses.map((status): SampleRow => ({ status, found: [1], score: status === "BUILD_FAILED" ? null : 0.5 })),
    [scored()],
  );
  const { rows_total, rows_passed, rows_failed, rows_error, rows_not_graded, rows_graded, pass_rate, average_weighted_score } = rollup;
  assert.deepEqual([rows_total, rows_passed, rows_failed, rows_error, rows_not_graded, rows_graded], [6, 1, 2, 2, 1, 5]);
  assert.deepEqual([pass_rate, average_weighted_score], [0.2, 0.5]);
});

test("the description is the first row's in plan order that has results, and thresholds come from a row that has them", () => {
  const named = (description: string, thresholds: Record<string, unknown> | null = null) => [scored(thresholds, { description })];
  const result = (description: string) => criterionResultSchema.parse({ criterion_type: "file_exists", score: 1, description });
  const rows: SampleRow[] = [
    { status: "ERROR", criteria: named("broke") },
    { found: [result("foreign")], criteria: null },
    { found: [result("second")], criteria: named("second", { mean: 0.5 }) },
    { found: [result("third")], criteria: named("third", { mean: 0.5 }) },
  ];
  const aggregate = first(rollupOf(rows, []));
  assert.deepEqual([aggregate.description, aggregate.threshold_checks.length], ["second", 1]);
});
