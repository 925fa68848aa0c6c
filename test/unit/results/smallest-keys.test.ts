import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { compareCodePoints } from "../../../src/plan/code-points.ts";
import { SmallestKeys } from "../../../src/results/smallest-keys.ts";

function countsOf(keys: readonly string[], limit: number) {
  const counts = new SmallestKeys<{ count: number }>(limit, compareCodePoints);
  for (const key of keys) {
    const entry = counts.at(key, () => ({ count: 0 }));
    if (entry !== undefined) entry.count += 1;
  }
  return { entries: counts.entries().map(([key, { count }]) => [key, count]), hasMore: counts.hasMore };
}

test("the smallest keys stay with all that was counted for them, whatever order they come in", () => {
  const keys = fc.array(fc.constantFrom(..."abcdefgh"), { maxLength: 40 });
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 9 }), (list, limit) => {
      const distinct = [...new Set(list)].sort(compareCodePoints);
      const expected = distinct.slice(0, limit).map((key) => [key, list.filter((each) => each === key).length]);
      assert.deepEqual(countsOf(list, limit), { entries: expected, hasMore: distinct.length > limit });
      assert.deepEqual(countsOf(list.toReversed(), limit), countsOf(list, limit));
    }),
  );
});
