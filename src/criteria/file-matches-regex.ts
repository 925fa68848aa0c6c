import { z } from "zod";
import { compilePythonRegex, type PythonRegex, PythonRegexError, searchPythonRegex } from "../python/regex.ts";
import { laxBool, laxInt } from "../schema/lax.ts";
import { type CheckOutcome, type CriterionChecker, criterionBase, failedCheck } from "./criterion.ts";
import { readText } from "./sandbox-path.ts";

export const fileMatchesRegexSchema = criterionBase.extend({
  type: z.literal("file_matches_regex"),
  path: z.string(),
  pattern: z.string(),
  must_match: laxBool().default(true),
  flags: laxInt().default(0),
});

const maxMatchChars = 100;

function compile(pattern: string, flags: number): PythonRegex | CheckOutcome {
  try {
    return compilePythonRegex(pattern, flags);
  } catch (error) {
    if (!(error instanceof PythonRegexError) || error.pythonType !== "re.error") throw error;
    return failedCheck(`Invalid regex pattern: ${error.message}`);
  }
}

export const fileMatchesRegex: CriterionChecker<typeof fileMatchesRegexSchema> = {
  type: "file_matches_regex",
  schema: fileMatchesRegexSchema,
  check: async ({ path, pattern, must_match, flags }, context) => {
    const read = await readText(path, context);
    if (read.kind === "none") return failedCheck(read.error);
    const regex = compile(pattern, flags);
    if ("score" in regex) return regex;
    const match = await searchPythonRegex(regex, read.text, { signal: context.signal });
    const shown = match === undefined ? "" : `(matched: '${[...match.text].slice(0, maxMatchChars).join("")}')`;
    if (must_match) {
      const details = match === undefined ? `Pattern '${pattern}' not found in file` : `Pattern '${pattern}' found in file ${shown}`;
      return { score: match === undefined ? 0 : 1, details, error: null };
    }
    const details =
      match === undefined
        ? `Pattern '${pattern}' correctly absent from file`
        : `Pattern '${pattern}' found but should not be present ${shown}`;
    return { score: match === undefined ? 1 : 0, details, error: null };
  },
};
