import type { Issue } from "../../errors.ts";
import { formatPythonFloat } from "../../python/format.ts";
import { YamlTimestamp } from "../yaml/yaml-scalars.ts";

/** Where a row stands, as an issue says it. */
export type RowPlace = Pick<Issue, "file" | "line" | "column" | "field">;

/** One row of a dataset as it was read. */
export interface Row {
  /** Keys come from foreign files: ask with `hasField` before reading one. */
  readonly fields: object;
  /** The file writes this whole number as a float (`1.0`): for Python that is another text than `1`. */
  isFloat(field: string): boolean;
  place(): RowPlace;
}

/** A row whose id is fine. */
export interface NamedRow {
  readonly id: string;
  readonly row: Row;
}

export function hasField(row: Row, field: string): boolean {
  return Object.hasOwn(row.fields, field);
}

/** The value of a field, `undefined` where the row has none. */
export function fieldValue(row: Row, field: string): unknown {
  return hasField(row, field) ? Reflect.get(row.fields, field) : undefined;
}

/**
 * Python's `str` of a field's value: `None`, `True`, `1.0`, `1e+21`, integers of any size. Undefined for what is no
 * single value (a list, a mapping, binary data), and where the row has no such field.
 */
export function textOf(row: Row, field: string): string | undefined {
  const value = fieldValue(row, field);
  switch (typeof value) {
    case "string":
      return value;
    case "boolean":
      return value ? "True" : "False";
    case "bigint":
      return value.toString();
    case "number":
      // Integers beyond 2^53 are bigints, so a number of that size is a float.
      return !Number.isSafeInteger(value) || Object.is(value, -0) || row.isFloat(field) ? formatPythonFloat(value) : String(value);
  }
  if (value === null) return "None";
  // Python's `str` of a time has a blank where its ISO form has the T.
  return value instanceof YamlTimestamp ? value.text.replace("T", " ") : undefined;
}

/** `rows.jsonl:3`; several rows may stand in one line of a task file, so there `t.yaml:4:12`. */
export function placeText({ file, line, column, field }: RowPlace): string {
  return field === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
}
