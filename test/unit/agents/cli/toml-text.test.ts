import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { tomlDocument, tomlString } from "../../../../src/agents/cli/toml-text.ts";

for (const [text, written] of [
  ["", '""'],
  ['say "hi"', '"say \\"hi\\""'],
  ["C:\\temp", '"C:\\\\temp"'],
  ["a\nb\tc\r\u0000\u007f", '"a\\u000Ab\\u0009c\\u000D\\u0000\\u007F"'],
  ["ünï 🦓", '"ünï 🦓"'],
  ["\ud800", '"\ufffd"'],
] as const) {
  test(`${JSON.stringify(text)} is written as ${written}`, () => assert.equal(tomlString(text), written));
}

test("a string is one line of characters that TOML allows, and its escapes are those of JSON", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const written = tomlString(text);
      assert.doesNotMatch(written, /\p{Cc}/u);
      assert.equal(JSON.parse(written), text.toWellFormed());
    }),
  );
});

test("values come before the tables of their table, and keys are quoted where they must be", () => {
  const document = tomlDocument({ t: { inner: { x: 1 }, y: true }, "a b": "v", z: 2 });
  assert.equal(document, '"a b" = "v"\nz = 2\n\n[t]\ny = true\n\n[t.inner]\nx = 1\n');
});
