import { armsOf, isSchema, type JsonSchema, typesOf } from "../schemas/json-schema.ts";

/** What may stand in a field, in words for a table. That it may be null is not told: it means the same as no value. */
export function typeText(schema: JsonSchema): string {
  const words = Array.isArray(schema.enum) ? schema.enum.filter((word) => word !== null) : [];
  if (words.length > 0) return words.map((word) => code(word)).join(", ");
  if (schema.const !== undefined) return code(schema.const);
  const types = typesOf(schema).filter((type) => type !== "null");
  // Numbers and yes/no may be written as text as well.
  if (types.includes("boolean") && types.includes("integer")) return "yes/no";
  if (types.includes("object") && types.includes("number")) return "rule, or a value";
  const [first] = types;
  if (first === "integer") return `whole number${rangeText(schema)}`;
  if (first === "number") return `number${rangeText(schema)}`;
  const texts = types.map((type) => plainType(type, schema));
  return texts.length === 0 ? "" : texts.join(" or ");
}

function plainType(type: string, schema: JsonSchema): string {
  if (type === "string") return "text";
  if (type === "boolean") return "yes/no";
  if (type === "array") return `list of ${isSchema(schema.items) ? manyOf(schema.items) : "values"}`;
  return mappingText(schema);
}

function mappingText(schema: JsonSchema): string {
  const { additionalProperties, properties } = schema;
  if (isSchema(properties) || armsOf(schema).length > 0) return "block";
  const values = isSchema(additionalProperties) && Object.keys(additionalProperties).length > 0 ? manyOf(additionalProperties) : undefined;
  return values === undefined ? "mapping" : `mapping of ${values}`;
}

function manyOf(schema: JsonSchema): string {
  const text = typeText(schema);
  const many: Readonly<Record<string, string>> = {
    text: "texts",
    block: "blocks",
    number: "numbers",
    mapping: "mappings",
    "rule, or a value": "rules or values",
  };
  return many[text] ?? text;
}

function rangeText({ minimum, exclusiveMinimum, maximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${String(minimum)} to ${String(maximum)}`;
  if (minimum !== undefined) return `, at least ${String(minimum)}`;
  if (exclusiveMinimum === 0) return ", above 0";
  return maximum === undefined ? "" : `, at most ${String(maximum)}`;
}

const longList = 3;

export function defaultText({ default: standard }: JsonSchema): string {
  if (standard === undefined) return "";
  if (Array.isArray(standard) && standard.length > longList) return `${standard.length} entries, below`;
  return code(standard);
}

function code(value: unknown): string {
  const text = typeof value === "string" && value !== "" && !/[\n"]/.test(value) ? value : JSON.stringify(value);
  return `\`${text}\``;
}
