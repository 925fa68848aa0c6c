import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { filterByTags } from "../../../src/plan/select.ts";

const tasks = [
  { id: "a", tags: ["smoke", "area:files"] },
  { id: "b", tags: ["slow"] },
  { id: "c", tags: [] },
  { id: "d", tags: ["smoke", "slow"] },
];
const ids = (include: readonly string[], exclude: readonly string[]) =>
  filterByTags(tasks, include, exclude)
    .map(({ id }) => id)
    .join("");

test("keeps tasks with any include tag, then drops those with any exclude tag", () => {
  assert.equal(ids(["smoke"], []), "ad");
  assert.equal(ids(["smoke", "slow"], []), "abd");
  assert.equal(ids(["smoke"], ["slow"]), "a");
  assert.equal(ids([], ["slow", "area:files"]), "c");
});

test("no tags are no filter", () => assert.equal(ids([], []), "abcd"));

test("a tag is compared whole", () => {
  assert.equal(ids(["area"], []), "");
  assert.equal(ids(["files"], []), "");
  assert.equal(ids(["SMOKE"], []), "");
});

test("the order of the tasks stays, whatever the order of the tags", () => {
  const tag = fc.constantFrom("smoke", "slow", "area:files", "none");
  fc.assert(
    fc.property(fc.array(tag), fc.array(tag), (include, exclude) => {
      const kept = ids(include, exclude);
      assert.equal(kept, [...kept].toSorted().join(""));
      assert.equal(kept, ids(include.toReversed(), exclude.toReversed()));
    }),
  );
});
