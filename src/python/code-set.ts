/**
 * A set of code points: sorted, disjoint, non-touching half-open ranges `[from, to, from, to, …]`.
 * Sets are values: no function changes its argument.
 */
export type CodeSet = readonly number[];

/** One more than the last code point. */
export const codeLimit = 0x110000;

export const emptySet: CodeSet = [];
export const fullSet: CodeSet = [0, codeLimit];

/** Reads the base 36 numbers of `unicode-tables.ts`. */
export function parseNumbers(text: string): number[] {
  return text.split(" ").map((word) => Number.parseInt(word, 36));
}

/** A set from a table of runs: the gap before and the length of each. */
export function setFromRuns(text: string): CodeSet {
  const out: number[] = [];
  let at = 0;
  for (const number of parseNumbers(text)) {
    at += number;
    out.push(at);
  }
  return out;
}

/** A set from inclusive ranges in any order, which may overlap. */
export function setFromRanges(ranges: readonly (readonly [first: number, last: number])[]): CodeSet {
  const out: number[] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const end = out.at(-1);
    if (end !== undefined && first <= end) out[out.length - 1] = Math.max(end, last + 1);
    else out.push(first, last + 1);
  }
  return out;
}

/** The inclusive ranges of a set. */
function rangesOf(set: CodeSet): [first: number, last: number][] {
  const out: [number, number][] = [];
  for (let i = 0; i + 1 < set.length; i += 2) out.push([set[i] ?? 0, (set[i + 1] ?? 0) - 1]);
  return out;
}

export function union(sets: readonly CodeSet[]): CodeSet {
  const [only, ...rest] = sets;
  return only !== undefined && rest.length === 0 ? only : setFromRanges(sets.flatMap(rangesOf));
}

export function complement(set: CodeSet): CodeSet {
  const out = set[0] === 0 ? set.slice(1) : [0, ...set];
  return out.at(-1) === codeLimit ? out.slice(0, -1) : [...out, codeLimit];
}

export function contains(set: CodeSet, code: number): boolean {
  return edgesUpTo(set, code) % 2 === 1;
}

/** The first code point of the range that holds `code`, or undefined. */
export function rangeStart(set: CodeSet, code: number): number | undefined {
  const edges = edgesUpTo(set, code);
  return edges % 2 === 1 ? set[edges - 1] : undefined;
}

/** How many edges lie at or before `code`: odd means inside. */
function edgesUpTo(set: CodeSet, code: number): number {
  let low = 0;
  let high = set.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((set[middle] ?? 0) <= code) low = middle + 1;
    else high = middle;
  }
  return low;
}
