import { keyOfCell } from "../results/known-rows.ts";
import type { RunRow } from "../results/run-row.ts";
import type { RowNames } from "./row-names.ts";

/** Those replicates of a task in a variant that ended in one way. */
export interface ReplicateGroup {
  /** The one that stands for all of them. */
  readonly row: RunRow;
  /** The others. */
  readonly again: readonly RunRow[];
  /** Replicates that ran, those that ended otherwise included. */
  readonly of: number;
}

/**
 * Rows that ended in one way, the replicates of a task and variant together.
 * @param some in the order wanted: the first of a task stands for it, and tells its place
 * @param rows all rows of the run
 */
export function groupReplicates(some: readonly RunRow[], rows: readonly RunRow[]): ReplicateGroup[] {
  if (!rows.some((row) => (row.replicate_index ?? 0) > 0)) return some.map((row) => ({ row, again: [], of: 1 }));
  const ran = Map.groupBy(rows, keyOfCell);
  return [...Map.groupBy(some, keyOfCell)].flatMap(([key, [row, ...again]]) =>
    row === undefined ? [] : [{ row, again, of: ran.get(key)?.length ?? 1 + again.length }],
  );
}

/** The task's name, without the replicate where there are several. Foreign text. */
export function groupName({ row, of }: Pick<ReplicateGroup, "row" | "of">, names: RowNames): string {
  return of > 1 ? names.ofTask(row) : names.of(row);
}

/** `2 of 5` */
export function shareText({ again, of }: Pick<ReplicateGroup, "again" | "of">): string {
  return `${1 + again.length} of ${of}`;
}

/** `failed 2 of 5`; empty for a task without replicates. */
export function missedText(group: Pick<ReplicateGroup, "again" | "of">): string {
  return group.of > 1 ? `failed ${shareText(group)}` : "";
}

/** `00, 02` */
export function replicateNumbers(rows: readonly Pick<RunRow, "replicate_index">[]): string {
  return rows.map(({ replicate_index: index }) => String(index ?? 0).padStart(2, "0")).join(", ");
}
