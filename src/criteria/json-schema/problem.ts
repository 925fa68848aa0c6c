import type { ErrorObject } from "ajv";
import { shortRepr } from "../json/repr.ts";
import { compareText, isObject, type JsonValue, toJsonValue } from "../json/value.ts";

/** One violated keyword. */
export interface Problem {
  readonly error: ErrorObject;
  /** The errors of the same keyword at the same place, where Python has one for all of them. */
  readonly all: readonly ErrorObject[];
  /** Keys and indexes down to the value. */
  readonly path: readonly string[];
  /** Whether the value has the type that the schema names beside the keyword. */
  readonly typeMatches: boolean;
  /** For `anyOf` and its like: why the alternatives failed. */
  readonly context: readonly Problem[];
}

type Words = (value: string, wanted: JsonValue, error: ErrorObject, raw: JsonValue) => string;

const quoted = (names: readonly unknown[]) => names.map((name) => shortRepr(toJsonValue(name))).join(", ");
const unexpected = (names: readonly unknown[]) => `(${quoted(names)} ${names.length === 1 ? "was" : "were"} unexpected)`;
const tooFew =
  (otherwise: string): Words =>
  (value, wanted) =>
    `${value} ${wanted === 1 ? "should be non-empty" : otherwise}`;
const tooMany =
  (otherwise: string): Words =>
  (value, wanted) =>
    `${value} ${wanted === 0 ? "is expected to be empty" : otherwise}`;

const words = new Map<string, Words>([
  ["type", (value, wanted) => `${value} is not of type ${quoted(Array.isArray(wanted) ? wanted : [wanted])}`],
  ["required", (_value, _wanted, error) => `${shortRepr(toJsonValue(error.params.missingProperty))} is a required property`],
  ["enum", (value, wanted) => `${value} is not one of ${shortRepr(wanted)}`],
  ["const", (_value, wanted) => `${shortRepr(wanted)} was expected`],
  ["minimum", (value, wanted) => `${value} is less than the minimum of ${shortRepr(wanted)}`],
  ["maximum", (value, wanted) => `${value} is greater than the maximum of ${shortRepr(wanted)}`],
  ["exclusiveMinimum", (value, wanted) => `${value} is less than or equal to the minimum of ${shortRepr(wanted)}`],
  ["exclusiveMaximum", (value, wanted) => `${value} is greater than or equal to the maximum of ${shortRepr(wanted)}`],
  ["multipleOf", (value, wanted) => `${value} is not a multiple of ${shortRepr(wanted)}`],
  ["minLength", tooFew("is too short")],
  ["maxLength", tooMany("is too long")],
  ["minItems", tooFew("is too short")],
  ["maxItems", tooMany("is too long")],
  ["minProperties", tooFew("does not have enough properties")],
  ["maxProperties", tooMany("has too many properties")],
  ["uniqueItems", (value) => `${value} has non-unique elements`],
  ["pattern", (value, wanted) => `${value} does not match ${shortRepr(wanted)}`],
  ["contains", containing],
  ["items", surplusItems],
  ["additionalItems", (_value, _wanted, error, raw) => `Additional items are not allowed ${unexpected(itemsFrom(raw, error))}`],
  ["not", (value, wanted) => `${value} should not be valid under ${shortRepr(wanted)}`],
  ["anyOf", (value) => `${value} is not valid under any of the given schemas`],
  ["oneOf", oneOf],
  ["false schema", (value) => `False schema does not allow ${value}`],
  ["dependentRequired", dependency],
  ["dependencies", dependency],
]);

function itemsFrom(raw: JsonValue, error: ErrorObject): JsonValue[] {
  const limit: unknown = error.params.limit;
  return Array.isArray(raw) && typeof limit === "number" ? raw.slice(limit) : [];
}

function surplusItems(_value: string, _wanted: JsonValue, error: ErrorObject, raw: JsonValue): string {
  const extra = itemsFrom(raw, error);
  const limit = Array.isArray(raw) ? raw.length - extra.length : 0;
  return `Expected at most ${limit} item${limit === 1 ? "" : "s"} but found ${extra.length} extra: ${shortRepr(extra)}`;
}

function containing(value: string, _wanted: JsonValue, error: ErrorObject): string {
  const { minContains, maxContains } = error.params;
  if (typeof maxContains === "number") return `Too many items match the given schema (expected at most ${maxContains})`;
  if (minContains === 1) return `${value} does not contain items matching the given schema`;
  return `Too few items match the given schema (expected at least ${minContains})`;
}

function dependency(_value: string, _wanted: JsonValue, error: ErrorObject): string {
  const { missingProperty, property } = error.params;
  return `${shortRepr(toJsonValue(missingProperty))} is a dependency of ${shortRepr(toJsonValue(property))}`;
}

function oneOf(value: string, wanted: JsonValue, error: ErrorObject): string {
  const passing: unknown = error.params.passingSchemas;
  if (!Array.isArray(passing) || !Array.isArray(wanted)) return `${value} is not valid under any of the given schemas`;
  const more = wanted.filter((_schema, index) => passing.includes(index)).map((schema) => shortRepr(schema));
  return `${value} is valid under each of ${more.toReversed().join(", ")}`;
}

/** Keywords that report once per surplus key here, once per object in Python. */
const surplus = new Map([
  ["additionalProperties", { param: "additionalProperty", noun: "Additional properties" }],
  ["unevaluatedProperties", { param: "unevaluatedProperty", noun: "Unevaluated properties" }],
]);

/** Whether several errors of this keyword at one place are one in Python. */
export function isReportedOnce(keyword: string): boolean {
  return surplus.has(keyword);
}

export function problemOf(error: ErrorObject, all: readonly ErrorObject[], context: readonly Problem[]): Problem {
  const path = error.instancePath.split("/").slice(1).map(unescapePointer);
  return { error, all, path, typeMatches: hasType(error.data, error.parentSchema?.type), context };
}

/** Python's sentence. Ajv got the document with rounded numbers, so the value is looked up in the original. */
export function messageOf({ error, all, path }: Problem, document: JsonValue): string {
  const value = valueAt(document, path);
  const group = surplus.get(error.keyword);
  if (group === undefined) {
    const shown = shortRepr(value);
    return words.get(error.keyword)?.(shown, toJsonValue(error.schema), error, value) ?? `${shown} ${error.message ?? "is not valid"}`;
  }
  const names = all.map((one) => String(one.params[group.param])).toSorted(compareText);
  const patterns = Object.keys(error.parentSchema?.patternProperties ?? {}).toSorted(compareText);
  if (error.keyword !== "additionalProperties" || patterns.length === 0) return `${group.noun} are not allowed ${unexpected(names)}`;
  return `${quoted(names)} ${names.length === 1 ? "does" : "do"} not match any of the regexes: ${quoted(patterns)}`;
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

function valueAt(document: JsonValue, path: readonly string[]): JsonValue {
  let value = document;
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)] ?? null;
    else value = isObject(value) ? (value[part] ?? null) : null;
  }
  return value;
}

function hasType(value: unknown, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((one) => hasType(value, one));
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  return type === typeof value && value !== null && !Array.isArray(value);
}
