import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { bootstrapMeanInterval, roundHalfEven, sampleDeviation, wilsonInterval } from "../../../src/results/intervals.ts";

const near = (actual: number | undefined, expected: number, within = 1e-12): void => {
  assert.ok(actual !== undefined && Math.abs(actual - expected) <= within, `${actual} is not ${expected}`);
};

test("Wilson's interval is that of Python's arithmetic", () => {
  // Worked out with the formula in Python floats.
  const table: readonly (readonly [passed: number, of: number, low: number, high: number])[] = [
    [0, 1, 0, 0.7934506856227626],
    [1, 1, 0.20654931437723745, 1],
    [5, 8, 0.3057423946026273, 0.8631557141764027],
    [7, 8, 0.5291118177871464, 0.9775825085499433],
    [3, 3, 0.43850296824495455, 1],
    [0, 10, 0, 0.2775327998628892],
    [1, 10, 0.017876213095072868, 0.4041500267952385],
    [50, 100, 0.4038315303659956, 0.5961684696340044],
    [999, 1000, 0.9943574414020421, 0.9998234536293739],
    [37, 112, 0.2501477498939001, 0.4218177071466701],
  ];
  for (const [passed, of, low, high] of table) {
    const interval = wilsonInterval(passed, of);
    near(interval?.low, low);
    near(interval?.high, high);
  }
});

test("of nothing there is no interval", () => {
  assert.equal(wilsonInterval(0, 0), undefined);
  assert.equal(bootstrapMeanInterval([]), undefined);
  assert.equal(bootstrapMeanInterval([0.5]), undefined);
});

test("Wilson's interval lies within 0 and 1, holds the share, and mirrors with it", () => {
  const samples = fc.integer({ min: 1, max: 5000 }).chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
  fc.assert(
    fc.property(samples, ([passed, of]) => {
      const interval = wilsonInterval(passed, of);
      assert.ok(interval !== undefined);
      assert.ok(interval.low >= 0 && interval.high <= 1);
      assert.ok(interval.low <= passed / of && passed / of <= interval.high);
      near(wilsonInterval(of - passed, of)?.high, 1 - interval.low, 1e-9);
    }),
  );
});

test("more samples of the same share make Wilson's interval narrower", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 2, max: 50 }), (passed, times) => {
      const [few, many] = [wilsonInterval(passed, 20), wilsonInterval(passed * times, 20 * times)];
      assert.ok(few !== undefined && many !== undefined);
      assert.ok(many.high - many.low < few.high - few.low);
    }),
  );
});

const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 30 });

test("a bootstrap interval lies within the values and is the same for them in any order", () => {
  fc.assert(
    fc.property(values, fc.infiniteStream(fc.nat()), (sample, keys) => {
      const interval = bootstrapMeanInterval(sample);
      assert.ok(interval !== undefined);
      assert.ok(interval.low <= interval.high);
      assert.ok(interval.low >= Math.min(...sample) - 1e-12 && interval.high <= Math.max(...sample) + 1e-12);
      const shuffled = sample.map((value) => ({ value, key: keys.next().value })).sort((a, b) => a.key - b.key);
      assert.deepEqual(bootstrapMeanInterval(shuffled.map(({ value }) => value)), interval);
    }),
    { numRuns: 40 },
  );
});

test("a bootstrap interval moves with its values", () => {
  fc.assert(
    fc.property(values, fc.double({ min: -5, max: 5, noNaN: true }), (sample, shift) => {
      const [here, there] = [bootstrapMeanInterval(sample), bootstrapMeanInterval(sample.map((value) => value + shift))];
      near(there?.low, (here?.low ?? 0) + shift, 1e-9);
      near(there?.high, (here?.high ?? 0) + shift, 1e-9);
    }),
    { numRuns: 40 },
  );
});

test("values that are all the same have that one for an interval", () => {
  assert.deepEqual(bootstrapMeanInterval([0, 0, 0]), { low: 0, high: 0 });
  assert.deepEqual(bootstrapMeanInterval([0.25, 0.25]), { low: 0.25, high: 0.25 });
});

test("a bootstrap interval of few values is the exact one of all their resamples", () => {
  // The 2.5 % and 97.5 % points of all n^n resamples.
  assert.deepEqual(bootstrapMeanInterval([0, 1]), { low: 0, high: 1 });
  assert.deepEqual(bootstrapMeanInterval([0, 0, 1]), { low: 0, high: 1 });
  assert.deepEqual(bootstrapMeanInterval([-0.5, 0, 0.5, 1]), { low: -0.25, high: 0.75 });
});

test("a bootstrap interval of many values is near that of the normal distribution", () => {
  const sample = Array.from({ length: 3000 }, (_, index) => (index % 3 === 0 ? 1 : 0));
  const interval = bootstrapMeanInterval(sample);
  const half = 1.96 * Math.sqrt((1 / 3) * (2 / 3) * (1 / 3000));
  near(interval?.low, 1 / 3 - half, 0.003);
  near(interval?.high, 1 / 3 + half, 0.003);
});

test("halves are rounded to the even number, as Python does", () => {
  const table: readonly (readonly [number, number])[] = [
    [0.5, 0],
    [1.5, 2],
    [2.5, 2],
    [3.5, 4],
    [-1.5, -2],
    [2.4, 2],
    [2.6, 3],
    [7, 7],
  ];
  for (const [value, rounded] of table) assert.equal(roundHalfEven(value), rounded);
});

test("the deviation is that of a sample, and none of a single value", () => {
  near(sampleDeviation([1, 1 / 3, 1, 0.5]), 0.3435921354681384);
  near(sampleDeviation([0, 1]), Math.SQRT1_2);
  assert.equal(sampleDeviation([1]), undefined);
});
