import { describeValue, quote } from "../found-text.ts";
import { fieldText, issueAt } from "../issues.ts";
import type { LoadedTask } from "../load.ts";
import type { Fault } from "./placeholders.ts";
import { fieldValue, type NamedRow, placeText } from "./row.ts";
import { fieldsHint } from "./row-ids.ts";
import type { RowIssues } from "./row-issues.ts";

interface Group {
  readonly path: readonly PropertyKey[];
  readonly fault: Fault;
  /** The first row with this fault. */
  readonly first: NamedRow;
  count: number;
}

/** Placeholders that rows cannot fill: the same one of many rows is one finding. */
export class FillFaults {
  readonly #groups = new Map<string, Group>();

  note(path: readonly PropertyKey[], fault: Fault, row: NamedRow): void {
    const key = `${fault.kind} ${fault.field} ${fieldText(path)}`;
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, { path, fault, first: row, count: 1 });
    else group.count += 1;
  }

  report(loaded: LoadedTask, rowCount: number, issues: RowIssues): void {
    for (const { path, fault, first, count } of this.#groups.values()) {
      issues.add(() =>
        issueAt(loaded.parsed, {
          severity: "error",
          code: fault.kind === "missing" ? "missing-row-field" : "nested-row-field",
          path,
          message: `${faultText(fault, first)}${count === 1 ? "" : ` (and so with ${count} of ${rowCount} rows)`}`,
          hint: fault.kind === "missing" ? fieldsHint(first.row, fault.field) : undefined,
        }),
      );
    }
  }
}

/** What a row lacks for a placeholder. */
export function faultText({ kind, field }: Fault, { id, row }: NamedRow): string {
  const where = `row ${quote(id)} (${placeText(row.place())})`;
  if (kind === "missing") return `\${row.${field}} names no field of ${where}`;
  return `\${row.${field}} takes text or a number, and in ${where} it is ${describeValue(fieldValue(row, field))}`;
}
