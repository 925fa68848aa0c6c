import { type CodeSet, complement, contains, fullSet, parseNumbers, setFromRanges, setFromRuns, union } from "./code-set.ts";
import { once } from "./once.ts";
import { digitRuns, equalLetters, lowerRuns, spaceRuns, upperRuns, wordRuns } from "./unicode-tables.ts";

/** `\d`, `\s`, `\w` and their opposites. */
export type Category = "d" | "D" | "s" | "S" | "w" | "W";

/** How letters compare: exactly, or without case among ASCII letters or all letters. */
export type Casing = "exact" | "ascii" | "unicode";

export type SetItem =
  | { readonly kind: "range"; readonly first: number; readonly last: number /** Written as one character. */; readonly single: boolean }
  | { readonly kind: "category"; readonly category: Category };

type Range = Extract<SetItem, { kind: "range" }>;

interface CaseTables {
  /** Lower case of every code point that has another one. */
  readonly lower: ReadonlyMap<number, number>;
  /** The code points whose lower case this is, itself left out. */
  readonly upper: ReadonlyMap<number, readonly number[]>;
  /** Lower-case letters that share their upper case with this one. */
  readonly equal: ReadonlyMap<number, readonly number[]>;
  readonly changed: CodeSet;
}

const asciiSets = once(() => ({
  d: setFromRanges([[48, 57]]),
  s: setFromRanges([
    [9, 13],
    [32, 32],
  ]),
  w: setFromRanges([
    [48, 57],
    [65, 90],
    [95, 95],
    [97, 122],
  ]),
}));

const unicodeSets = once(() => ({ d: setFromRuns(digitRuns), s: setFromRuns(spaceRuns), w: setFromRuns(wordRuns) }));

function tablesFrom(lower: Map<number, number>, equal: Map<number, number[]>): CaseTables {
  const upper = new Map<number, number[]>();
  for (const [code, low] of lower) upper.set(low, [...(upper.get(low) ?? []), code]);
  return { lower, upper, equal, changed: setFromRanges([...lower.keys()].map((code) => [code, code])) };
}

const asciiCase = once(() => tablesFrom(new Map(Array.from({ length: 26 }, (_, i) => [65 + i, 97 + i])), new Map()));

const upperCase = once(() => casePairs(upperRuns));

const unicodeCase = once(() => {
  const equal = new Map<number, number[]>();
  const numbers = parseNumbers(equalLetters);
  for (let i = 0; i < numbers.length; ) {
    const [code = 0, count = 0] = numbers.slice(i, i + 2);
    equal.set(code, numbers.slice(i + 2, i + 2 + count));
    i += 2 + count;
  }
  return tablesFrom(casePairs(lowerRuns), equal);
});

function casePairs(table: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const runs = parseNumbers(table);
  let start = 0;
  for (let i = 0; i < runs.length; i += 4) {
    const [distance = 0, count = 0, step = 0, shift = 0] = runs.slice(i, i + 4);
    start += distance;
    for (let n = 0; n < count; n += 1) pairs.set(start + n * step, start + n * step + shift);
  }
  return pairs;
}

const caseTables = (casing: "ascii" | "unicode"): CaseTables => (casing === "ascii" ? asciiCase() : unicodeCase());

/** Code points of a category, by Python's Unicode tables or among ASCII only. */
export function categorySet(category: Category, ascii: boolean): CodeSet {
  const sets = ascii ? asciiSets() : unicodeSets();
  switch (category) {
    case "d":
    case "s":
    case "w":
      return sets[category];
    case "D":
      return complement(sets.d);
    case "S":
      return complement(sets.s);
    case "W":
      return complement(sets.w);
  }
}

/** Pairs `code, lower case, …` for a comparison of whole texts without case. */
export function lowerPairs(casing: "ascii" | "unicode"): number[] {
  return [...caseTables(casing).lower].flat();
}

/** Everything that one literal character matches. */
export function literalSet(code: number, casing: Casing): CodeSet {
  if (casing === "exact") return [code, code + 1];
  const tables = caseTables(casing);
  const low = tables.lower.get(code) ?? code;
  const lows = [low, ...(tables.equal.get(low) ?? [])];
  const codes = lows.flatMap((one) => [...(tables.lower.has(one) ? [] : [one]), ...(tables.upper.get(one) ?? [])]);
  return setFromRanges(codes.map((one) => [one, one]));
}

/** Everything that a character set `[…]` matches. */
export function itemsSet(items: readonly SetItem[], negated: boolean, casing: Casing, ascii: boolean): CodeSet {
  const categories = items.flatMap((item) => (item.kind === "category" ? [categorySet(item.category, ascii)] : []));
  const ranges = items.flatMap((item) => (item.kind === "range" ? [item] : []));
  if (casing === "exact") return flip(union([setFromRanges(ranges.map((item) => [item.first, item.last])), ...categories]), negated);
  const tables = caseTables(casing);
  return whoseLowerIsIn(flip(union([...ranges.map((range) => foldRange(range, tables)), ...categories]), negated), tables);
}

const flip = (set: CodeSet, negated: boolean): CodeSet => (negated ? complement(set) : set);

/**
 * Python folds a set's characters up to U+FFFF. Beyond, it compares a single character as written (so an upper-case one
 * in a set matches nothing), and a range with the lower and the upper case of the text, even in ASCII mode.
 */
function foldRange({ first, last, single }: Range, tables: CaseTables): CodeSet {
  if (last <= 0xffff) return withLowerCase(first, last, tables);
  if (single) return [first, first + 1];
  const uppers = [...upperCase()].flatMap(([code, upper]): [number, number][] => (upper >= first && upper <= last ? [[code, code]] : []));
  return union([withLowerCase(first, Math.min(last, 0xffff), tables), setFromRanges([...uppers, [first, last]])]);
}

function withLowerCase(first: number, last: number, tables: CaseTables): CodeSet {
  if (first > last) return [];
  const inside = (code: number) => code >= first && code <= last;
  const out: [number, number][] = [[first, last]];
  for (const [code, low] of tables.lower) if (inside(code)) out.push([low, low]);
  for (const [low, others] of tables.equal) {
    if (inside(low) || tables.upper.get(low)?.some(inside)) for (const other of others) out.push([other, other]);
  }
  return setFromRanges(out);
}

/** The characters whose lower case lies in the set: what a search without case compares. */
function whoseLowerIsIn(set: CodeSet, tables: CaseTables): CodeSet {
  const stay: [number, number][] = [];
  for (const [code, low] of tables.lower) if (contains(set, low)) stay.push([code, code]);
  const unchanged = complement(union([complement(set), tables.changed]));
  return union([unchanged, setFromRanges(stay)]);
}

/** Every character, or every one but the line feed. */
export function anySet(dotAll: boolean): CodeSet {
  return dotAll ? fullSet : complement([10, 11]);
}
