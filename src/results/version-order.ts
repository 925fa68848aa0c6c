import { compareCodePoints } from "../plan/code-points.ts";

const versionText = /^v?\d+\.\d+\.\d+\S*$/;

/** Whether a text looks like a version (formats.md 5.7). */
export function isVersion(text: unknown): text is string {
  return typeof text === "string" && versionText.test(text);
}

/**
 * Orders texts by the version that stands in them, number by number, so that 1.9.0 comes before 1.10.0 and `Python 3.9.2` before
 * `Python 3.12.1`; a pre-release before its release. Texts without a number come first. 0 for equal texts only.
 */
export function compareVersions(left: string, right: string): number {
  if (left === right) return 0;
  const [a, b] = [splitVersion(left), splitVersion(right)];
  return (
    compareNumbers(a.numbers, b.numbers) ||
    stageOf(a.rest) - stageOf(b.rest) ||
    compareNaturally(a.rest, b.rest) ||
    compareCodePoints(left, right)
  );
}

interface SplitVersion {
  /** Decimal digits without leading zeros; no zeros at the end, so that 1.0 is 1.0.0. */
  readonly numbers: readonly string[];
  readonly rest: string;
}

/** The version of a text is its first number with dots, else its first number. */
function splitVersion(text: string): SplitVersion {
  const found = /\d+(?:\.\d+)+/.exec(text) ?? /\d+/.exec(text);
  if (found === null) return { numbers: [], rest: text };
  const numbers = found[0].split(".").map(withoutZeros);
  while (numbers.at(-1) === "") numbers.pop();
  // Before any text without a number there would be `0`, if it had none.
  return { numbers: numbers.length === 0 ? [""] : numbers, rest: text.slice(found.index + found[0].length) };
}

const withoutZeros = (digits: string): string => digits.replace(/^0+/, "");

function compareNumbers(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return left.length - right.length;
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const difference = compareDigits(left[i] ?? "", right[i] ?? "");
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Numbers of any length: those of a hostile text are as long as it likes. */
function compareDigits(left: string, right: string): number {
  return left.length - right.length || compareCodePoints(left, right);
}

/** 0: what follows the numbers makes it a pre-release (`-rc.1`, `b2`, `.dev3`); 1: nothing follows; 2: something else (` (Debian)`, `.post1`). */
function stageOf(rest: string): 0 | 1 | 2 {
  if (rest === "") return 1;
  return /^(?:[-~]|[._]?[a-z])/i.test(rest) && !/^[-._]?(?:post|p\d)/i.test(rest) ? 0 : 2;
}

/** `rc.9` before `rc.10`. */
function compareNaturally(left: string, right: string): number {
  const [a, b] = [left.match(/\d+|\D+/g) ?? [], right.match(/\d+|\D+/g) ?? []];
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const [x, y] = [a[i] ?? "", b[i] ?? ""];
    const isNumber = /^\d/.test(x) && /^\d/.test(y);
    const difference = isNumber ? compareDigits(withoutZeros(x), withoutZeros(y)) : compareCodePoints(x, y);
    if (difference !== 0) return difference;
  }
  return 0;
}
