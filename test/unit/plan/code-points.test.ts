import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { compareCodePoints } from "../../../src/plan/code-points.ts";

test("orders as the bytes of UTF-8 do", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
      assert.equal(Math.sign(compareCodePoints(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 1000 },
  );
});

test("an emoji comes after every letter that fits one unit", () => {
  assert.deepEqual(["😀", "ﾖ", "a", "Z"].toSorted(compareCodePoints), ["Z", "a", "ﾖ", "😀"]);
});
