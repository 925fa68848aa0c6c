import assert from "node:assert/strict";
import { InputError } from "../../../../src/errors.ts";
import type { FlagNames } from "../../../../src/plan/overrides/flag-names.ts";
import type { OverrideFlags } from "../../../../src/plan/overrides/overrides.ts";
import { parseOverrides } from "../../../../src/plan/overrides/parse-overrides.ts";

/** Arguments as overrides; undefined where one of them is none. */
export function flagsOf(args: readonly string[]): OverrideFlags | undefined {
  let flags: OverrideFlags = { set: [] };
  for (let index = 0; index < args.length; index += 2) {
    const [name, value = ""] = args.slice(index, index + 2);
    if (name === "-D") flags = { ...flags, set: [...flags.set, value] };
    else if (name === "--model") flags = { ...flags, model: value };
    else if (name === "--type") flags = { ...flags, type: value };
    else if (name === "--driver" && value === "docker") flags = { ...flags, driver: value };
    else return undefined;
  }
  return flags;
}

/** The problems of overrides, in words; none where they are fine. */
export function problemsOf(flags: OverrideFlags, names?: FlagNames): string[] {
  try {
    parseOverrides(flags, names);
  } catch (error) {
    assert.ok(error instanceof InputError);
    assert.equal(error.code, "usage");
    return error.issues.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`));
  }
  return [];
}

export const problemsOfSet = (...set: string[]): string[] => problemsOf({ set });
