import assert from "node:assert/strict";
import test from "node:test";
import { parsePythonFloat } from "../../../src/python/float.ts";
import { formatFixed, formatPythonFloat } from "../../../src/python/format.ts";
import { once } from "../../../src/python/once.ts";
import { PythonError } from "../../../src/python/python-error.ts";
import { pythonJsonDumps, pythonRepr } from "../../../src/python/repr.ts";
import { decodePythonText, splitLines, stripText } from "../../../src/python/text.ts";
import { type Answer, askPython, pythonVersion } from "./oracle.ts";
import { Dice } from "./random-patterns.ts";

const cases = 2000;
const dice = new Dice(7);
const many = <T>(make: () => T): T[] => Array.from({ length: cases }, make);

function textOf(alphabet: readonly [string, ...string[]]): string {
  return Array.from({ length: dice.roll(8) }, () => dice.pick(alphabet)).join("");
}

function randomFloat(): number {
  if (dice.chance(50)) return (dice.roll(2_000_001) - 1_000_000) / dice.pick([1, 8, 16, 100, 1000, 1024]);
  const view = new DataView(new ArrayBuffer(8));
  for (let i = 0; i < 8; i += 1) view.setUint8(i, dice.roll(256));
  return view.getFloat64(0);
}

/** As Python's `float.hex`, which reads back exactly. */
function hexOf(value: number): string {
  if (!Number.isFinite(value)) return String(value).toLowerCase().replace("infinity", "inf");
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = (bits & ((1n << 52n) - 1n)).toString(16).padStart(13, "0");
  return `${bits >> 63n ? "-" : ""}0x${exponent === 0 ? 0 : 1}.${fraction}p${exponent === 0 ? -1022 : exponent - 1023}`;
}

function answerOf(ours: () => unknown): Answer {
  try {
    return { value: ours() };
  } catch (error) {
    if (error instanceof PythonError) return { error: [error.pythonType, error.message] };
    throw error;
  }
}

interface Question {
  readonly ask: readonly unknown[];
  readonly ours: () => unknown;
}

const asked: Question[] = [];
/** One process answers for all tests: starting Python is slow. */
const answers = once(() => (pythonVersion() === undefined ? undefined : askPython(asked.map((question) => question.ask))));

function agree(name: string, questions: readonly Question[]): void {
  const first = asked.length;
  asked.push(...questions);
  test(`${name} as in the Python of this machine`, (context) => {
    const all = answers();
    if (all === undefined) {
      context.skip("no python3 here");
      return;
    }
    for (const [index, question] of questions.entries()) {
      assert.deepEqual(answerOf(question.ours), all[first + index], JSON.stringify(question.ask));
    }
  });
}

const bytes = [
  0x61, 0x0d, 0x0a, 0x80, 0xa0, 0xbf, 0xc0, 0xc2, 0xc3, 0xe0, 0xe2, 0xed, 0xef, 0xbb, 0xf0, 0x90, 0x9f, 0xf4, 0x8f, 0xf5, 0xff,
] as const;
const wellFormed = ["61", "c3a9", "e282ac", "f09f9880", "0d0a", "0d", "efbbbf", "00"] as const;
agree(
  "bytes are decoded",
  many(() => {
    const good = Array.from({ length: dice.roll(5) }, () => dice.pick(wellFormed)).join("");
    const bad = dice.chance(70) ? Buffer.from(Array.from({ length: 1 + dice.roll(4) }, () => dice.pick(bytes))).toString("hex") : "";
    const hexadecimal = good + bad;
    return { ask: ["decode", hexadecimal], ours: () => decodePythonText(Buffer.from(hexadecimal, "hex")) };
  }),
);

agree(
  "floats are rounded",
  many(() => {
    const value = randomFloat();
    const digits = dice.roll(5);
    return { ask: ["fixed", hexOf(value), digits], ours: () => formatFixed(value, digits) };
  }),
);

agree(
  "floats are printed",
  many(() => {
    const value = randomFloat();
    return { ask: ["repr float", hexOf(value)], ours: () => formatPythonFloat(value) };
  }),
);

const floatParts = ["1", "0", "_", ".", "e", "E", "+", "-", " ", "\u2003", "٣", "𝟗", "inf", "nan", "x", "\n", "9007199254740993"] as const;
agree(
  "texts are read as floats",
  many(() => {
    const text = textOf(floatParts);
    const ours = () => {
      const value = parsePythonFloat(text);
      if (value === undefined) return "refused";
      return Number.isNaN(value) ? "nan" : value;
    };
    return { ask: ["float", text], ours };
  }),
);

const printed = [
  "a",
  "'",
  '"',
  "\\",
  "\n",
  "\r",
  "\t",
  "\0",
  "\x7f",
  "\x80",
  "\u00a0",
  "\u00ad",
  "é",
  "\u0301",
  "\u200b",
  "\u2028",
  "\ufeff",
  "😀",
  "\ud800",
  "\u{10ffff}",
  "中",
] as const;
agree(
  "texts are printed",
  many(() => {
    const text = textOf(printed);
    return { ask: ["repr", text], ours: () => pythonRepr(text) };
  }),
);
agree(
  "JSON is written",
  many(() => {
    const value = { [textOf(printed)]: [textOf(printed), dice.roll(1000), dice.roll(1000) / 8 + 0.0625, dice.chance(50), null] };
    return { ask: ["dumps", value], ours: () => pythonJsonDumps(value) };
  }),
);

const spaces = [
  " ",
  "\t",
  "\n",
  "\r",
  "\v",
  "\f",
  "\x1c",
  "\x1f",
  "\x85",
  "\u00a0",
  "\u180e",
  "\u200b",
  "\u2028",
  "\u3000",
  "\ufeff",
  "a",
  "b",
] as const;
agree(
  "texts are stripped",
  many(() => {
    const text = textOf(spaces);
    return { ask: ["strip", text], ours: () => stripText(text) };
  }),
);
agree(
  "lines are split",
  many(() => {
    const text = textOf(spaces);
    return { ask: ["lines", text], ours: () => splitLines(text) };
  }),
);
