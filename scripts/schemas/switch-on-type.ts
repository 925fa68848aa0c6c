import { conditional, type JsonSchema, propertiesOf, requiredOf, schemasOf, typesOf, without } from "./json-schema.ts";

/** Whether the schema is a union of blocks that their `type` tells apart. */
export function isSwitch(schema: JsonSchema): boolean {
  const arms = schemasOf(schema, "oneOf");
  return arms.length > 0 && arms.every((arm) => kindOf(arm) !== undefined);
}

/**
 * The union as a chain of "if type is … then": only the block that is meant is held against the value, so that an error
 * points at the wrong field, instead of one that says that no block fits. Kinds that take any field are there to be refused
 * with a message of their own, and left out.
 */
export function switchOnType(schema: JsonSchema): JsonSchema {
  const arms = schemasOf(schema, "oneOf").filter(({ additionalProperties }) => additionalProperties === false);
  const kinds = arms.map((arm) => kindOf(arm) ?? null);
  const required = arms.map(requiredOf).reduce((common, each) => common.filter((name) => each.includes(name)));
  // A block without a type is read as one of type null.
  const optional = kinds.includes(null);
  const common = optional ? required.filter((name) => name !== "type") : required;
  return {
    ...without(schema, "oneOf"),
    type: "object",
    properties: { type: { enum: kinds } },
    ...(common.length > 0 ? { required: common } : {}),
    allOf: arms.map((arm) => branchOf(arm, common)),
  };
}

function branchOf(arm: JsonSchema, common: readonly string[]): JsonSchema {
  const kind = kindOf(arm) ?? null;
  const required = requiredOf(arm).filter((name) => name !== "type" && !common.includes(name));
  const condition =
    kind === null ? { properties: { type: { type: "null" } } } : { properties: { type: { const: kind } }, required: ["type"] };
  // Editors head their texts with the title. What the type may be, the block itself says.
  const own = { ...(kind === null ? {} : { title: kind }), ...without(arm, "type", "required") };
  const properties = kind === null ? { ...propertiesOf(arm), type: {} } : propertiesOf(arm);
  return conditional(condition, { ...own, properties, ...(required.length > 0 ? { required } : {}) });
}

function kindOf(arm: JsonSchema): string | null | undefined {
  const { type } = propertiesOf(arm);
  if (type === undefined) return undefined;
  if (typeof type.const === "string") return type.const;
  return typesOf(type).includes("null") && type.const === undefined && type.enum === undefined ? null : undefined;
}
