import { join } from "node:path";
import { keyOfRow } from "./known-rows.ts";
import { rowKeyText } from "./layout.ts";
import type { PriorRun } from "./prior-run.ts";
import { readAttemptsFile } from "./resume/attempts-file.ts";
import { placeOfRow } from "./resume/row-place.ts";
import type { RunRow } from "./run-row.ts";
import type { NotRun } from "./run-summary-schema.ts";

type RowId = Omit<NotRun, "reason">;

/** Rows that have no `task.json`: an error without one stands in `run.json` only and stays; all others count as not run. */
export async function rowsWithoutResult(
  runDir: string,
  prior: PriorRun,
  found: ReadonlyMap<string, unknown>,
  warnings: string[],
): Promise<{ rows: RunRow[]; notRun: NotRun[] }> {
  const rows: RunRow[] = [];
  const notRun = new Map<string, NotRun>();
  const missing = (key: string) => !found.has(key) && prior.planned?.has(key) !== false;
  for (const { task_id, variant_id, replicate_index } of prior.plan?.tasks ?? []) {
    const key = rowKeyText(variant_id, task_id, replicate_index);
    if (!missing(key)) continue;
    const row = { task_id, variant_id, replicate_index };
    notRun.set(key, { ...row, reason: await reasonOf(runDir, row) });
  }
  for (const entry of prior.notRun) {
    const key = rowKeyText(entry.variant_id, entry.task_id, entry.replicate_index);
    if (missing(key)) notRun.set(key, entry);
  }
  for (const old of prior.ofEarlierExecution ? [] : prior.rows) {
    const key = keyOfRow(old);
    if (!missing(key)) continue;
    if (old.errorRow !== undefined) {
      notRun.delete(key);
      rows.push(old.errorRow);
      continue;
    }
    const variantId = old.variant_id ?? "default";
    notRun.set(key, {
      task_id: old.task_id,
      variant_id: variantId,
      replicate_index: old.replicate_index ?? 0,
      reason: "its task.json is gone",
    });
    warnings.push(`${variantId}/${old.task_id}: the old run.json has ${old.status}, but there is no task.json any more`);
  }
  return { rows, notRun: [...notRun.values()] };
}

/** An attempt that began and has no end was cut short. */
async function reasonOf(
  runDir: string,
  { variant_id: variantId, task_id: taskId, replicate_index: replicateIndex }: RowId,
): Promise<string> {
  const place = placeOfRow({ variantId, taskId, replicateIndex });
  const attempts = place === undefined ? undefined : await readAttemptsFile(join(runDir, place));
  const isOpen = attempts !== undefined && !attempts.earlier.some(({ attempt }) => attempt === attempts.attempt);
  return isOpen ? "interrupted while running" : "no result found";
}
