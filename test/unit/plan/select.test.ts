import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { filterByTags, unknownTags } from "../../../src/plan/select.ts";

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

test("a tag that no task has is told: a wanted one always, an excluded one where another was meant", () => {
  const seen = new Set(["smoke", "slow"]);
  const told = (include: readonly string[], exclude: readonly string[]) =>
    unknownTags(seen, include, exclude).map(
      ({ severity, message, hint }) => `${severity} ${message}${hint === undefined ? "" : `; ${hint}`}`,
    );
  assert.deepEqual(told(["smoke"], ["slow"]), []);
  assert.deepEqual(told(["smoke", "smkoe", "nightly", "nightly"], []), [
    "warning no task has the tag 'smkoe', which was asked for; did you mean 'smoke'?",
    "warning no task has the tag 'nightly', which was asked for",
  ]);
  assert.deepEqual(told([], ["solw", "windows"]), ["warning no task has the tag 'solw', which is excluded; did you mean 'slow'?"]);
});
