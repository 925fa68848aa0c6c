import { z } from "zod";
import { isObject } from "./any-object.ts";

// Reading a result by its schema copies it key by key, which takes as long as parsing the file. Nearly every file is one of ours,
// where the copy would equal the original; this recognises such values, so that they are taken as they are.

type Test = (value: unknown) => boolean;
type Schema = z.core.$ZodType;

const tests = new WeakMap<Schema, Test>();

/** Notes for a schema with a transform of its own which values it gives back unchanged. */
export function unchangedIf<Own extends Schema>(schema: Own, test: Test): Own {
  tests.set(schema, test);
  return schema;
}

/**
 * Whether reading a JSON value by the schema would give an equal one: all keys there, none unknown, nothing to correct. Made from
 * the schema itself, so the two cannot drift apart. False also where that cannot be told: then the schema must read it.
 */
export function isAsIs<Own extends Schema>(schema: Own, value: unknown): value is z.output<Own> {
  return testOf(schema)(value);
}

function testOf(schema: Schema): Test {
  const known = tests.get(schema);
  if (known !== undefined) return known;
  const made = makeTest(schema);
  tests.set(schema, made);
  return made;
}

function makeTest(schema: Schema): Test {
  // A check (`.min(1)`) or refinement is not looked into.
  if ((schema._zod.def.checks ?? []).length > 0) return () => false;
  if (schema instanceof z.ZodString) return (value) => typeof value === "string";
  if (schema instanceof z.ZodUnknown) return () => true;
  if (schema instanceof z.ZodEnum) {
    const options: ReadonlySet<unknown> = new Set(schema.options);
    return (value) => options.has(value);
  }
  if (schema instanceof z.ZodOptional) {
    const inner = testOf(schema.def.innerType);
    return (value) => value === undefined || inner(value);
  }
  if (schema instanceof z.ZodDefault) {
    const inner = testOf(schema.def.innerType);
    return (value) => value !== undefined && inner(value);
  }
  if (schema instanceof z.ZodArray) {
    const element = testOf(schema.def.element);
    return (value) => Array.isArray(value) && value.every((item) => element(item));
  }
  return schema instanceof z.ZodObject ? objectTest(schema) : () => false;
}

function objectTest(schema: z.ZodObject): Test {
  const { shape, catchall } = schema.def;
  const loose = catchall instanceof z.ZodUnknown;
  if (catchall !== undefined && !loose) return () => false;
  const fields = Object.entries(shape).map(([key, field]) => ({ key, test: testOf(field) }));
  return (value) => {
    if (!isObject(value)) return false;
    let present = 0;
    for (const { key, test } of fields) {
      const part = value[key];
      if (!test(part)) return false;
      if (part !== undefined) present += 1;
    }
    // An unknown key would be left out.
    return loose || Object.keys(value).length === present;
  };
}
