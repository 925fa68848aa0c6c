import { z } from "zod";
import { type CheckOutcome, type CriterionChecker, criterionBase, failedCheck } from "./criterion.ts";
import { readText } from "./sandbox-path.ts";
import { absentShareOf, countMet, mean, scoreText, shareOf } from "./shares.ts";

export const fileContainsSchema = criterionBase.extend({
  type: z.literal("file_contains"),
  path: z.string(),
  includes: z.array(z.string()),
  excludes: z.array(z.string()).nullable().default(null),
});

interface Wanted {
  readonly includes: readonly string[];
  readonly excludes: readonly string[] | null;
}

/** The share of texts that are there, and of texts that are not, with equal weight; an empty demand is met. */
export function scoreContent(text: string, { includes, excludes }: Wanted): CheckOutcome {
  const found = countMet(includes, (part) => text.includes(part));
  const absent = countMet(excludes ?? [], (part) => !text.includes(part));
  const score = mean([...(found.total > 0 ? [shareOf(found)] : []), ...(absent.total > 0 ? [absentShareOf(absent)] : [])]);
  const parts = [`Includes: ${found.met}/${found.total} found`];
  if (absent.total > 0) parts.push(`Excludes: ${absent.met}/${absent.total} absent`);
  return { score, details: [...parts, scoreText(score)].join("; "), error: null };
}

export const fileContains: CriterionChecker<typeof fileContainsSchema> = {
  type: "file_contains",
  schema: fileContainsSchema,
  check: async (criterion, context) => {
    const read = await readText(criterion.path, context);
    return read.kind === "none" ? failedCheck(read.error) : scoreContent(read.text, criterion);
  },
};
