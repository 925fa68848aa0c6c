import { type KnownRows, keyOfRow } from "../known-rows.ts";
import { rowKeyText } from "../layout.ts";
import type { PriorRun } from "../prior-run.ts";
import type { RunRow } from "../run-row.ts";
import type { NotRun } from "../run-summary-schema.ts";
import type { SuiteTotals } from "./suite-totals.ts";

/** Behind all rows that plan and old `run.json` know. */
export const unknownOrder = 1e9;

/**
 * Adds the rows of datasets that have no readable result. Which suite they are of stands in our own `plan.json`; for runs of
 * coder_eval their task's id tells, where there is such a suite. Nothing tells what they were to be.
 */
export function addRowsWithoutResult(
  suites: SuiteTotals,
  prior: Pick<PriorRun, "plan">,
  known: KnownRows,
  rows: { readonly errors: readonly RunRow[]; readonly notRun: readonly NotRun[] },
): void {
  const planned = new Map<string, string>();
  for (const row of prior.plan?.tasks ?? []) if (row.suite_id !== null) planned.set(keyOfRow(row), row.suite_id);
  const add = (entry: RunRow | NotRun, row?: RunRow): void => {
    const variantId = entry.variant_id ?? "default";
    const key = rowKeyText(variantId, entry.task_id, entry.replicate_index);
    const at = entry.task_id.lastIndexOf("/");
    // Row ids hold no `/` (formats.md 6.1).
    const [guess, rowId] = [entry.task_id.slice(0, Math.max(0, at)), entry.task_id.slice(at + 1)];
    const suiteId = planned.get(key) ?? (suites.has(variantId, guess) ? guess : undefined);
    if (suiteId === undefined) return;
    suites.addAbsent({ variantId, suiteId, rowId, criteria: [], order: known.find(key, entry.task_id)?.order ?? unknownOrder, row });
  };
  for (const row of rows.errors) add(row, row);
  for (const entry of rows.notRun) add(entry);
}
