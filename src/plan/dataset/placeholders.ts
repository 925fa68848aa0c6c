import { isMapping } from "../schema/field-types.ts";
import { hasField, type Row, textOf } from "./row.ts";

/** A placeholder that a row cannot fill. */
export interface Fault {
  readonly kind: "missing" | "nested";
  readonly field: string;
}

/** A value of the task with its placeholders filled from a row. What cannot be filled stays and is reported. */
export type Template = (row: Row, report: Report) => unknown;
export type Report = (path: readonly PropertyKey[], fault: Fault) => void;

const placeholder = /\$\{row\.([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Whether a text is one placeholder and nothing else. */
export function isPlaceholder(text: string): boolean {
  return text.replace(placeholder, "") === "";
}

/** Fills `${row.<field>}` with Python's `str` of the field; null becomes nothing (formats.md 1.7, step 5). */
export function fillText(text: string, row: Row, report: (fault: Fault) => void): string {
  return text.replace(placeholder, (whole, name) => {
    const field = String(name);
    if (hasField(row, field) && Reflect.get(row.fields, field) === null) return "";
    const filled = textOf(row, field);
    if (filled === undefined) report({ kind: hasField(row, field) ? "nested" : "missing", field });
    return filled ?? whole;
  });
}

/** Undefined for text without a placeholder: rows share it. */
export function textTemplate(text: string, path: readonly PropertyKey[]): ((row: Row, report: Report) => string) | undefined {
  if (text.search(placeholder) === -1) return undefined;
  return (row, report) => fillText(text, row, (fault) => report(path, fault));
}

/** Fills every text inside a value, not the keys. Undefined where nothing has a placeholder: rows share the value. */
export function valueTemplate(value: unknown, path: readonly PropertyKey[]): Template | undefined {
  if (typeof value === "string") return textTemplate(value, path);
  if (Array.isArray(value)) {
    const parts = value.flatMap((item: unknown, index) => part(index, item, path));
    if (parts.length === 0) return undefined;
    return (row, report) => {
      const copy: unknown[] = [...value];
      for (const { key, template } of parts) copy[key] = template(row, report);
      return copy;
    };
  }
  const changes = isMapping(value) ? fieldsTemplate(value, path) : undefined;
  return changes === undefined ? undefined : (row, report) => ({ ...Object(value), ...changes(row, report) });
}

/** Those fields of a mapping that have placeholders, filled. Undefined where none has. */
export function fieldsTemplate(
  fields: object,
  path: readonly PropertyKey[],
): ((row: Row, report: Report) => Readonly<Record<string, unknown>>) | undefined {
  const parts = Object.entries(fields).flatMap(([key, value]) => part(key, value, path));
  if (parts.length === 0) return undefined;
  return (row, report) => Object.fromEntries(parts.map(({ key, template }) => [key, template(row, report)]));
}

function part<Key extends PropertyKey>(key: Key, value: unknown, path: readonly PropertyKey[]): { key: Key; template: Template }[] {
  const template = valueTemplate(value, [...path, key]);
  return template === undefined ? [] : [{ key, template }];
}
