import { z } from "zod";
import { laxBool, laxInt } from "../../schema/lax.ts";

const flagMatchSchema = z
  .strictObject({
    equals: z.string().nullable().default(null),
    contains: z.string().nullable().default(null),
    matches_regex: z.string().nullable().default(null),
    any_of: z.array(z.string()).min(1).nullable().default(null),
    absent: laxBool().default(false),
    present: laxBool().default(false),
    aliases: z.array(z.string()).default([]),
    flags: laxInt().default(0),
  })
  .superRefine((match, ctx) => {
    const chosen = [match.equals, match.contains, match.matches_regex, match.any_of, match.absent || null, match.present || null];
    const found = chosen.filter((value) => value !== null).length;
    if (found !== 1) {
      ctx.addIssue({
        code: "custom",
        message: `a flag takes exactly one of equals, contains, matches_regex, any_of, absent, present; found ${found}`,
      });
    }
  });

/** A bare value means `equals`; numbers and booleans are compared as the text that a command line carries. */
function scalarIsEquals(value: unknown): unknown {
  if (typeof value === "string") return { equals: value };
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return { equals: String(value) };
  return value;
}

/** What `cli_called` and the `when` of a recorded tool's response have in common. */
export const matchFields = {
  verb: z.string().nullable().default(null),
  verb_any_of: z.array(z.string()).nullable().default(null),
  positional: z.array(z.string()).nullable().default(null),
  flags: z.record(z.string(), z.preprocess(scalarIsEquals, flagMatchSchema)).nullable().default(null),
  value_flags: z.array(z.string()).default(["output"]),
};

interface VerbMatch {
  readonly verb: string | null;
  readonly verb_any_of: readonly string[] | null;
}

export const oneVerb = (match: VerbMatch) => match.verb === null || match.verb_any_of === null;
export const oneVerbIssue = { path: ["verb_any_of"], error: "'verb' and 'verb_any_of' exclude each other" };

/** What one recorded call must look like: the `when` of `sandbox.record_cli[].responses` (formats.md 1.4). */
export const cliMatchSchema = z
  .strictObject({ ...matchFields, ignore_flags: z.array(z.string()).default([]) })
  .refine(oneVerb, oneVerbIssue);
