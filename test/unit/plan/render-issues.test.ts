import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { Issue } from "../../../src/errors.ts";
import { renderIssues } from "../../../src/plan/render-issues.ts";

const issue = (more: Partial<Issue> = {}): Issue => ({
  severity: "error",
  code: "c",
  message: "m",
  file: "a.yaml",
  line: 3,
  column: 5,
  ...more,
});
const line = (text: string) => () => text;

test("puts a caret under the column", () => {
  assert.equal(
    renderIssues([issue({ field: "tags", hint: "do this" })], line("abc: def")),
    "a.yaml:3:5: error: tags: m\n  3 | abc: def\n    |     ^\n  hint: do this",
  );
});

test("cuts a long line around the caret", () => {
  const [, source, caret] = renderIssues([issue({ column: 500 })], line(`${"x".repeat(499)}Y${"z".repeat(500)}`)).split("\n");
  assert.ok(source !== undefined && caret !== undefined && source.length < 120);
  assert.equal(source[caret.indexOf("^")], "Y");
});

test("a missing file, place or line leaves its part out", () => {
  assert.equal(renderIssues([issue({ file: undefined, line: undefined, column: undefined, severity: "warning" })]), "warning: m");
  assert.equal(renderIssues([issue()]), "a.yaml:3:5: error: m");
});

test("shows characters that a terminal obeys as escapes, and the caret stays in place", () => {
  const [head, source, caret] = renderIssues([issue({ message: "\u001b[31mred\u202e\nx" })], line("a\u001b: \u202eY")).split("\n");
  assert.equal(head, "a.yaml:3:5: error: \\u{1b}[31mred\\u{202e}\\nx");
  assert.equal(source?.[caret?.indexOf("^") ?? 0], "\\");
});

test("never lets a control character through, whatever the file holds", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(text, text, text, fc.nat(300), (message, source, hint, column) => {
      const output = renderIssues([issue({ message, hint, column: column + 1 })], line(source));
      assert.doesNotMatch(output.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\u2028\u2029]/u);
      assert.ok(output.isWellFormed() && output.split("\n").length <= 4);
    }),
  );
});
