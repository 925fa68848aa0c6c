import { isMapping } from "../schema/field-types.ts";
import { fieldValue, hasField, type Row, textOf } from "./row.ts";
import type { TextBudget } from "./text-budget.ts";

/** A placeholder that a row cannot fill. */
export interface Fault {
  readonly kind: "missing" | "nested";
  readonly field: string;
}

/** A value of the task with its placeholders filled from a row. What cannot be filled stays and is reported. */
export type Template = (row: Row, filling: Filling) => unknown;

/** What one filling of a task needs besides the row. */
export interface Filling {
  readonly budget: TextBudget;
  readonly report: (path: readonly PropertyKey[], fault: Fault) => void;
}

const placeholder = /\$\{row\.([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Whether a text is one placeholder and nothing else. */
export function isPlaceholder(text: string): boolean {
  return text.replace(placeholder, "") === "";
}

/**
 * Fills `${row.<field>}` with Python's `str` of the field; null becomes nothing (formats.md 1.7, step 5).
 * @throws TooMuchTextError
 */
export function fillText(text: string, row: Row, budget: TextBudget, report: (fault: Fault) => void): string {
  budget.begin();
  budget.spend(text.length);
  return text.replace(placeholder, (whole, name) => {
    const field = String(name);
    if (fieldValue(row, field) === null) return "";
    const filled = textOf(row, field);
    if (filled === undefined) report({ kind: hasField(row, field) ? "nested" : "missing", field });
    budget.spend(filled?.length ?? 0);
    return filled ?? whole;
  });
}

/** Undefined for text without a placeholder: rows share it. */
export function textTemplate(text: string, path: readonly PropertyKey[]): ((row: Row, filling: Filling) => string) | undefined {
  if (text.search(placeholder) === -1) return undefined;
  return (row, { budget, report }) => fillText(text, row, budget, (fault) => report(path, fault));
}

/** Fills every text inside a value, not the keys. Undefined where nothing has a placeholder: rows share the value. */
export function valueTemplate(value: unknown, path: readonly PropertyKey[]): Template | undefined {
  if (typeof value === "string") return textTemplate(value, path);
  if (Array.isArray(value)) {
    const parts = value.flatMap((item: unknown, index) => part(index, item, path));
    if (parts.length === 0) return undefined;
    return (row, filling) => {
      const copy: unknown[] = [...value];
      for (const { key, template } of parts) copy[key] = template(row, filling);
      return copy;
    };
  }
  const changes = isMapping(value) ? fieldsTemplate(value, path) : undefined;
  return changes === undefined ? undefined : (row, filling) => ({ ...Object(value), ...changes(row, filling) });
}

/** Those fields of a mapping that have placeholders, filled. Undefined where none has. */
export function fieldsTemplate(
  fields: object,
  path: readonly PropertyKey[],
): ((row: Row, filling: Filling) => Readonly<Record<string, unknown>>) | undefined {
  const parts = Object.entries(fields).flatMap(([key, value]) => part(key, value, path));
  if (parts.length === 0) return undefined;
  return (row, filling) => Object.fromEntries(parts.map(({ key, template }) => [key, template(row, filling)]));
}

function part<Key extends PropertyKey>(key: Key, value: unknown, path: readonly PropertyKey[]): { key: Key; template: Template }[] {
  const template = valueTemplate(value, [...path, key]);
  return template === undefined ? [] : [{ key, template }];
}
