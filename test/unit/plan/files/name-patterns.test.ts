import assert from "node:assert/strict";
import test from "node:test";
import { createIgnore } from "../../../../src/plan/files/ignore-list.ts";
import { createNameMatcher } from "../../../../src/plan/files/name-patterns.ts";

test("a star at an end means ends with, begins with or contains; anything else is the name itself", () => {
  const table: [string, string[], string[]][] = [
    ["*.pyc", [".pyc", "a.pyc", "a.b.pyc"], ["a.pyc.txt", "a.PYC", "pyc"]],
    ["tmp*", ["tmp", "tmpfile"], ["atmp", "TMP"]],
    ["*mid*", ["mid", "amidb"], ["mi d"]],
    ["*", ["", "anything"], []],
    ["**", ["", "anything"], []],
    ["a*b", ["a*b"], ["axb"]],
    ["dist", ["dist"], ["dist2", "Dist"]],
    ["[a]", ["[a]"], ["a"]],
  ];
  for (const [pattern, yes, no] of table) {
    const matches = createNameMatcher([pattern]);
    assert.deepEqual([yes.filter(matches), no.filter(matches)], [yes, []], pattern);
  }
});

test("templates leave out the packaged names, less what a task takes off, plus its own", () => {
  const isIgnored = createIgnore(["!dist", "!*.so", "*.log", "!nothing"]);
  assert.deepEqual([".git", "node_modules", "x.pyc", "a.log", ".DS_Store", "file~"].filter(isIgnored).length, 6);
  assert.deepEqual(["dist", "lib.so", "src", "nothing", "!dist"].filter(isIgnored), []);
  assert.equal(createIgnore([])("dist"), true);
});
