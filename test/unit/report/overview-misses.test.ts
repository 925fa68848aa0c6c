import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { countMissed, missesOf } from "../../../src/report/overview-misses.ts";
import { groupReplicates, missedText, shareText } from "../../../src/report/replicate-groups.ts";
import { categoryOf, finalStatuses } from "../../../src/results/final-status.ts";
import type { RunRow } from "../../../src/results/run-row.ts";
import { attempt } from "./overview-builders.ts";

const row = (task: string, replicate: number, overrides: Parameters<typeof attempt>[1] = {}): RunRow =>
  attempt(task, { replicate, ...overrides });
const failed = { final_status: "FAILURE", weighted_score: 0.5 } as const;

test("the replicates of a task that missed are one miss, told by the worst of them", () => {
  const rows = [row("t", 0), row("t", 1, failed), row("t", 2, { ...failed, weighted_score: 0.25 }), row("t", 3), row("t", 4)];
  const [miss, ...more] = missesOf(rows);
  assert.deepEqual(more, []);
  assert.deepEqual([miss?.row.replicate_index, miss?.again.map((other) => other.replicate_index), miss?.of], [2, [1], 5]);
  assert.equal(miss === undefined ? "" : missedText(miss), "failed 2 of 5");
  assert.equal(countMissed(missesOf(rows)), 2);
});

test("one replicate of several that missed is one of so many, and a task without replicates is no share", () => {
  const [miss] = missesOf([row("t", 0, failed), row("t", 1)]);
  assert.equal(miss === undefined ? "" : missedText(miss), "failed 1 of 2");
  const [alone] = missesOf([row("t", 0, failed)]);
  assert.equal(alone === undefined ? "x" : missedText(alone), "");
  assert.equal(shareText({ again: [], of: 3 }), "1 of 3");
});

test("variants of a task miss apart", () => {
  const rows = ["a", "b"].flatMap((variant_id) => [0, 1].map((index) => ({ ...row("t", index, failed), variant_id })));
  assert.equal(missesOf(rows).length, 2);
  assert.equal(groupReplicates(rows, rows).length, 2);
});

test("an error of one task's replicates is none that many tasks share", () => {
  const error = { final_status: "ERROR", error_message: "no image", weighted_score: 0 } as const;
  const one = missesOf(Array.from({ length: 6 }, (_, index) => row("t", index, error)));
  assert.deepEqual([one.length, one[0]?.again.length, one[0]?.others.length], [1, 5, 0]);
  const many = missesOf(Array.from({ length: 6 }, (_, index) => row(`t${index}`, 0, error)));
  assert.deepEqual([many.length, many[0]?.others.length], [1, 5]);
});

test("a task that failed by itself as well is not hidden behind an error that many share", () => {
  const error = { final_status: "ERROR", error_message: "no image", weighted_score: 0 } as const;
  const rows = [...Array.from({ length: 5 }, (_, index) => row(`t${index}`, 0, error)), row("t0", 1, failed)];
  assert.deepEqual(
    missesOf(rows).map((miss) => [miss.row.task_id, miss.row.status, miss.others.length]),
    [
      ["t0", "ERROR", 4],
      ["t0", "FAILURE", 0],
    ],
  );
});

test("whatever missed is counted once", () => {
  const anyRow = fc.record({
    task: fc.constantFrom("t", "u", "v", "w", "x"),
    replicate: fc.nat({ max: 3 }),
    status: fc.constantFrom(...finalStatuses),
    message: fc.constantFrom("no image", "no disk"),
  });
  fc.assert(
    fc.property(fc.uniqueArray(anyRow, { selector: ({ task, replicate }) => `${task} ${replicate}` }), (parts) => {
      const rows = parts.map(({ task, replicate, status, message }) =>
        row(task, replicate, { final_status: status, error_message: message }),
      );
      const misses = missesOf(rows);
      const shown = misses.flatMap((miss) => [miss.row, ...miss.again, ...miss.others]);
      assert.equal(new Set(shown).size, shown.length);
      assert.equal(countMissed(misses), rows.filter((one) => ["failed", "error"].includes(categoryOf(one.status))).length);
    }),
  );
});
