import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { duplicateIssues, filterByTags } from "../../../src/plan/select.ts";

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

const named = (key: string, taskFile: string, resultDir = key) => ({ key, taskFile, resultDir });

test("the same key twice is an error that names both files", () => {
  const issues = duplicateIssues([named("default/a/00", "x.yaml"), named("default/b/00", "y.yaml"), named("default/a/00", "z.yaml")]);
  assert.equal(issues.length, 1);
  assert.match(issues[0]?.message ?? "", /default\/a\/00.*x\.yaml.*z\.yaml/);
});

test("ids that differ in case only are an error: they are one directory on macOS and Windows", () => {
  const issues = duplicateIssues([named("default/Foo/00", "x.yaml"), named("default/foo/00", "y.yaml")]);
  assert.match(issues[0]?.message ?? "", /Foo.*x\.yaml.*foo.*y\.yaml|foo.*y\.yaml.*Foo.*x\.yaml/);
});

test("an id whose results would lie inside another's is an error", () => {
  const issues = duplicateIssues([named("default/a/00/00", "x.yaml"), named("default/a/00", "y.yaml")]);
  assert.match(issues[0]?.message ?? "", /inside/);
});

test("replicates and rows of a suite are no duplicates", () => {
  const rows = ["default/a/00", "default/a/01", "loud/a/00", "default/s/r1/00", "default/s/r2/00"];
  assert.deepEqual(duplicateIssues(rows.map((key) => named(key, "x.yaml"))), []);
});
