import { z } from "zod";
import { compilePythonRegex, PythonRegexError, searchPythonRegex } from "../python/regex.ts";
import { laxBool, laxInt } from "../schema/lax.ts";
import { type CriterionChecker, type CriterionContext, criterionBase, failedCheck } from "./criterion.ts";
import { locate, readText } from "./sandbox-path.ts";
import { absentShareOf, countMet, mean, scoreText, shareOf } from "./shares.ts";

const regexPatternSchema = z.strictObject({
  pattern: z.string(),
  must_match: laxBool().default(true),
  flags: laxInt().default(0),
});

export const fileCheckSchema = criterionBase.extend({
  type: z.literal("file_check"),
  path: z.string(),
  includes: z.array(z.string()).default([]),
  excludes: z.array(z.string()).default([]),
  patterns: z.array(regexPatternSchema).default([]),
});

type RegexPattern = z.output<typeof regexPatternSchema>;

/** Met or not; an invalid pattern is just not met, whatever it was to do. */
async function checkPattern({ pattern, must_match, flags }: RegexPattern, text: string, context: CriterionContext) {
  try {
    const match = await searchPythonRegex(compilePythonRegex(pattern, flags), text, { signal: context.signal });
    return { met: (match !== undefined) === must_match, problem: undefined };
  } catch (error) {
    if (!(error instanceof PythonRegexError) || error.pythonType !== "re.error") throw error;
    return { met: false, problem: `Invalid regex '${pattern}': ${error.message}` };
  }
}

export const fileCheck: CriterionChecker<typeof fileCheckSchema> = {
  type: "file_check",
  schema: fileCheckSchema,
  check: async ({ path, includes, excludes, patterns }, context) => {
    if (includes.length + excludes.length + patterns.length === 0) {
      const located = await locate(path, context);
      if (located.kind === "found") return { score: 1, details: `File '${path}' exists`, error: null };
    }
    const read = await readText(path, context);
    if (read.kind === "none") return failedCheck(read.error);
    const found = countMet(includes, (part) => read.text.includes(part));
    const absent = countMet(excludes, (part) => !read.text.includes(part));
    const checked = [];
    for (const pattern of patterns) checked.push(await checkPattern(pattern, read.text, context));
    const matched = countMet(checked, ({ met }) => met);
    const problems = checked.flatMap(({ problem }) => problem ?? []);

    const shares: number[] = [];
    const parts: string[] = [];
    if (found.total > 0) {
      shares.push(shareOf(found));
      parts.push(`Includes: ${found.met}/${found.total} found`);
    }
    if (absent.total > 0) {
      shares.push(absentShareOf(absent));
      parts.push(`Excludes: ${absent.met}/${absent.total} absent`);
    }
    if (matched.total > 0) {
      const invalid = problems.length > 0 ? ` (${problems.join("; ")})` : "";
      shares.push(shareOf(matched));
      parts.push(`Patterns: ${matched.met}/${matched.total} matched${invalid}`);
    }
    const score = mean(shares);
    return { score, details: [...parts, scoreText(score)].join("; "), error: null };
  },
};
