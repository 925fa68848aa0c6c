import assert from "node:assert/strict";
import test from "node:test";
import type { Issue } from "../../../src/errors.ts";
import { foldIssues } from "../../../src/plan/fold-issues.ts";
import { renderFolded } from "../../../src/plan/render-issues.ts";

const issue = (file: string, message = "m", line = 1): Issue => ({ severity: "warning", code: "c", message, file, line, column: 1 });

test("what three files have in common is told once, with the other two named", () => {
  const folded = foldIssues([issue("a"), issue("b"), issue("b", "other"), issue("c")]);
  assert.deepEqual(
    folded.map((one) => [one.issue.file, one.issue.message, one.others]),
    [
      ["a", "m", ["b", "c"]],
      ["b", "other", []],
    ],
  );
  assert.equal(renderFolded(folded), "a:1:1: warning: m\n  the same in 2 more files: b, c\nb:1:1: warning: other");
});

test("two files with the same fault, and one file with it many times, are told in full", () => {
  assert.equal(foldIssues([issue("a"), issue("b")]).length, 2);
  assert.equal(foldIssues(Array.from({ length: 5 }, (_issue, index) => issue("a", "m", index))).length, 5);
});

test("a fault of an experiment that many task files meet is told once, each place for itself", () => {
  const merged = (task: string, line: number): Issue => ({ ...issue("e.yaml", "m", line), mergedWith: task });
  const folded = foldIssues(["a", "b", "c", "d", "e"].flatMap((task) => [merged(task, 1), merged(task, 2)]));
  assert.deepEqual(
    folded.map((one) => [one.issue.line, one.others]),
    [
      [1, ["b", "c", "d", "e"]],
      [2, ["b", "c", "d", "e"]],
    ],
  );
  assert.match(renderFolded(folded), /^e\.yaml:1:1: warning: m \(merged with 'a'\)\n {2}the same with 4 more files: b, c, d, …$/m);
  assert.equal(foldIssues([merged("a", 1), merged("b", 1)]).length, 2);
});

test("the order is that of the findings, and a long list of files is cut", () => {
  const many = Array.from({ length: 9 }, (_file, index) => issue(`f${index}`));
  const folded = foldIssues([issue("x", "first"), ...many, issue("y", "last")]);
  assert.deepEqual(
    folded.map((one) => one.issue.message),
    ["first", "m", "last"],
  );
  assert.match(renderFolded(folded), /the same in 8 more files: f1, f2, f3, …/);
});

test("a file name cannot write into the terminal", () => {
  assert.doesNotMatch(renderFolded(foldIssues([issue("a"), issue("b\u001b[2J"), issue("c")])).replaceAll("\n", ""), /\p{Cc}/u);
});
