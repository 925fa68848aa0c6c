import assert from "node:assert/strict";
import test from "node:test";
import { criterionResultSchema } from "../../../../src/results/criterion-result.ts";
import { createSuiteTotals } from "../../../../src/results/suites/suite-totals.ts";
import { addRow, rollupOf, type SampleRow, scored } from "./suite-rows.ts";

test("7.2: the first 20 rows in plan order that did not succeed are shown, in whatever order they end", () => {
  const ends = Array.from({ length: 50 }, (_, index) => (index * 37) % 50);
  const totals = createSuiteTotals();
  for (const order of ends) addRow(totals, { status: order % 2 === 0 ? "SUCCESS" : "FAILURE", found: [0] }, order, [scored()]);
  const shown = totals.rollups()[0]?.failed_samples.map(({ row_id }) => row_id);
  assert.deepEqual(
    shown,
    Array.from({ length: 20 }, (_, index) => `r${2 * index + 1}`),
  );
});

test("a sample tells why: error, else details, else the score, of at most three criteria that missed", () => {
  const miss = (fields: object) => criterionResultSchema.parse({ criterion_type: "t", score: 0.256, pass_threshold: 0.9, ...fields });
  const found = [
    miss({ score: 1, details: "fine" }),
    miss({ pass_threshold: 0.1, details: "enough" }),
    miss({ gating: false, details: "for information" }),
    miss({ error: "broke", details: "not this" }),
    miss({ details: "x".repeat(500) }),
    miss({}),
    miss({ details: "one too many" }),
  ];
  const [sample] = rollupOf([{ status: "FAILURE", found, score: 0.5, replicate: 2 }], []).failed_samples;
  assert.deepEqual(sample, {
    row_id: "r0",
    task_id: "s/r0",
    final_status: "FAILURE",
    weighted_score: 0.5,
    failure_reasons: ["broke", `${"x".repeat(239)}…`, "t: score=0.26"],
    error_message: null,
    task_json_relpath: "default/s/r0/02/task.json",
    replicate_index: 2,
  });
});

test("an error's message is kept, and cut", () => {
  const rows: SampleRow[] = [{ status: "ERROR", error: "y".repeat(5000) }];
  assert.equal(rollupOf(rows, [scored()]).failed_samples[0]?.error_message?.length, 1000);
});

test("rows that were not graded are no successes", () => {
  assert.equal(rollupOf([{ status: "NOT_GRADED" }], [scored()]).failed_samples.length, 1);
});
