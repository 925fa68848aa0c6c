/** What a sample tells of the whole it was drawn from. Pure; nothing here is random from run to run. */

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The quantile of the normal distribution for 95 % on both sides. */
const z95 = 1.959963984540054;

/**
 * Wilson's interval of 95 % for a share of which `passed` of `of` were seen: within 0 … 1, and of use for few samples and for
 * shares of 0 and 1 too. Undefined without samples.
 */
export function wilsonInterval(passed: number, of: number): Interval | undefined {
  return of === 0 ? undefined : wilson(passed / of, of);
}

/** @param size of the sample; need not be whole */
function wilson(share: number, size: number): Interval {
  const square = z95 * z95;
  const middle = (share + square / (2 * size)) / (1 + square / size);
  const half = (z95 / (1 + square / size)) * Math.sqrt((share * (1 - share)) / size + square / (4 * size * size));
  // Rounding must not leave the ends beside what was seen.
  return { low: share === 0 ? 0 : Math.max(0, middle - half), high: share === 1 ? 1 : Math.min(1, middle + half) };
}

/** How an interval of a share was made. */
export const shareMethods = ["wilson", "wilson, clustered by task"] as const;

export interface ShareInterval extends Interval {
  readonly passed: number;
  readonly of: number;
  readonly method: (typeof shareMethods)[number];
}

/**
 * The interval of 95 % of a share whose samples come in clusters that tend to be alike, as the replicates of a task do: ten tasks of ten replicates
 * tell less than a hundred tasks. It is Wilson's with the size that a sample of independent ones would have for the same variance: share × (1 − share)
 * by the variance between clusters. That size is at most the number of samples, and at least what it is where all of a cluster are alike
 * (samples² by the sum of the clusters' sizes squared: the number of clusters, where they are even). Where everything passed or nothing did, the variance tells
 * nothing, and the least is taken. With one sample in each cluster it is Wilson's interval. Undefined without samples.
 */
export function clusteredShareInterval(clusters: readonly { readonly passed: number; readonly of: number }[]): ShareInterval | undefined {
  const known = clusters.filter(({ of }) => of > 0);
  const passed = known.reduce((sum, cluster) => sum + cluster.passed, 0);
  const of = known.reduce((sum, cluster) => sum + cluster.of, 0);
  if (of === 0) return undefined;
  if (known.length === of) return { passed, of, method: "wilson", ...wilson(passed / of, of) };
  const share = passed / of;
  const least = (of * of) / known.reduce((sum, cluster) => sum + cluster.of * cluster.of, 0);
  const squares = known.reduce((sum, cluster) => sum + (cluster.passed - share * cluster.of) ** 2, 0);
  const variance = known.length < 2 ? 0 : ((known.length / (known.length - 1)) * squares) / (of * of);
  // Clusters that are all alike have no variance: as many samples as were taken. One cluster alone tells of itself only.
  const wanted = share === 0 || share === 1 || known.length < 2 ? least : variance === 0 ? of : (share * (1 - share)) / variance;
  return { passed, of, method: "wilson, clustered by task", ...wilson(share, Math.min(of, Math.max(least, wanted))) };
}

const mostResamples = 2000;
const fewestResamples = 200;
/** Draws in all: a run of 100,000 tasks must not wait for its report. */
const maxDraws = 4_000_000;
const seed = 0x2f6e2b1;

/**
 * Percentile bootstrap interval of 95 % of a mean. The same for the same values in whatever order. Undefined for fewer than two
 * values, of which nothing can be told.
 */
export function bootstrapMeanInterval(values: readonly number[]): Interval | undefined {
  const count = values.length;
  if (count < 2) return undefined;
  const sorted = Float64Array.from(values).sort();
  const resamples = Math.max(fewestResamples, Math.min(mostResamples, Math.floor(maxDraws / count)));
  const random = seededRandom(seed);
  const means = new Float64Array(resamples);
  for (let i = 0; i < resamples; i += 1) {
    let sum = 0;
    for (let draw = 0; draw < count; draw += 1) sum += sorted[Math.floor(random() * count)] ?? 0;
    means[i] = sum / count;
  }
  means.sort();
  const cut = Math.floor(resamples * 0.025);
  return { low: means[cut] ?? 0, high: means[resamples - 1 - cut] ?? 0 };
}

/** Numbers of 0 … 1 (1 excluded) that are the same for a seed everywhere (mulberry32). */
function seededRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Standard deviation of a sample (n − 1); undefined for fewer than two values. */
export function sampleDeviation(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  const middle = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

/** To the nearest whole number; exact halves to the even one, as Python rounds. */
export function roundHalfEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  if (rest !== 0.5) return Math.round(value);
  return down % 2 === 0 ? down : down + 1;
}
