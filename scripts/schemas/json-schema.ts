/** A JSON Schema as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A keyword whose value is a list of schemas (`anyOf`); empty when it is not there. */
export function schemasOf(schema: JsonSchema, keyword: string): readonly JsonSchema[] {
  const list = schema[keyword];
  return Array.isArray(list) ? list.filter(isSchema) : [];
}

export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { properties } = schema;
  if (!isSchema(properties)) return {};
  return Object.fromEntries(Object.entries(properties).flatMap(([name, inner]) => (isSchema(inner) ? [[name, inner]] : [])));
}

export function typesOf(schema: JsonSchema): readonly string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((each) => typeof each === "string") : [];
}

export function requiredOf(schema: JsonSchema): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((each) => typeof each === "string") : [];
}

export function without(schema: JsonSchema, ...keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

/** Spelt out, it would be taken for the method of a promise. */
const consequenceKeyword = "then";

/** "If … then …". */
export function conditional(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  return { if: condition, [consequenceKeyword]: consequence };
}

/** One kind of a block whose `type` says which fields it has. */
export interface Arm {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** The arms of a block that `switchOnType` made. */
export function armsOf(schema: JsonSchema): readonly Arm[] {
  return schemasOf(schema, "allOf").flatMap((branch) => {
    const { if: condition, then } = branch;
    if (!isSchema(condition) || !isSchema(then)) return [];
    const type = propertiesOf(condition).type;
    if (type === undefined) return [];
    return [{ name: typeof type.const === "string" ? type.const : noType, schema: then }];
  });
}

/** Name of the arm that holds where no `type` is given. */
export const noType = "none given";

type Visit = (schema: JsonSchema, path: string) => JsonSchema;

/**
 * Visits a schema and all schemas of fields, entries and kinds below it, the inner ones first. Paths are dotted:
 * `agent<codex>.model` is a field of a kind, `tags[]` an entry of a list, `flags{}` a value of a mapping.
 */
export function mapSchema(schema: JsonSchema, visit: Visit, path = ""): JsonSchema {
  const changed: Record<string, unknown> = { ...schema };
  if (isSchema(schema.properties)) {
    const fields = Object.entries(propertiesOf(schema));
    changed.properties = Object.fromEntries(
      fields.map(([name, inner]) => [name, mapSchema(inner, visit, path === "" ? name : `${path}.${name}`)]),
    );
  }
  if (isSchema(schema.items)) changed.items = mapSchema(schema.items, visit, `${path}[]`);
  if (isSchema(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0)
    changed.additionalProperties = mapSchema(schema.additionalProperties, visit, `${path}{}`);
  for (const keyword of ["anyOf", "oneOf"]) {
    const list = schemasOf(schema, keyword);
    if (list.length > 0) changed[keyword] = list.map((inner) => mapSchema(inner, visit, path));
  }
  const arms = armsOf(schema);
  if (arms.length > 0) {
    changed.allOf = schemasOf(schema, "allOf").map((branch, index) => {
      const arm = arms[index];
      if (arm === undefined || !isSchema(branch.if)) return branch;
      return conditional(branch.if, mapSchema(arm.schema, visit, `${path}<${arm.name}>`));
    });
  }
  return visit(changed, path);
}
