import type { FoundText } from "../field-docs/field-text.ts";
import { armsOf, type JsonSchema, mapSchema, propertiesOf } from "./json-schema.ts";

interface Described {
  readonly schema: JsonSchema;
  readonly undescribed: readonly string[];
  readonly keys: ReadonlySet<string>;
}

/** The schema with a `description` for every field, and one for each word of a `type`. */
export function describeFields(schema: JsonSchema, textOf: (path: string) => FoundText | undefined): Described {
  const keys = new Set<string>();
  const undescribed: string[] = [];
  const find = (path: string): string | undefined => {
    const found = textOf(path);
    if (found === undefined) undescribed.push(path);
    for (const key of found?.keys ?? []) keys.add(key);
    return found?.text;
  };
  const done = mapSchema(schema, (node, path) => {
    const withFields = node.properties === undefined ? node : { ...node, properties: describedFields(node, path, find) };
    return armsOf(node).length === 0 ? withFields : withKinds(withFields, path, find);
  });
  return { schema: done, undescribed, keys };
}

type Find = (path: string) => string | undefined;

function describedFields(node: JsonSchema, path: string, find: Find): JsonSchema {
  const fields = Object.entries(propertiesOf(node)).map(([name, field]) => {
    // What a kind is, is the text of its type.
    const at = name === "type" && path.endsWith(">") ? path : path === "" ? name : `${path}.${name}`;
    const own = field.description;
    const description = typeof own === "string" ? own : find(at);
    const { description: _old, ...rest } = field;
    return [name, description === undefined ? rest : { ...withMarkdown(description), ...rest }];
  });
  return Object.fromEntries(fields);
}

/** Editors show code as such where they are told that a text is Markdown. */
function withMarkdown(description: string): JsonSchema {
  return description.includes("`") ? { description, markdownDescription: description } : { description };
}

/** Editors show `enumDescriptions` beside the words that they offer. */
function withKinds(node: JsonSchema, path: string, find: Find): JsonSchema {
  const { properties } = node;
  const { type } = propertiesOf(node);
  if (type === undefined) return node;
  const enumDescriptions = armsOf(node).map(({ name }) => find(`${path}<${name}>`) ?? "");
  const kinds = { ...type, enumDescriptions, markdownEnumDescriptions: enumDescriptions };
  return { ...node, properties: { ...Object(properties), type: kinds } };
}
