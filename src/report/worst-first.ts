import { categoryOf } from "../results/final-status.ts";
import type { RunRow } from "../results/run-row.ts";

/** Rows that failed or ended in an error, the worst first: errors, then the lowest scores, then the order of the run. */
export function worstFirst(rows: readonly RunRow[]): RunRow[] {
  return rows
    .filter((row) => isError(row) || categoryOf(row.status) === "failed")
    .sort((a, b) => Number(isError(b)) - Number(isError(a)) || (a.weighted_score ?? 0) - (b.weighted_score ?? 0));
}

/** Machine or task set-up broke, rather than the agent's work being judged too low. */
export function isError(row: RunRow): boolean {
  return categoryOf(row.status) === "error";
}
