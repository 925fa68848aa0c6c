import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { labelMetrics, scoreMetrics } from "../../../../src/results/suites/aggregate.ts";

const pairsOf = (list: readonly (readonly [string, string, number?])[]) => {
  const pairs = new Map<string, Map<string, number>>();
  for (const [expected, observed, count = 1] of list) {
    const row = pairs.get(expected) ?? new Map<string, number>();
    row.set(observed, (row.get(observed) ?? 0) + count);
    pairs.set(expected, row);
  }
  return pairs;
};

test("2.4: metrics of every type are count, mean, median, population std, min and max", () => {
  const metrics = scoreMetrics([1, 0, 0.5, 1]);
  assert.deepEqual(Object.fromEntries(metrics ?? []), { count: 4, mean: 0.625, median: 0.75, std: Math.sqrt(0.171875), min: 0, max: 1 });
  assert.deepEqual([...(metrics ?? new Map()).keys()], ["count", "mean", "median", "std", "min", "max"]);
  assert.deepEqual(Object.fromEntries(scoreMetrics([0.25]) ?? []), { count: 1, mean: 0.25, median: 0.25, std: 0, min: 0.25, max: 0.25 });
});

test("2.4: the median of an odd number of scores is the middle one", () => {
  assert.equal(scoreMetrics([0.9, 0.1, 0.2])?.get("median"), 0.2);
});

test("of nothing there are no metrics", () => {
  assert.equal(scoreMetrics([]), undefined);
  assert.equal(labelMetrics(new Map()), undefined);
  assert.equal(labelMetrics(pairsOf([["a", "b", 0]])), undefined);
});

test("2.4: classifications have accuracy, three averages of f1, and precision, recall and f1 of each label", () => {
  // a: 2 of 3 right; b: 1 of 1 right, but one a was taken for b.
  const found = labelMetrics(
    pairsOf([
      ["a", "a", 2],
      ["a", "b"],
      ["b", "b"],
    ]),
  );
  const [f1a, f1b] = [0.8, 2 / 3];
  assert.deepEqual(
    [...(found?.metrics ?? [])],
    [
      ["precision.a", 1],
      ["recall.a", 2 / 3],
      ["f1.a", f1a],
      ["precision.b", 0.5],
      ["recall.b", 1],
      ["f1.b", f1b],
      ["accuracy", 0.75],
      ["macro_f1", (f1a + f1b) / 2],
      ["weighted_f1", (f1a * 3 + f1b) / 4],
      ["micro_f1", 0.75],
    ],
  );
});

test("2.4: details have sorted labels, each with its support, the sorted confusion and the number of pairs", () => {
  const found = labelMetrics(
    pairsOf([
      ["b", "(none)"],
      ["a", "b"],
      ["b", "b", 2],
      ["a", "a"],
    ]),
  );
  assert.deepEqual(found?.details, {
    labels: ["(none)", "a", "b"],
    per_label: [
      { label: "(none)", precision: 0, recall: 0, f1: 0, support: 0 },
      { label: "a", precision: 1, recall: 0.5, f1: 2 / 3, support: 2 },
      { label: "b", precision: 2 / 3, recall: 2 / 3, f1: 2 / 3, support: 3 },
    ],
    confusion: [
      { expected: "a", observed: "a", count: 1 },
      { expected: "a", observed: "b", count: 1 },
      { expected: "b", observed: "(none)", count: 1 },
      { expected: "b", observed: "b", count: 2 },
    ],
    total_pairs: 5,
  });
});

test("a label that is expected or seen and never right has f1 0, not no number", () => {
  const found = labelMetrics(pairsOf([["a", "b"]]));
  for (const name of ["precision.a", "recall.a", "f1.a", "precision.b", "recall.b", "f1.b", "macro_f1", "weighted_f1", "accuracy"]) {
    assert.equal(found?.metrics.get(name), 0, name);
  }
});

test("labels are sorted as Python sorts texts, by code point", () => {
  const labels = ["\u{1f600}", "\uffee", "z", "Z", "ä", ""];
  const found = labelMetrics(pairsOf(labels.map((label) => [label, label])));
  assert.deepEqual(found?.details.labels, ["", "Z", "z", "ä", "\uffee", "\u{1f600}"]);
});

test("labels that are names of an object's own things are labels", () => {
  const found = labelMetrics(
    pairsOf([
      ["__proto__", "constructor"],
      ["toString", "toString"],
    ]),
  );
  assert.equal(found?.metrics.get("recall.__proto__"), 0);
  assert.equal(found?.metrics.get("f1.toString"), 1);
  assert.equal(Object.fromEntries(found?.metrics ?? [])["f1.toString"], 1);
});

const score = fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }));
const scores = fc.array(score, { minLength: 1, maxLength: 50 });
const label = fc.constantFrom("a", "b", "c", "(none)", "(error)");
const pairList = fc.array(fc.tuple(label, label), { minLength: 1, maxLength: 60 });

test("mean and median lie between min and max, and std is at most half their distance", () => {
  fc.assert(
    fc.property(scores, (list) => {
      const { count, mean, median, std, min, max } = Object.fromEntries(scoreMetrics(list) ?? []);
      assert.ok(mean !== undefined && median !== undefined && std !== undefined && min !== undefined && max !== undefined);
      assert.equal(count, list.length);
      for (const value of [mean, median]) assert.ok(min <= value && value <= max, JSON.stringify({ min, value, max }));
      assert.ok(std >= 0 && std <= (max - min) / 2 + 1e-12);
    }),
  );
});

test("every rate of a classification lies in 0 … 1, and f1 between precision and recall", () => {
  fc.assert(
    fc.property(pairList, (list) => {
      const found = labelMetrics(pairsOf(list));
      assert.ok(found !== undefined);
      for (const [name, value] of found.metrics) assert.ok(value >= 0 && value <= 1, `${name} ${value}`);
      for (const { precision, recall, f1 } of found.details.per_label) {
        assert.ok(f1 >= Math.min(precision, recall) - 1e-12 && f1 <= Math.max(precision, recall) + 1e-12);
      }
      const f1s = found.details.per_label.map(({ f1 }) => f1);
      const macro = found.metrics.get("macro_f1") ?? Number.NaN;
      assert.ok(macro >= Math.min(...f1s) - 1e-12 && macro <= Math.max(...f1s) + 1e-12);
    }),
  );
});

test("confusion and support add up to the rows, and accuracy is the share on the diagonal", () => {
  fc.assert(
    fc.property(pairList, (list) => {
      const found = labelMetrics(pairsOf(list));
      assert.ok(found !== undefined);
      const { confusion, per_label, total_pairs } = found.details;
      const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
      assert.equal(total_pairs, list.length);
      assert.equal(sum(confusion.map(({ count }) => count)), list.length);
      assert.equal(sum(per_label.map(({ support }) => support)), list.length);
      const right = sum(confusion.filter(({ expected, observed }) => expected === observed).map(({ count }) => count));
      assert.equal(found.metrics.get("accuracy"), right / list.length);
      assert.equal(found.metrics.get("micro_f1"), right / list.length);
      for (const { label: name, support } of per_label) {
        assert.equal(sum(confusion.filter(({ expected }) => expected === name).map(({ count }) => count)), support);
      }
    }),
  );
});

test("the order of the rows changes nothing, not even the last bit", () => {
  fc.assert(
    fc.property(
      scores.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      pairList.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([list, shuffled], [pairs, shuffledPairs]) => {
        assert.deepEqual([...(scoreMetrics(list) ?? [])], [...(scoreMetrics(shuffled) ?? [])]);
        assert.deepEqual(labelMetrics(pairsOf(pairs))?.details, labelMetrics(pairsOf(shuffledPairs))?.details);
        assert.deepEqual([...(labelMetrics(pairsOf(pairs))?.metrics ?? [])], [...(labelMetrics(pairsOf(shuffledPairs))?.metrics ?? [])]);
      },
    ),
  );
});
