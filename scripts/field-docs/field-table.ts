import { markdownTable } from "../readme/markdown-table.ts";
import { armsOf, isSchema, type JsonSchema, mapSchema, noType, propertiesOf, requiredOf } from "../schemas/json-schema.ts";
import { defaultText, typeText } from "./value-text.ts";

/** Parts of a schema by their path. */
export type Parts = ReadonlyMap<string, JsonSchema>;

export function partsOf(schema: JsonSchema): Parts {
  const parts = new Map<string, JsonSchema>();
  mapSchema(schema, (node, path) => {
    parts.set(path, node);
    return node;
  });
  return parts;
}

export function partAt(parts: Parts, path: string): JsonSchema {
  const part = parts.get(path);
  if (part === undefined) throw new Error(`the schema has no part ${path}`);
  return part;
}

export interface FieldRow {
  /** Dotted, below the block. */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

interface Choice {
  /** Fields that have a place of their own; `type` is told with the kinds. */
  readonly without?: readonly string[];
}

/** The fields of a block and of the blocks in it, but not those of kinds, which have tables of their own. */
export function fieldRows(block: JsonSchema, { without = [] }: Choice = {}, prefix = ""): FieldRow[] {
  const required = requiredOf(block);
  return Object.entries(propertiesOf(block)).flatMap(([field, schema]) => {
    const name = prefix + field;
    if (without.includes(name)) return [];
    const row = { name, schema, required: required.includes(field) };
    return [row, ...insidesOf(schema, name).flatMap(([inner, at]) => fieldRows(inner, { without }, at))];
  });
}

/** The fields of a block itself. */
export function topRows(block: JsonSchema): FieldRow[] {
  return fieldRows(block).filter(({ name }) => !/[.[{]/.test(name));
}

/** What lies in a field, with the beginning of the names there. */
function insidesOf(schema: JsonSchema, name: string): readonly (readonly [JsonSchema, string])[] {
  if (armsOf(schema).length > 0) return [];
  if (isSchema(schema.properties)) return [[schema, `${name}.`]];
  const { items, additionalProperties } = schema;
  if (isSchema(items)) return insidesOf(items, `${name}[]`);
  return isSchema(additionalProperties) ? insidesOf(additionalProperties, `${name}{}`) : [];
}

const columns = ["field", "value", "default", "meaning"];

function cellsOf({ name, schema, required }: FieldRow): readonly string[] {
  return [`\`${name}\``, typeText(schema), required ? "required" : defaultText(schema), String(schema.description ?? "")];
}

/** `anchors`: where the document describes a block, by its name. */
export function tableOfRows(rows: readonly FieldRow[], anchors: Readonly<Record<string, string>> = {}): string {
  const linked = rows.map((row) => {
    const anchor = anchors[row.name];
    const cells = cellsOf(row);
    return anchor === undefined ? cells : cells.map((cell, index) => (index === 1 ? `[${cell}](#${anchor})` : cell));
  });
  return markdownTable(columns, linked);
}

export interface Kind {
  readonly name: string;
  readonly text: string;
  /** The fields that not every kind has. */
  readonly rows: readonly FieldRow[];
}

/** The kinds of a block whose `type` says what it is; fields of `common` are left out. */
export function kindsOf(block: JsonSchema, common: readonly string[] = []): readonly Kind[] {
  return armsOf(block)
    .filter(({ name }) => name !== noType)
    .map(({ name, schema }) => ({
      name,
      text: String(propertiesOf(schema).type?.description ?? ""),
      rows: fieldRows(schema, { without: ["type", ...common] }),
    }));
}

/** Several kinds in one table: a row that says what a kind is, then one for each field of its own. */
export function tableOfKinds(kinds: readonly Kind[]): string {
  const rows = kinds.flatMap(({ name, text, rows: fields }) => [
    [`\`${name}\``, "", "", "", text],
    ...fields.map((field) => ["", ...cellsOf(field)]),
  ]);
  return markdownTable(["type", ...columns], rows);
}
