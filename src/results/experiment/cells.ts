import type { RunRow } from "../run-row.ts";

/** The replicates of one task in one variant, in their order. */
export interface Cell {
  readonly variantId: string;
  readonly taskId: string;
  readonly rows: readonly RunRow[];
}

export interface Cells {
  /** The given variants, then those of rows that name another. */
  readonly variantIds: readonly string[];
  /** In the order in which the rows first name them. */
  readonly taskIds: readonly string[];
  /** Undefined where no row of the task ran in the variant. */
  at(taskId: string, variantId: string): Cell | undefined;
}

/** Rows by task and variant. */
export function cellsOf(rows: readonly RunRow[], variantIds: readonly string[] = []): Cells {
  const byTask = new Map<string, Map<string, RunRow[]>>();
  const variants = new Set(variantIds);
  for (const row of rows) {
    const variant = variantOf(row);
    variants.add(variant);
    const task = byTask.get(row.task_id) ?? new Map<string, RunRow[]>();
    byTask.set(row.task_id, task);
    const cell = task.get(variant);
    if (cell === undefined) task.set(variant, [row]);
    else cell.push(row);
  }
  for (const task of byTask.values()) {
    for (const cell of task.values()) cell.sort((a, b) => (a.replicate_index ?? 0) - (b.replicate_index ?? 0));
  }
  return {
    variantIds: [...variants],
    taskIds: [...byTask.keys()],
    at(taskId, variantId) {
      const found = byTask.get(taskId)?.get(variantId);
      return found === undefined ? undefined : { variantId, taskId, rows: found };
    },
  };
}

/** A row without a variant is of the default one. */
export function variantOf(row: Pick<RunRow, "variant_id">): string {
  return row.variant_id ?? "default";
}
