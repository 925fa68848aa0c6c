import { z } from "zod";
import { fieldText, type Problem, problemsOfZod } from "../issues.ts";
import { isMapping } from "../schema/field-types.ts";
import { armsOf } from "../schema/schema-keys.ts";
import type { Field, Finding } from "./find-field.ts";
import type { FlagNames } from "./flag-names.ts";
import { notKept } from "./override-value.ts";

type Schema = z.core.$ZodType;

/** Longer values make no readable example. */
const maxExample = 60;

/**
 * What is wrong with a value for a field, by the rules of the schemas, coercion included (formats.md 0.3). Rules between
 * fields of different layers are left to the merge.
 * @param text the value as it was written
 */
export function checkValue(field: Field, value: unknown, text: string, names: FlagNames): Finding[] {
  const bad = notKept(value);
  if (bad !== undefined) return [{ message: bad }];
  const whole = nest(field.path.slice(field.depth), value);
  const schemas = asOneEnum(field.schemas);
  const results = schemas.map((schema) => ({ schema, result: z.safeParse(schema, whole) }));
  if (results.some(({ result }) => result.success)) return [];
  const [first] = results;
  if (first?.result.error === undefined) return [];
  return problemsOfZod(first.schema, whole, first.result.error).map((problem) => finding(field, problem, value, text, names));
}

/** `{a: {b: value}}` for `a.b`. */
export function nest(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

/** A field with other words for each type of agent takes any of them while the type is not known. */
function asOneEnum(schemas: readonly Schema[]): readonly Schema[] {
  // Null there stands for "no type yet", and says nothing as an override.
  const named = schemas.filter((schema) => !(schema instanceof z.ZodNull));
  const arms = named.flatMap(armsOf);
  const words = arms.flatMap((arm) => (arm instanceof z.ZodEnum ? arm.options : arm instanceof z.ZodLiteral ? [...arm.values] : []));
  const texts = words.filter((word) => typeof word === "string");
  const isWords = arms.every((arm) => arm instanceof z.ZodEnum || arm instanceof z.ZodLiteral || arm instanceof z.ZodNull);
  if (named.length < 2 || !isWords) return named;
  const all = z.enum(texts);
  return named.some((schema) => z.safeParse(schema, null).success) ? [all.nullable()] : [all];
}

function finding(field: Field, problem: Problem, value: unknown, text: string, names: FlagNames): Finding {
  const below = field.path.slice(field.depth);
  const given = below.every((key, index) => problem.path[index] === key) ? problem.path.slice(below.length) : [];
  // The message names an unknown field itself.
  const place = problem.atKey === true ? given.slice(0, -1) : given;
  const message = place.length === 0 ? problem.message : `${fieldText(place)}: ${problem.message}`;
  return { message, hint: place.length === 0 ? (exampleFor(field, problem, value, text, names) ?? problem.hint) : problem.hint };
}

/** How text and lists have to be written, with the value that was given. */
function exampleFor(field: Field, problem: Problem, value: unknown, text: string, names: FlagNames): string | undefined {
  if (problem.code !== "wrong-type" || text.length > maxExample || /\p{Cc}/u.test(text)) return undefined;
  const path = field.path.join(".");
  const isScalar = value !== null && !Array.isArray(value) && !isMapping(value);
  if (isScalar && typeof value !== "string" && / expected text\b/.test(problem.message))
    return `text that looks like something else is put in quotes: ${names.example(`${path}=${JSON.stringify(text.trim())}`)}`;
  if (isScalar && / expected a list\b/.test(problem.message))
    return `a list is written in brackets: ${names.example(`${path}=[${text.trim()}]`)}`;
  return undefined;
}
