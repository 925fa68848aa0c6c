import { z } from "zod";
import { isSchema, type JsonSchema, mapSchema, schemasOf, typesOf, without } from "./json-schema.ts";
import { isSwitch, switchOnType } from "./switch-on-type.ts";

/**
 * What the loader takes for an integer, a number or a yes/no (formats.md 0.3), and what an editor, which reads YAML 1.2,
 * makes of the numbers and words of YAML 1.1: `0b11`, `1:30`, `1_000`, `yes` are text to it. `true` for a number is left
 * out: nobody means it, and an editor would offer it.
 */
const laxText = {
  integer: String.raw`^\s*[+-]?(?:0[bB][01_]+|0[xX][0-9a-fA-F_]+|0o[0-7]+|\d[\d_]*(?::[0-5]?\d)*(?:\.0*)?)\s*$`,
  number: String.raw`^\s*[+-]?(?:0[bB][01_]+|0[xX][0-9a-fA-F_]+|(?:\d[\d_]*(?::[0-5]?\d)*\.?[\d_]*|\.[\d_]+)(?:[eE][+-]?\d+)?|\.?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|\.?[nN][aA][nN])\s*$`,
  boolean: "^(?:[tT](?:[rR][uU][eE])?|[yY](?:[eE][sS])?|[oO][nN]|1|[fF](?:[aA][lL][sS][eE])?|[nN][oO]?|[oO][fF][fF]|0)$",
} as const;

/** The JSON Schema (draft 7, which every editor knows) of what a zod schema reads. */
export function schemaFromZod(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    target: "draft-7",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodUndefined) jsonSchema.not = {};
      // zod leaves out the default of what is converted.
      if (zodSchema instanceof z.ZodDefault && io === "input") jsonSchema.default = JSON.parse(JSON.stringify(zodSchema.def.defaultValue));
      if (zodSchema instanceof z.ZodPipe && zodSchema.in instanceof z.ZodTransform) Object.assign(jsonSchema, laxForm(jsonSchema));
    },
  });
  return simplify(JSON.parse(JSON.stringify(made)));
}

/** A pattern with the message that an editor shows instead of it. */
export function textForm(pattern: string, patternErrorMessage: string): JsonSchema {
  return { pattern, patternErrorMessage };
}

/** The keywords of a value that is converted before it is checked. */
function laxForm(schema: JsonSchema): JsonSchema {
  const [type, ...more] = typesOf(schema);
  if (more.length > 0) return {};
  if (type === "integer") return { type: ["integer", "string"], ...textForm(laxText.integer, "a whole number is expected") };
  if (type === "number") return { type: ["number", "string"], ...textForm(laxText.number, "a number is expected") };
  if (type === "boolean")
    return { type: ["boolean", "integer", "string"], minimum: 0, maximum: 1, ...textForm(laxText.boolean, "true or false is expected") };
  // A bare value for a mapping: of a flag that a recorded call must have.
  return type === "object" ? { type: ["object", "string", "number", "boolean"] } : {};
}

/** One flat schema where zod makes a union: an editor's message then names the field and not the alternatives. */
export function simplify(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (node) => flattenUnion(withoutNoise(node)));
}

function withoutNoise(node: JsonSchema): JsonSchema {
  const { default: standard, maximum, minimum, propertyNames, properties } = node;
  const empty = standard === null || (typeof standard === "object" && standard !== null && Object.keys(standard).length === 0);
  const noise = [
    ...(empty ? ["default"] : []),
    ...(maximum === Number.MAX_SAFE_INTEGER ? ["maximum"] : []),
    ...(minimum === Number.MIN_SAFE_INTEGER ? ["minimum"] : []),
    ...(isSchema(propertyNames) ? ["propertyNames"] : []),
  ];
  const rest = without(node, ...noise);
  if (!isSchema(properties)) return rest;
  // A field that may not be there is no field: the closed block refuses it by name.
  const fields = Object.entries(properties).filter(([, inner]) => !(isSchema(inner) && isSchema(inner.not)));
  return { ...rest, properties: Object.fromEntries(fields) };
}

function flattenUnion(node: JsonSchema): JsonSchema {
  if (isSwitch(node)) return switchOnType(node);
  const arms = distinct(schemasOf(node, "anyOf"));
  if (arms.length === 0) return node;
  const [first] = arms;
  const rest = without(node, "anyOf");
  if (arms.length === 1) return { ...rest, ...first };
  const types = arms.flatMap(typesOf);
  const flat = new Set(types).size === types.length && arms.every((arm) => typesOf(arm).length > 0) && !clash(arms);
  if (!flat) return { ...rest, anyOf: arms };
  const merged = Object.assign({}, ...arms);
  if (merged.enum !== undefined && types.includes("null")) merged.enum = [...merged.enum, null];
  return { ...rest, ...merged, type: types };
}

function distinct(arms: readonly JsonSchema[]): readonly JsonSchema[] {
  return [...new Map(arms.map((arm) => [JSON.stringify(arm), arm])).values()];
}

/** Whether two arms say different things with one keyword, or one lists values of which the other knows nothing. */
function clash(arms: readonly JsonSchema[]): boolean {
  const keywords = arms.flatMap((arm) => Object.keys(arm)).filter((keyword) => keyword !== "type");
  const lists = arms.some((arm) => arm.enum !== undefined || arm.const !== undefined);
  return new Set(keywords).size !== keywords.length || (lists && arms.some((arm) => arm.enum === undefined && arm.type !== "null"));
}
