import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { compareVariants } from "../../../../src/results/experiment/comparison.ts";
import type { Comparison, TaskExperimentSummary, VariantResult } from "../../../../src/results/experiment/experiment-schema.ts";

function result(variantId: string, score: number | null): VariantResult {
  return {
    variant_id: variantId,
    task_id: "t",
    weighted_score: score,
    final_status: "SUCCESS",
    duration_seconds: 1,
    total_tokens: null,
    iteration_count: 1,
    total_assistant_turns: null,
    reference_similarity: null,
    replicate_index: 0,
    replicate_count: 1,
  };
}

function task(before: number | null, after: number | null): TaskExperimentSummary {
  const results = [result("a", before), result("b", after)];
  return { task_id: "t", variant_results: results, best_variant: null, is_tie: false, score_spread: 0, replicate_count: 1 };
}

function compare(pairs: readonly (readonly [number | null, number | null])[]): Comparison {
  const comparison = compareVariants(
    ["a", "b"],
    pairs.map(([before, after]) => task(before, after)),
  );
  assert.ok(comparison !== null);
  return comparison;
}

const times = (count: number, before: number, after: number) => Array.from({ length: count }, () => [before, after] as const);

test("only exactly two variants are compared, the second with the first", () => {
  assert.equal(compareVariants(["a"], [task(0, 1)]), null);
  assert.equal(compareVariants(["a", "b", "c"], [task(0, 1)]), null);
  const found = compare([[0.25, 0.75]]);
  assert.deepEqual([found.baseline, found.variant, found.mean_difference], ["a", "b", 0.5]);
});

test("pairs are the tasks with a score in both", () => {
  const found = compare([
    [0.5, 1],
    [null, 1],
    [1, null],
  ]);
  assert.deepEqual([found.pairs, found.mean_difference], [1, 0.5]);
  const none = compare([[null, 1]]);
  assert.deepEqual([none.pairs, none.mean_difference, none.low, none.high, none.reading], [0, null, null, null, null]);
  const missing = compareVariants(["a", "z"], [task(1, 1)]);
  assert.equal(missing?.pairs, 0);
});

test("an interval that holds 0 is no clear difference", () => {
  const found = compare([...times(10, 0.5, 1), ...times(10, 1, 0.5)]);
  assert.equal(found.reading, "no clear difference");
  assert.ok((found.low ?? 1) <= 0 && (found.high ?? -1) >= 0);
  assert.equal(compare(times(50, 1, 1)).reading, "no clear difference");
});

test("a few tasks never are a difference, however large it is", () => {
  for (const count of [1, 2, 3, 4, 5]) assert.equal(compare(times(count, 0, 1)).reading, "too few tasks differ");
  assert.equal(compare([...times(5, 0, 1), ...times(15, 1, 1)]).reading, "too few tasks differ", "equal tasks add nothing");
  assert.equal(compare(times(1, 0, 1)).low, null, "one pair has no interval");
});

test("many tasks that differ in one direction are a difference", () => {
  assert.equal(compare(times(6, 0, 1)).reading, "higher");
  assert.equal(compare([...times(20, 0.9, 0.4), ...times(10, 1, 1)]).reading, "lower");
});

test("what only comes from the order of an addition is no difference", () => {
  const found = compare(times(10, 0.1 + 0.2, 0.3));
  assert.deepEqual([found.pairs_different, found.mean_difference, found.reading], [0, 0, "no clear difference"]);
});

test("the other way round, everything but the names changes its sign", () => {
  const score = fc.integer({ min: 0, max: 4 }).map((quarters) => quarters / 4);
  fc.assert(
    fc.property(fc.array(fc.tuple(score, score), { minLength: 1, maxLength: 40 }), (pairs) => {
      const [there, back] = [compare(pairs), compare(pairs.map(([before, after]) => [after, before] as const))];
      assert.equal(back.mean_difference, there.mean_difference === 0 ? 0 : -(there.mean_difference ?? 0));
      assert.equal(back.pairs_different, there.pairs_different);
      if (there.reading === "higher") assert.notEqual(back.reading, "higher");
    }),
    { numRuns: 50 },
  );
});
