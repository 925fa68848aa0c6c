import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { SuiteRollup } from "../../../../src/results/suites/suite-rollup-schema.ts";
import { createSuiteTotals } from "../../../../src/results/suites/suite-totals.ts";
import { rowOf } from "../gate-runs.ts";
import { addRow, labelled, rollupOf, type SampleRow, scored } from "./suite-rows.ts";

interface Absent {
  readonly criteria?: readonly unknown[];
  readonly error?: boolean;
}

function suiteOf(rows: readonly SampleRow[], absent: readonly Absent[], criteria: readonly unknown[]): SuiteRollup {
  const totals = createSuiteTotals();
  for (const [order, row] of rows.entries()) addRow(totals, row, order, criteria);
  for (const [index, { criteria: own = criteria, error = false }] of absent.entries()) {
    const order = rows.length + index;
    const row = error ? rowOf("ERROR", null, `s/r${order}`, "unreadable") : undefined;
    totals.addAbsent({ variantId: "default", suiteId: "s", rowId: `r${order}`, criteria: own, order, row });
  }
  const [rollup] = totals.rollups();
  assert.ok(rollup !== undefined);
  return rollup;
}

const first = (rollup: SuiteRollup) => {
  const [aggregate] = rollup.criterion_aggregates;
  assert.ok(aggregate !== undefined);
  return aggregate;
};

test("rows that never ran are in the total and count as 0, and completion_rate tells of them", () => {
  const rollup = suiteOf([{ found: [1] }, { found: [1] }], [{}, {}], [scored({ mean: 0.9 })]);
  assert.deepEqual([rollup.rows_total, rollup.rows_not_run, rollup.rows_graded, rollup.pass_rate], [4, 2, 2, 1]);
  assert.deepEqual([first(rollup).metrics.mean, first(rollup).metrics.completion_rate, first(rollup).metrics_graded?.mean], [0.5, 0.5, 1]);
  assert.deepEqual([rollup.passed, first(rollup).passed], [false, false]);
});

test("a gate that rows not run or not graded could still lift is undecided; one that they could not has failed", () => {
  const at = (rows: readonly SampleRow[], absent: number) =>
    suiteOf(
      rows,
      Array.from({ length: absent }, () => ({})),
      [scored({ mean: 0.75 })],
    );
  const half: SampleRow[] = [{ found: [1] }, { found: [0] }];
  const states = [at(half, 0), at(half, 1), at(half, 2), at([...half, { status: "NOT_GRADED" }, { status: "NOT_GRADED" }], 0)];
  assert.deepEqual(
    states.map(({ passed, undecided }) => [passed, undecided]),
    [
      [false, false],
      [false, false],
      [false, true],
      [false, true],
    ],
  );
  assert.equal(at([{ found: [1] }, { status: "ERROR" }], 1).undecided, false, "an error does not come right any more");
});

test("a suite is undecided only if every failed criterion is", () => {
  const criteria = [scored({ mean: 0.5 }), scored({ mean: 0.9 })];
  const rollup = suiteOf([{ found: [0, 0] }], [{}], criteria);
  assert.deepEqual(
    rollup.criterion_aggregates.map(({ undecided }) => undecided),
    [true, false],
  );
  assert.equal(rollup.undecided, false);
});

test("labels of rows that never ran are misses of what was expected", () => {
  const rollup = suiteOf([{ found: [["yes", "yes"]] }], [{ criteria: [labelled("no")] }], [labelled("yes", { "recall.no": 0.5 })]);
  assert.equal(first(rollup).metrics["recall.no"], 0);
  assert.equal(rollup.undecided, true);
  const hopeless = suiteOf([{ found: [["no", "yes"]] }], [{ criteria: [labelled("no")] }], [labelled("no", { "recall.no": 0.6 })]);
  assert.equal(hopeless.undecided, false);
});

test("a suite of which nothing ran is there, with what it asks", () => {
  const rollup = suiteOf([], [{}, {}], [scored(), labelled("yes", { accuracy: 0.5 })]);
  assert.deepEqual([rollup.rows_total, rollup.rows_not_run, rollup.average_weighted_score], [2, 2, null]);
  assert.deepEqual(
    rollup.criterion_aggregates.map(({ index, description, rows_excluded, passed, undecided }) => [
      index,
      description,
      rows_excluded,
      passed,
      undecided,
    ]),
    [[1, "label", 2, false, true]],
  );
});

test("rows that a rebuild knows the ids of alone are missing from every criterion", () => {
  const rollup = suiteOf([{ found: [1, 1] }], [{ criteria: [] }, { criteria: [], error: true }], [scored({ mean: 0.6 }), scored()]);
  assert.deepEqual([rollup.rows_total, rollup.rows_error, rollup.rows_not_run], [3, 1, 1]);
  assert.deepEqual(
    rollup.criterion_aggregates.map(({ rows_excluded, metrics }) => [rows_excluded, metrics.count]),
    [
      [2, 3],
      [2, 3],
    ],
  );
  // One of them could still come right: 2 of 3.
  assert.equal(rollup.undecided, true);
  assert.deepEqual(
    rollup.failed_samples.map(({ row_id, error_message, task_json_relpath }) => [row_id, error_message, task_json_relpath]),
    [["r2", "unreadable", null]],
  );
});

test("rollups may be asked for more than once", () => {
  const totals = createSuiteTotals();
  addRow(totals, { found: [1] }, 0, [scored({ mean: 0.5 })]);
  totals.addAbsent({ variantId: "default", suiteId: "s", rowId: "x", criteria: [], order: 1 });
  assert.deepEqual(totals.rollups(), totals.rollups());
});

const anyRow: fc.Arbitrary<SampleRow> = fc.oneof(
  fc.record({
    status: fc.constantFrom("SUCCESS", "FAILURE"),
    found: fc.tuple(fc.constantFrom(0, 0.1, 0.3, 1), fc.tuple(fc.constant("yes"), fc.constantFrom("yes", "no", "(none)"))),
  }),
  fc.record({ status: fc.constantFrom("FAILURE", "ERROR"), found: fc.tuple(fc.constantFrom(0, 0.7)) }),
  fc.record({ status: fc.constantFrom("ERROR", "TIMEOUT", "NOT_GRADED") }),
);
const criteria = [scored({ mean: 0.5, min: 0.1 }), labelled("yes", { accuracy: 0.5, macro_f1: 0.3 })];

test("in whatever order the rows end, the rollup is the same", () => {
  const both = fc.array(anyRow, { minLength: 1, maxLength: 30 }).chain((rows) => {
    const order = rows.map((_, index) => index);
    return fc.tuple(fc.constant(rows), fc.shuffledSubarray(order, { minLength: rows.length }));
  });
  fc.assert(
    fc.property(both, ([rows, order]) => {
      const totals = createSuiteTotals();
      for (const index of order) addRow(totals, rows[index] ?? {}, index, criteria);
      assert.deepEqual(totals.rollups(), [rollupOf(rows, criteria)]);
    }),
  );
});

test("for any rows: rates in 0 … 1, confusion adds up to all rows, an error never lifts a metric that is gated", () => {
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 30 }), (rows) => {
      const rollup = rollupOf(rows, criteria);
      for (const { metrics, details, rows_total, rows_excluded, passed, undecided } of rollup.criterion_aggregates) {
        for (const [name, value] of Object.entries(metrics)) if (name !== "count") assert.ok(value >= 0 && value <= 1, `${name} ${value}`);
        if ("confusion" in details)
          assert.equal(
            details.confusion.reduce((sum, { count }) => sum + count, 0),
            rows_total,
          );
        assert.ok(metrics.count === undefined || metrics.count === rows_total);
        assert.ok(rows_excluded <= rows_total && !(passed && undecided));
      }
      const worse = rollupOf([...rows, { status: "ERROR" }], criteria);
      for (const [index, name] of [
        [0, "mean"],
        [0, "min"],
        [1, "accuracy"],
      ] as const) {
        const [before, after] = [rollup, worse].map(
          (suite) => suite.criterion_aggregates.find((entry) => entry.index === index)?.metrics[name],
        );
        assert.ok((after ?? 0) <= (before ?? 0) + 1e-12, `${name}: ${before} to ${after}`);
      }
      if (!rollup.passed) assert.equal(worse.passed, false);
    }),
  );
});

test("a hundred thousand rows add up", () => {
  const totals = createSuiteTotals();
  for (let order = 0; order < 100_000; order += 1) {
    addRow(totals, { found: [order % 4 === 0 ? 0 : 1, ["yes", order % 5 === 0 ? "no" : "yes"]] }, order, criteria);
  }
  const [rollup] = totals.rollups();
  assert.deepEqual(
    rollup?.criterion_aggregates.map(({ metrics }) => [metrics.count, metrics.mean]),
    [
      [100_000, 0.75],
      [100_000, 0.8],
    ],
  );
});
