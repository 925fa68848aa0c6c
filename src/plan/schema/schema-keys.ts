import { z } from "zod";

type Schema = z.core.$ZodType;

/**
 * What a schema knows at a place of a value: needed for "allowed" and "did you mean", which zod's issues do not carry.
 * Where a union has several arms, those whose discriminator fits the value are followed.
 */
export function objectsAt(schema: Schema, path: readonly PropertyKey[], value: unknown): z.ZodObject[] {
  const objects = objectArms(schema, value);
  const [step, ...rest] = path;
  if (step === undefined) return objects;
  const inner = childOf(value, step);
  return childSchemas(schema, objects, step).flatMap((child) => objectsAt(child, rest, inner));
}

/** Field names that are allowed at a place. */
export function allowedKeys(schema: Schema, path: readonly PropertyKey[], value: unknown): string[] {
  return [...new Set(objectsAt(schema, path, value).flatMap((object) => Object.keys(object.shape)))];
}

/** The words that the field `name` of the mapping at `path` may have in any arm of a union there. */
export function allowedWords(schema: Schema, path: readonly PropertyKey[], value: unknown, name: string): string[] {
  const withoutName = withoutField(value, path, name);
  // An arm that takes any key is there to refuse an old type with a message of its own.
  const arms = objectsAt(schema, path, withoutName).filter((object) => !(object.def.catchall instanceof z.ZodUnknown));
  const words = arms.flatMap((object) => literals(object.shape[name]));
  return [...new Set(words)];
}

export function childOf(value: unknown, step: PropertyKey): unknown {
  if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined;
}

/** A copy of the value along `path` in which the last mapping lacks `name`, so that no arm is ruled out by it. */
function withoutField(value: unknown, path: readonly PropertyKey[], name: string): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return undefined;
  const inner = withoutField(childOf(value, step), rest, name);
  return typeof step === "number" ? Object.assign([], { [step]: inner }) : { [step]: inner };
}

/** Peels off what does not change the shape: optional, default, preprocess, transform, refinements. */
function unwrap(schema: Schema): Schema {
  let current = schema;
  for (;;) {
    if (current instanceof z.ZodOptional || current instanceof z.ZodNullable) current = current.unwrap();
    else if (current instanceof z.ZodDefault || current instanceof z.ZodPrefault) current = current.unwrap();
    else if (current instanceof z.ZodPipe) current = current.in instanceof z.ZodTransform ? current.out : current.in;
    else return current;
  }
}

/** The schemas of which a value may fit any, without what wraps them (optional, default, refinements of a pipe). */
export function armsOf(schema: Schema): Schema[] {
  const bare = unwrap(schema);
  return bare instanceof z.ZodUnion ? bare.options.flatMap(armsOf) : [bare];
}

function objectArms(schema: Schema, value: unknown): z.ZodObject[] {
  const arms = armsOf(schema).filter((arm) => arm instanceof z.ZodObject);
  const fitting = arms.filter((arm) => discriminatorFits(arm, value));
  return fitting.length > 0 ? fitting : arms;
}

function discriminatorFits(object: z.ZodObject, value: unknown): boolean {
  const type = childOf(value, "type");
  const words = literals(object.shape.type);
  return typeof type === "string" && words.length > 0 ? words.includes(type) : true;
}

function childSchemas(schema: Schema, objects: readonly z.ZodObject[], step: PropertyKey): Schema[] {
  const children: Schema[] = [];
  for (const object of objects) {
    const child = object.shape[String(step)];
    if (child !== undefined) children.push(child);
  }
  for (const arm of armsOf(schema)) {
    if (arm instanceof z.ZodArray) children.push(arm.element);
    if (arm instanceof z.ZodRecord) children.push(arm.valueType);
  }
  return children;
}

function literals(schema: Schema | undefined): string[] {
  if (schema === undefined) return [];
  return armsOf(schema).flatMap((arm) => {
    if (arm instanceof z.ZodLiteral) return [...arm.values].filter((word) => typeof word === "string");
    return arm instanceof z.ZodEnum ? arm.options.filter((word) => typeof word === "string") : [];
  });
}
