import assert from "node:assert/strict";
import test from "node:test";
import type { Issue } from "../../../src/errors.ts";
import { refusalReason, skipReason } from "../../../src/plan/skip-reason.ts";

const error = (more: Partial<Issue>): Issue => ({ severity: "error", code: "c", message: "it is wrong", file: "t.yaml", ...more });

test("a reason has every error in one line, each with its field or its place, and no warning", () => {
  const issues = [error({ field: "a.b", line: 3 }), error({ line: 2, column: 5 }), error({ severity: "warning", message: "doubtful" })];
  assert.equal(
    refusalReason("ValueError", issues, "t.yaml"),
    "ValueError: Invalid task definition: a.b: it is wrong; line 2, column 5: it is wrong",
  );
  assert.equal(refusalReason("YAMLError", [error({ line: 1 })], "t.yaml"), "YAMLError: line 1, column 1: it is wrong");
});

test("what is wrong in another file is told with the name of that file", () => {
  assert.equal(
    refusalReason("ValueError", [error({ file: "rows.jsonl", line: 7, column: 1 })], "t.yaml"),
    "ValueError: Invalid task definition: rows.jsonl:7: it is wrong",
  );
});

test("a word that was meant is told instead of all that there are, and a long reason is cut between characters", () => {
  const issue = error({ field: "f", message: "found text 'a', expected one of b, c", hint: "did you mean 'b'? allowed: b, c" });
  assert.match(refusalReason("ValueError", [issue], "t.yaml"), /f: found text 'a'; did you mean 'b'\?$/);
  const long = refusalReason("ValueError", [error({ message: "\u{1f600}".repeat(1000) })], "t.yaml");
  assert.equal([...long].length, 500);
  assert.ok(long.isWellFormed());
  assert.equal(skipReason("a"), "skip: true (task_id='a')");
});
