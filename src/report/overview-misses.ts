import { causeKey } from "../results/common-cause.ts";
import { keyOfCell } from "../results/known-rows.ts";
import type { RunRow } from "../results/run-row.ts";
import { groupReplicates, type ReplicateGroup } from "./replicate-groups.ts";
import { reasonOf } from "./row-text.ts";
import { isError, worstFirst } from "./worst-first.ts";

/** A broken machine gives hundreds of tasks one reason. More than this many of them would hide what else there is. */
export const tasksPerReason = 3;

/** A task that failed or ended in an error, with others that ended in the same error. */
export interface Miss extends ReplicateGroup {
  readonly others: readonly RunRow[];
}

/**
 * The misses, worst first, the replicates of a task together. Errors that many tasks have in common are one of them; failures whose
 * reason stands there often enough come behind all others.
 */
export function missesOf(rows: readonly RunRow[]): Miss[] {
  const sorted = worstFirst(rows);
  const shared = sharedErrors(sorted);
  const byHead = new Map<RunRow, Miss>();
  for (const [row, ...others] of new Set(shared.values())) if (row !== undefined) byHead.set(row, { row, others, again: [], of: 1 });
  const alone = sorted.filter((row) => !shared.has(row));
  for (const task of groupReplicates(alone, rows)) byHead.set(task.row, { ...task, others: [] });
  const seen = new Map<string, number>();
  const [first, repeats]: [Miss[], Miss[]] = [[], []];
  for (const row of sorted) {
    const miss = byHead.get(row);
    if (miss === undefined) continue;
    const times = (seen.get(reasonOf(row)) ?? 0) + 1;
    if (miss.others.length === 0) seen.set(reasonOf(row), times);
    (times > tasksPerReason && miss.others.length === 0 ? repeats : first).push(miss);
  }
  return [...first, ...repeats];
}

/** Rows whose error many tasks have, each with all rows of that error. */
function sharedErrors(sorted: readonly RunRow[]): Map<RunRow, readonly RunRow[]> {
  const causes = Map.groupBy(sorted.filter(isError), (row) => `${row.status} ${causeKey(row)}`);
  const many = [...causes.values()].filter((same) => new Set(same.map(keyOfCell)).size > tasksPerReason);
  return new Map(many.flatMap((same) => same.map((row) => [row, same])));
}

/** Rows, of all misses together. */
export function countMissed(misses: readonly Miss[]): number {
  return misses.reduce((sum, { others, again }) => sum + 1 + others.length + again.length, 0);
}
