import { z } from "zod";
import { laxBool, laxInt } from "../../schema/lax.ts";
import { criterionBase } from "../criterion.ts";

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

const matchFields = {
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

const oneVerb = (match: VerbMatch) => match.verb === null || match.verb_any_of === null;
const oneVerbIssue = { path: ["verb_any_of"], error: "'verb' and 'verb_any_of' exclude each other" };

/** What one recorded call must look like: the `when` of `sandbox.record_cli[].responses` (formats.md 1.4). */
export const cliMatchSchema = z
  .strictObject({ ...matchFields, ignore_flags: z.array(z.string()).default([]) })
  .refine(oneVerb, oneVerbIssue);

export const cliCalledSchema = criterionBase
  .extend({
    type: z.literal("cli_called"),
    log: z.string().default("cli_mocks/calls.jsonl"),
    ...matchFields,
    tool: z.string().nullable().default(null),
    min_count: laxInt(z.int().min(0)).default(1),
    max_count: laxInt(z.int().min(0)).nullable().default(null),
    ignore_flags: z.array(z.string()).default(["output"]),
  })
  .refine(oneVerb, oneVerbIssue)
  .superRefine((criterion, ctx) => {
    const { verb, verb_any_of, positional, flags, tool, min_count, max_count } = criterion;
    const names = [verb, verb_any_of, positional, tool].some((field) => field !== null) || Object.keys(flags ?? {}).length > 0;
    if (!names) ctx.addIssue({ code: "custom", message: "cli_called needs at least one of verb, verb_any_of, positional, flags, tool" });
    if (min_count === 0 && max_count === null) {
      ctx.addIssue({ code: "custom", path: ["max_count"], message: "'min_count: 0' needs a 'max_count': without one it always passes" });
    }
    if (max_count !== null && max_count < min_count) {
      ctx.addIssue({ code: "custom", path: ["max_count"], message: "'max_count' must not be below 'min_count' (default 1)" });
    }
  });
