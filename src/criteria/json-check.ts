import { z } from "zod";
import { criterionBase } from "./criterion.ts";

const minContainsLength = 8;

/** `expected: null` is a value, a missing `expected` is not: only `exists` does without. */
const assertionSchema = z
  .strictObject({
    expression: z.string(),
    operator: z.enum(["equals", "not_equals", "contains", "gt", "gte", "lt", "lte", "type", "regex", "exists"]).default("equals"),
    expected: z.unknown().optional(),
  })
  .superRefine((assertion, ctx) => {
    if (assertion.operator !== "exists" && assertion.expected === undefined) {
      ctx.addIssue({ code: "custom", path: ["expected"], message: `'expected' is required for operator '${assertion.operator}'` });
    }
    if (
      assertion.operator === "contains" &&
      typeof assertion.expected === "string" &&
      assertion.expected.trim().length < minContainsLength
    ) {
      ctx.addIssue({
        code: "custom",
        path: ["expected"],
        message: `'contains' needs a text of at least ${minContainsLength} characters (shorter ones match by accident), found ${JSON.stringify(assertion.expected)}`,
      });
    }
  })
  .transform((assertion) => ({ expression: assertion.expression, operator: assertion.operator, expected: assertion.expected ?? null }));

export const jsonCheckSchema = criterionBase.extend({
  type: z.literal("json_check"),
  path: z.string(),
  json_schema: z.string().nullable().default(null),
  assertions: z.array(assertionSchema).default([]),
});
