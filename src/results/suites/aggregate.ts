import { compareCodePoints } from "../../plan/code-points.ts";
import type { LabelDetails } from "./suite-rollup-schema.ts";

// The metrics of a criterion over the rows of a suite (formats.md 2.4). Pure.

/** Numbers by name, in the order in which files have them. */
export type Metrics = ReadonlyMap<string, number>;

/** How many rows with this expected label were seen as that one. */
export type LabelPairs = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** `count`, `mean`, `median`, `std` (of the population), `min`, `max`; undefined without a score. The order of the scores does not matter. */
export function scoreMetrics(scores: Iterable<number>): Metrics | undefined {
  // Sorted, so that the sums too are the same for every order of the rows.
  const sorted = Float64Array.from(scores).sort();
  const count = sorted.length;
  if (count === 0) return undefined;
  const mean = sorted.reduce((sum, score) => sum + score, 0) / count;
  const squares = sorted.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  const [low, high] = [at(sorted, (count - 1) >> 1), at(sorted, count >> 1)];
  return new Map([
    ["count", count],
    // Rounding must not lift a mean above the best score.
    ["mean", Math.min(Math.max(mean, at(sorted, 0)), at(sorted, count - 1))],
    ["median", (low + high) / 2],
    ["std", Math.sqrt(squares / count)],
    ["min", at(sorted, 0)],
    ["max", at(sorted, count - 1)],
  ]);
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}

/** Metrics and details of a classification; undefined without a pair. A label counts that was expected or seen. */
export function labelMetrics(pairs: LabelPairs): { readonly metrics: Metrics; readonly details: LabelDetails } | undefined {
  const { labels, confusion, support, seen, right, total } = countPairs(pairs);
  if (total === 0) return undefined;
  const perLabel = labels.map((label) => {
    const hits = right.get(label) ?? 0;
    const precision = ratio(hits, seen.get(label) ?? 0);
    const recall = ratio(hits, support.get(label) ?? 0);
    return { label, precision, recall, f1: ratio(2 * precision * recall, precision + recall), support: support.get(label) ?? 0 };
  });
  const metrics = new Map<string, number>();
  for (const { label, precision, recall, f1 } of perLabel) {
    metrics.set(`precision.${label}`, precision).set(`recall.${label}`, recall).set(`f1.${label}`, f1);
  }
  const accuracy = sumOf(right.values()) / total;
  metrics.set("accuracy", accuracy);
  metrics.set("macro_f1", ratio(sumOf(perLabel.map(({ f1 }) => f1)), labels.length));
  metrics.set("weighted_f1", ratio(sumOf(perLabel.map(({ f1, support: rows }) => f1 * rows)), total));
  // With one label expected and one seen per row, every miss is one false positive and one false negative.
  metrics.set("micro_f1", accuracy);
  return { metrics, details: { labels, per_label: perLabel, confusion, total_pairs: total } };
}

function countPairs(pairs: LabelPairs) {
  const support = new Map<string, number>();
  const seen = new Map<string, number>();
  const right = new Map<string, number>();
  const confusion: LabelDetails["confusion"] = [];
  let total = 0;
  for (const [expected, row] of pairs) {
    for (const [observed, count] of row) {
      if (count === 0) continue;
      total += count;
      support.set(expected, (support.get(expected) ?? 0) + count);
      seen.set(observed, (seen.get(observed) ?? 0) + count);
      if (expected === observed) right.set(expected, count);
      confusion.push({ expected, observed, count });
    }
  }
  const labels = [...new Set([...support.keys(), ...seen.keys()])].sort(compareCodePoints);
  confusion.sort((a, b) => compareCodePoints(a.expected, b.expected) || compareCodePoints(a.observed, b.observed));
  return { labels, confusion, support, seen, right, total };
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
