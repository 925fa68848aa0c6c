import assert from "node:assert/strict";
import test from "node:test";
import { interleave, median, ratioOf, renderFigure } from "../../../bench/figure.ts";

test("the median is the middle value, or the mean of the two in the middle", () => {
  assert.equal(median([3, 10, 1]), 3);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.ok(Number.isNaN(median([])));
});

test("rounds take turns, and the ratio is the median of the rounds' own ratios", async () => {
  const order: string[] = [];
  const values = [2, 30, 4];
  const floors = [1, 10, 4];
  const take = (name: string, from: number[]) => async () => {
    order.push(name);
    return from.shift() ?? Number.NaN;
  };
  const rounds = await interleave(3, take("floor", floors), take("ours", values));
  assert.deepEqual(order, ["floor", "ours", "ours", "floor", "floor", "ours"]);
  assert.equal(ratioOf(rounds), 2);
});

test("a figure says whether its goal was met, on the ratio or on the value", () => {
  const figure = { what: "task", unit: "s", value: 0.5, floor: { what: "bare", value: 0.25 }, ratio: 2, notes: ["note"] };
  assert.equal(renderFigure("a", figure), "a  task: 0.50 s, floor 0.25 s (bare), ratio 2.00 ×\n   note");
  assert.match(renderFigure("a", { ...figure, goal: { of: "ratio", max: 1.25 } }), /goal ≤ 1\.25 ×: missed/);
  assert.match(renderFigure("a", { ...figure, goal: { of: "value", max: 1.5 } }), /goal ≤ 1\.5 s: met/);
});
