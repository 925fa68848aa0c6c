import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { scoreContent } from "../../../src/criteria/file-contains.ts";
import { check } from "./check.ts";

const files = { "words.txt": "alpha\nbeta\ngamma\n", "it's.txt": "x", "label.txt": " It's\u001c \n" };

test("a criterion on a path outside of the sandbox scores 0 with an error, whatever its type", async () => {
  const path = "../secret";
  const error = "Path '../secret' leads outside the sandbox";
  for (const fields of [
    { type: "file_exists", path },
    { type: "file_contains", path, includes: [] },
    { type: "file_check", path },
    { type: "file_matches_regex", path, pattern: "", must_match: false },
    { type: "json_check", path },
    { type: "classification_match", path, expected_label: "(none)", allowed_labels: ["a"] },
  ]) {
    assert.deepEqual(await check(fields, { files }), { score: 0, details: null, error }, fields.type);
  }
});

test("file_exists takes a pattern with many matches", async () => {
  assert.equal((await check({ type: "file_exists", path: "*.txt" }, { files })).score, 1);
  assert.equal((await check({ type: "file_exists", path: "*.md" }, { files })).score, 0);
});

test("a pattern that runs away costs its criterion a second and the score, with the reason", async () => {
  const hostile = { "a.txt": `${"a".repeat(60)}!` };
  for (const fields of [
    { type: "file_matches_regex", path: "a.txt", pattern: "^(a|aa)+$", must_match: false },
    { type: "file_check", path: "a.txt", patterns: [{ pattern: "^(a|aa)+$", must_match: false }] },
  ]) {
    const result = await check(fields, { files: hostile });
    assert.equal(result.score, 0);
    assert.match(result.error ?? "", /^RegexTimeoutError: regular expression took longer than 1 s/);
  }
});

test("labels are stripped as Python strips and shown as Python shows them", async () => {
  const result = await check(
    { type: "classification_match", path: "label.txt", expected_label: "IT'S", allowed_labels: ["it's"] },
    { files },
  );
  assert.deepEqual(result, { score: 1, details: `observed="it's", expected="it's"`, error: null });
});

test("details count in shares of two digits, rounded half to even", async () => {
  const includes = ["alpha", ...Array.from({ length: 7 }, (_, index) => `missing-${index}`)];
  const result = await check({ type: "file_contains", path: "words.txt", includes }, { files });
  assert.deepEqual(result, { score: 0.125, details: "Includes: 1/8 found; Score: 0.12", error: null });
});

test("scores stay within 0 and 1, and more found never scores less", () => {
  const word = fc.constantFrom("alpha", "beta", "gamma", "delta", "");
  const words = fc.array(word, { maxLength: 6 });
  fc.assert(
    fc.property(words, fc.option(words), fc.string(), word, (includes, excludes, text, more) => {
      const before = scoreContent(text, { includes, excludes: null }).score;
      const after = scoreContent(text + more, { includes, excludes: null }).score;
      assert.ok(before <= after);
      const both = scoreContent(text, { includes, excludes }).score;
      assert.ok(both >= 0 && both <= 1);
      if (excludes !== null)
        assert.ok(scoreContent(text + more, { includes: [], excludes }).score <= scoreContent(text, { includes: [], excludes }).score);
    }),
  );
});
