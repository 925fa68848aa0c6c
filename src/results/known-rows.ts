import { rowKeyText } from "./layout.ts";
import type { PriorRun } from "./prior-run.ts";
import type { RunRow } from "./run-row.ts";

export interface KnownRow {
  readonly tags: readonly string[];
  readonly task_path: string | null;
  readonly order: number;
}

/** What is known of the rows before their results are read. */
export interface KnownRows {
  /** `key`: as `rowKeyText` gives it. */
  find(key: string, taskId: string): KnownRow | undefined;
  sort(rows: readonly RunRow[]): RunRow[];
}

/** Tags, paths and order of rows as plan and old `run.json` have them: by row, else by task (replicates share them). */
export function knownRows(prior: PriorRun): KnownRows {
  const byKey = new Map<string, KnownRow>();
  const byTask = new Map<string, KnownRow>();
  let order = 0;
  for (const row of [...(prior.plan?.tasks ?? []), ...prior.rows]) {
    const key = rowKeyText(row.variant_id, row.task_id, row.replicate_index);
    if (byKey.has(key)) continue;
    const known = { tags: row.tags, task_path: row.task_path, order };
    order += 1;
    byKey.set(key, known);
    if (!byTask.has(row.task_id)) byTask.set(row.task_id, known);
  }
  return {
    find: (key, taskId) => byKey.get(key) ?? byTask.get(taskId),
    sort: (rows) =>
      rows
        .map((row) => ({ row, order: byKey.get(keyOfRow(row))?.order ?? order }))
        .sort((a, b) => a.order - b.order || compareRows(a.row, b.row))
        .map((item) => item.row),
  };
}

function compareRows(a: RunRow, b: RunRow): number {
  return (
    compare(a.variant_id ?? "default", b.variant_id ?? "default") ||
    compare(a.task_id, b.task_id) ||
    (a.replicate_index ?? 0) - (b.replicate_index ?? 0)
  );
}

/** A text that is equal for rows of equal key only. */
export function keyOfRow(row: Pick<RunRow, "variant_id" | "task_id" | "replicate_index">): string {
  return rowKeyText(row.variant_id, row.task_id, row.replicate_index);
}

/** A text that is equal for all replicates of a task in a variant, and for no other rows: that of the first replicate. */
export function keyOfCell(row: Pick<RunRow, "variant_id" | "task_id">): string {
  return rowKeyText(row.variant_id, row.task_id, 0);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
