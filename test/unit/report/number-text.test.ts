import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { duration, fixed, percent, plural, seconds, thousands, usd } from "../../../src/report/number-text.ts";

test("exact ties are rounded to the even digit, as Python does", () => {
  const cases: readonly (readonly [number, number, string])[] = [
    [12.5, 0, "12"],
    [13.5, 0, "14"],
    [0.125, 2, "0.12"],
    [0.375, 2, "0.38"],
    [21.75, 1, "21.8"],
    [-0.125, 2, "-0.12"],
    [0.07, 1, "0.1"],
    [1.005, 2, "1.00"],
    [2.675, 2, "2.67"],
    [0.5, 0, "0"],
    [1e21, 1, "1e+21"],
    [0, 3, "0.000"],
  ];
  for (const [value, digits, expected] of cases) assert.equal(fixed(value, digits), expected, `${value}`);
});

test("rounding never moves a number by more than half a unit of its last digit", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer({ min: 0, max: 6 }), (value, digits) => {
      assert.ok(Math.abs(Number(fixed(value, digits)) - value) <= 0.5000001 * 10 ** -digits);
    }),
  );
});

test("what is not known is not a number", () => {
  assert.equal(fixed(Number.NaN, 2), "N/A");
  assert.equal(seconds(null), "N/A");
});

test("shares keep their decimals when they become percentages", () => {
  assert.deepEqual([0.07, 0.29, 0.57, 7 / 13, 1].map(percent), ["7.0%", "29.0%", "57.0%", "53.8%", "100.0%"]);
});

test("large numbers have commas, spans have units, nouns have numbers", () => {
  assert.deepEqual([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
  assert.deepEqual([0.04, 9.96, 12, 59.6, 185, 7620].map(duration), ["0.0 s", "10.0 s", "12 s", "1 min 00 s", "3 min 05 s", "2 h 07 min"]);
  assert.deepEqual([plural(1, "row"), plural(0, "row"), plural(2, "entry", "entries")], ["1 row", "0 rows", "2 entries"]);
});

test("money is told in cents, small sums of it with four decimals", () => {
  assert.deepEqual([0, 0.0042, 0.0999, 0.1, 1.234, 1234.5].map(usd), ["$0.00", "$0.0042", "$0.0999", "$0.10", "$1.23", "$1234.50"]);
});
