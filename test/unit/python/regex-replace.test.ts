import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { PythonError, RegexTimeoutError } from "../../../src/python/python-error.ts";
import { compilePythonRegex } from "../../../src/python/regex.ts";
import { replacePythonRegex } from "../../../src/python/regex-replace.ts";
import { parsePythonReplacement } from "../../../src/python/regex-template.ts";
import { askPython, pythonVersion } from "./oracle.ts";
import { Dice, PatternMaker } from "./random-patterns.ts";

/** More with `EVALBATCH_FUZZ_CASES=300000`, others with `EVALBATCH_FUZZ_SEED`, another Python with `EVALBATCH_PYTHON`. */
const cases = Number(process.env.EVALBATCH_FUZZ_CASES ?? 2000);
const seed = Number(process.env.EVALBATCH_FUZZ_SEED ?? 1);

const fixture = join(import.meta.dirname, "../../fixtures/python/regex-sub.json");
const { rows } = z.object({ rows: z.array(z.array(z.string())) }).parse(JSON.parse(readFileSync(fixture, "utf8")));

function sub(pattern: string, replacement: string, subject: string): readonly string[] {
  try {
    const regex = compilePythonRegex(pattern, 0);
    return [replacePythonRegex(regex, parsePythonReplacement(replacement, regex), subject)];
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    return [error.pythonType, error.message];
  }
}

test("replaces as re.sub of Python 3.13 does: empty matches, groups, escapes, and its errors", () => {
  assert.ok(rows.length > 500);
  for (const [pattern = "", replacement = "", subject = "", ...expected] of rows) {
    assert.deepEqual(sub(pattern, replacement, subject), expected, JSON.stringify([pattern, replacement, subject]));
  }
});

const replacementPieces: readonly [string, ...string[]] = [
  "-",
  "\\1",
  "\\g<0>",
  "\\2",
  "\\g<n1>",
  "\\t",
  "é",
  "😀",
  "\\\\",
  "\\0",
  "\\12",
  "\\g<1",
];

test("random replacements give what the Python of this machine gives", (context) => {
  const version = pythonVersion();
  // Others read templates, or groups that took no part, otherwise.
  if (version !== "3.13") return context.skip(version === undefined ? "no python3 here" : `Python ${version} is not 3.13`);
  const dice = new Dice(seed);
  const maker = new PatternMaker(dice);
  const all = Array.from({ length: cases }, () => {
    const { pattern } = maker.make();
    const replacement = Array.from({ length: 1 + dice.roll(3) }, () => dice.pick(replacementPieces)).join("");
    return { pattern, replacement, subject: maker.subject() + maker.subject() };
  }).filter(({ pattern }) => !/\)(?:[*+?]|\{\d*,?\d*\})\+/.test(pattern));
  const theirs = askPython(all.map(({ pattern, replacement, subject }) => ["sub", pattern, replacement, subject]));
  for (const [index, { pattern, replacement, subject }] of all.entries()) {
    const their = theirs[index];
    if (their === undefined || "slow" in their) continue;
    const expected = "value" in their ? [their.value] : their.error;
    assert.deepEqual(sub(pattern, replacement, subject), expected, JSON.stringify([pattern, replacement, subject]));
  }
});

test("text put in for a literal piece is never read as a reference", () => {
  const regex = compilePythonRegex("(a)", 0);
  const parts = parsePythonReplacement("<x>\\1", regex).map((part) => (part === "<x>" ? "\\1 \\g<0> $& \\n" : part));
  assert.equal(replacePythonRegex(regex, parts, "bab"), "b\\1 \\g<0> $& \\nab");
});

test("characters outside of the first plane are whole, and lone surrogates survive", () => {
  const regex = compilePythonRegex("b", 0);
  assert.equal(replacePythonRegex(regex, ["😀"], "\ud800b\udc00 😀b"), "\ud800😀\udc00 😀😀");
});

test("a match that needs too much memory is an error of its own", () => {
  const regex = compilePythonRegex("(?:a|b|ab)*c", 0);
  assert.throws(() => replacePythonRegex(regex, [""], "ab".repeat(3_000_000)), RegexTimeoutError);
});
