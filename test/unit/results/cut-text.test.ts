import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cut, lastLines, startAndEnd } from "../../../src/results/cut-text.ts";

test("a cut text never exceeds its bound and never ends in half a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.integer({ min: 1, max: 20 }), (text, max) => {
      const short = cut(text.repeat(5), max);
      assert.ok(short.length <= Math.max(max, 1));
      assert.ok(short.isWellFormed());
    }),
  );
});

test("the last lines of a log start at a line where there is one", () => {
  assert.equal(lastLines("one\ntwo\nthree\n\n", 9), "two\nthree");
  assert.equal(lastLines("one\ntwo\nthree\n\n", 7), "three");
  assert.equal(lastLines("x".repeat(30), 10), "x".repeat(10));
});

test("the start and the end of a long text are kept in whole lines, with a sign of what is missing between them", () => {
  const numbered = Array.from({ length: 50 }, (_, index) => `line ${index}`).join("\n");
  assert.equal(startAndEnd(numbered, 40), "line 0\nline 1\n…\nline 47\nline 48\nline 49");
  assert.equal(startAndEnd(" short\ntext \n", 40), "short\ntext");
  assert.equal(startAndEnd("x".repeat(50), 10), `${"x".repeat(9)}…`);
});

test("start and end together never exceed their bound", () => {
  const texts = fc.array(fc.string({ unit: "grapheme" }), { maxLength: 30 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(texts, fc.integer({ min: 20, max: 100 }), (text, max) => {
      const short = startAndEnd(text, max);
      assert.ok(short.length <= max);
      assert.equal(short.isWellFormed(), true);
    }),
  );
});
