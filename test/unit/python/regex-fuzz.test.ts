import assert from "node:assert/strict";
import test from "node:test";
import { compilePythonRegex, PythonRegexError, RegexTimeoutError, searchPythonRegex } from "../../../src/python/regex.ts";
import { type Answer, askPython, pythonVersion } from "./oracle.ts";
import { Dice, PatternMaker } from "./random-patterns.ts";

/** More with `EVALBATCH_FUZZ_CASES=300000`, others with `EVALBATCH_FUZZ_SEED`. */
const cases = Number(process.env.EVALBATCH_FUZZ_CASES ?? 3000);
const seed = Number(process.env.EVALBATCH_FUZZ_SEED ?? 1);

interface Case {
  readonly pattern: string;
  readonly flags: number;
  readonly subject: string;
}

async function ourAnswer({ pattern, flags, subject }: Case): Promise<Answer> {
  try {
    const regex = compilePythonRegex(pattern, flags);
    const match = await searchPythonRegex(regex, subject);
    const found = match && [
      [match.index.start, match.index.end],
      match.groups.map((text) => text ?? null),
      Object.fromEntries(Object.entries(match.namedGroups).map(([name, text]) => [name, text ?? null])),
    ];
    return { value: { warnings: regex.warnings, groups: regex.groups, flags: regex.flags, match: found ?? null } };
  } catch (error) {
    if (error instanceof RegexTimeoutError) return { slow: true };
    if (!(error instanceof PythonRegexError)) throw error;
    return { error: [error.pythonType, error.message] };
  }
}

test("random patterns mean what they mean to the Python of this machine", async (context) => {
  const version = pythonVersion();
  if (version === undefined) {
    context.skip("no python3 here");
    return;
  }
  const dice = new Dice(seed);
  const maker = new PatternMaker(dice);
  const all: Case[] = Array.from({ length: cases }, () => ({ ...maker.make(), subject: maker.subject() }));
  const theirs = askPython(all.map(({ pattern, flags, subject }) => ["search", pattern, flags, subject]));
  let matches = 0;
  for (const [index, one] of all.entries()) {
    const their = theirs[index];
    const ours = await ourAnswer(one);
    if (their === undefined || "slow" in their || "slow" in ours) continue;
    if ("value" in ours && JSON.stringify(ours).includes('"match":[')) matches += 1;
    assert.deepEqual(ours, their, JSON.stringify(one));
  }
  assert.ok(matches > cases / 5, "the cases say something");
});
