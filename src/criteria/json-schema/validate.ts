import type { ValidateFunction } from "ajv";
import { errorMessage } from "../../errors.ts";
import { repr } from "../json/repr.ts";
import { isObject, type JsonValue } from "../json/value.ts";
import { bestProblem } from "./best-problem.ts";
import { dialectOf } from "./dialects.ts";

export type SchemaVerdict =
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly problem: string }
  /** The schema itself is wrong. */
  | { readonly kind: "malformed"; readonly problem: string };

export type CompiledSchema =
  | Extract<SchemaVerdict, { kind: "malformed" }>
  | { readonly kind: "compiled"; readonly validate: (document: JsonValue) => SchemaVerdict };

/**
 * Whether a document fits a JSON Schema (drafts 4, 6, 7, 2019-09, 2020-12; without `$schema` the newest), in the words of Python's
 * `jsonschema`. Runs as long as the schema makes it: call it under a time limit.
 */
export function validateSchema(schema: JsonValue, document: JsonValue): SchemaVerdict {
  const compiled = compileSchema(schema);
  return compiled.kind === "malformed" ? compiled : compiled.validate(document);
}

/** A schema that is right by the rules of its dialect and refers to nothing outside of itself. */
export function compileSchema(schema: JsonValue): CompiledSchema {
  if (!isObject(schema) && typeof schema !== "boolean") return malformed(`${repr(schema)} is not of type 'object', 'boolean'`);
  const dialect = dialectOf(plain(schema));
  if (dialect.kind === "not supported") return malformed(`the dialect ${dialect.uri} is not supported`);
  const { ajv } = dialect;
  const usable = isObject(dialect.schema) || typeof dialect.schema === "boolean" ? dialect.schema : true;
  if (ajv.validateSchema(usable) === false) return malformed(bestProblem(ajv.errors ?? [], usable));
  try {
    const validate = ajv.compile(usable);
    return { kind: "compiled", validate: (document) => verdictOn(document, validate) };
  } catch (error) {
    return malformed(errorMessage(error));
  }
}

function verdictOn(document: JsonValue, validate: ValidateFunction): SchemaVerdict {
  try {
    return validate(plain(document)) ? { kind: "valid" } : { kind: "invalid", problem: bestProblem(validate.errors ?? [], document) };
  } catch (error) {
    return malformed(errorMessage(error));
  }
}

function malformed(problem: string): Extract<SchemaVerdict, { kind: "malformed" }> {
  return { kind: "malformed", problem };
}

/** Ajv knows no bigint, and asks objects for `valueOf`; `fromEntries` makes even `__proto__` an own key. */
function plain(value: JsonValue): JsonValue {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)])) : value;
}
