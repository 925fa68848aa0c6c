import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { createNeedleSearch } from "../../../src/untrusted/needle-search.ts";

function oneByOne(text: string, needles: readonly string[]): string[] {
  const found = new Set<string>();
  for (const needle of needles) {
    if (needle.length < 2) continue;
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) found.add(`${at}-${at + needle.length}`);
  }
  return [...found].sort();
}

const sorted = (places: readonly (readonly [number, number])[]): string[] =>
  [...new Set(places.map(([start, end]) => `${start}-${end}`))].sort();

test("finds what a search for each needle by itself finds", () => {
  const letters = fc.constantFrom("a", "b", "\0", "Ā", "😀", "\uffff");
  const word = fc.array(letters, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), fc.array(letters, { maxLength: 60 }), (needles, text) => {
      const whole = text.join("");
      assert.deepEqual(sorted(createNeedleSearch(needles)(whole)), oneByOne(whole, needles));
    }),
    { numRuns: 5_000 },
  );
});

test("needles may be long, many or none", () => {
  const long = "x".repeat(1000);
  assert.deepEqual(createNeedleSearch([long])(`a${long}b`), [[1, 1001]]);
  assert.deepEqual(createNeedleSearch([])("text"), []);
  const many = Array.from({ length: 200_000 }, (_, index) => `needle-${index}-`);
  assert.deepEqual(createNeedleSearch(many)("a needle-199999- b"), [[2, 16]]);
});
