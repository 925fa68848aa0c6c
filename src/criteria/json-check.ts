import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { PythonError } from "../python/python-error.ts";
import { stripText } from "../python/text.ts";
import { type CriterionChecker, type CriterionContext, criterionBase, failedCheck } from "./criterion.ts";
import { parseJson } from "./json/parse.ts";
import type { JsonValue } from "./json/value.ts";
import { checkAssertion } from "./json-assertion.ts";
import { validateSchema } from "./json-schema/validate.ts";
import { readText } from "./sandbox-path.ts";
import { mean, scoreText } from "./shares.ts";
import { withTimeLimit } from "./time-limit.ts";

const minContainsLength = 8;
/** A document or schema of a hostile agent must hold up neither the batch nor its cancellation. */
const schemaLimitMs = 2_000;
const readLimitMs = 2_000;

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
    const { expected } = assertion;
    if (assertion.operator === "contains" && typeof expected === "string" && [...stripText(expected)].length < minContainsLength) {
      const rule = `'contains' needs a text of at least ${minContainsLength} characters (shorter ones match by accident)`;
      ctx.addIssue({ code: "custom", path: ["expected"], message: `${rule}, found ${JSON.stringify(expected)}` });
    }
  })
  .transform((assertion) => ({ expression: assertion.expression, operator: assertion.operator, expected: assertion.expected ?? null }));

export const jsonCheckSchema = criterionBase.extend({
  type: z.literal("json_check"),
  path: z.string(),
  json_schema: z.string().nullable().default(null),
  assertions: z.array(assertionSchema).default([]),
});

export type JsonAssertion = z.output<typeof assertionSchema>;

export const jsonCheck: CriterionChecker<typeof jsonCheckSchema> = {
  type: "json_check",
  schema: jsonCheckSchema,
  check: async ({ path, json_schema, assertions }, context) => {
    const read = await readText(path, context);
    if (read.kind === "none") return failedCheck(read.error);
    const document = parse(read.text);
    if (document.kind === "broken") return failedCheck(`Invalid JSON in '${path}': ${document.problem}`);
    if (json_schema === null && assertions.length === 0) return { score: 1, details: `'${path}' is valid JSON`, error: null };

    const shares: number[] = [];
    const parts: string[] = [];
    if (json_schema !== null) {
      const schema = await checkSchema(json_schema, document.value, context);
      shares.push(schema.valid ? 1 : 0);
      parts.push(schema.details);
      if (!schema.valid) {
        if (assertions.length > 0) parts.push("Assertions: skipped (schema failed)");
        return { score: 0, details: [...parts, scoreText(0)].join("; "), error: null };
      }
    }
    if (assertions.length > 0) {
      const problems: string[] = [];
      for (const assertion of assertions) {
        // Signals and timers get their turn between two expressions.
        await setImmediate();
        const problem = await checkAssertion(assertion, document.value, context.signal);
        if (problem !== undefined) problems.push(problem);
      }
      const passed = assertions.length - problems.length;
      shares.push(passed / assertions.length);
      parts.push(`Assertions: ${passed}/${assertions.length} passed${problems.length > 0 ? ` (${problems.join("; ")})` : ""}`);
    }
    const score = mean(shares);
    return { score, details: [...parts, scoreText(score)].join("; "), error: null };
  },
};

type Parsed = { readonly kind: "parsed"; readonly value: JsonValue } | { readonly kind: "broken"; readonly problem: string };

function parse(text: string): Parsed {
  try {
    return { kind: "parsed", value: withTimeLimit("reading the JSON", readLimitMs, () => parseJson(text)) };
  } catch (error) {
    if (!(error instanceof PythonError) || error.pythonType !== "JSONDecodeError") throw error;
    return { kind: "broken", problem: error.message };
  }
}

/** The schema lies in the sandbox too, so it is no more trusted than the document. */
async function checkSchema(path: string, document: JsonValue, context: CriterionContext) {
  const read = await readText(path, context);
  if (read.kind === "none") {
    const missing = read.error === `File '${path}' does not exist`;
    return { valid: false, details: missing ? `Schema file '${path}' not found` : `Schema file: ${read.error}` };
  }
  const schema = parse(read.text);
  if (schema.kind === "broken") return { valid: false, details: `Invalid JSON in schema file '${path}': ${schema.problem}` };
  const verdict = withTimeLimit("validation against the schema", schemaLimitMs, () => validateSchema(schema.value, document));
  switch (verdict.kind) {
    case "valid":
      return { valid: true, details: "Schema: valid" };
    case "invalid":
      return { valid: false, details: `Schema: invalid — ${verdict.problem}` };
    case "malformed":
      return { valid: false, details: `Schema: malformed schema — ${verdict.problem}` };
  }
}
