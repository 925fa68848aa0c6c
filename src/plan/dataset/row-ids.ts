import { didYouMean } from "../did-you-mean.ts";
import { describeValue, quote } from "../found-text.ts";
import { fieldValue, hasField, type NamedRow, placeText, type Row, textOf } from "./row.ts";
import type { RowIssues } from "./row-issues.ts";

/** Part of a path and of a container's name. */
const rowId = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const maxFieldsShown = 20;

/**
 * The ids of the rows: the text of their `id_field`, unique as texts (formats.md 1.7). Rows without a good one go to
 * `issues`.
 */
export function nameRows(rows: readonly Row[], idField: string, issues: RowIssues): readonly NamedRow[] {
  const named: NamedRow[] = [];
  const taken = new Map<string, Row>();
  for (const row of rows) {
    const refuse = (code: string, told: () => Told): void => issues.add(() => ({ severity: "error", code, ...row.place(), ...told() }));
    const id = textOf(row, idField);
    if (id === undefined) {
      if (hasField(row, idField)) refuse("row-id", () => nestedId(row, idField));
      else refuse("missing-field", () => missingId(row, idField));
    } else if (!rowId.test(id)) refuse("row-id", () => badId(id));
    else {
      const other = taken.get(id);
      if (other !== undefined) refuse("duplicate-row-id", () => takenId(id, row, other, idField));
      else {
        taken.set(id, row);
        named.push({ id, row });
      }
    }
  }
  return named;
}

interface Told {
  readonly message: string;
  readonly hint?: string | undefined;
}

function nestedId(row: Row, idField: string): Told {
  return { message: `the row's id, ${quote(idField)}, is ${describeValue(fieldValue(row, idField))}, expected text or a number` };
}

function missingId(row: Row, idField: string): Told {
  return { message: `the row has no field ${quote(idField)}, which is to be its id`, hint: fieldsHint(row, idField) };
}

function badId(id: string): Told {
  if (id === "") return { message: "the row id is empty" };
  const hint = "an id is letters from a to z, digits, '_', '-' and '.', and begins with neither '-' nor '.'";
  return { message: `the row id ${quote(id)} is not allowed`, hint };
}

function takenId(id: string, row: Row, other: Row, idField: string): Told {
  const message = `the row id ${quote(id)} at ${placeText(row.place())} is taken already at ${placeText(other.place())}`;
  const coerced = typeof fieldValue(row, idField) !== typeof fieldValue(other, idField);
  return { message, hint: coerced ? "ids are compared as text: the number 1 and the text '1' are one id" : undefined };
}

/** What may have been meant instead of a field that a row lacks. */
export function fieldsHint(row: Row, missing: string): string {
  const fields = Object.keys(row.fields);
  if (fields.length === 0) return "the row is empty";
  const meant = didYouMean(missing, fields.slice(0, 200));
  const shown = fields.slice(0, maxFieldsShown).map(quote).join(", ");
  const more = fields.length > maxFieldsShown ? ` and ${fields.length - maxFieldsShown} more` : "";
  return `${meant === undefined ? "" : `did you mean ${quote(meant)}? `}the row has ${shown}${more}`;
}
