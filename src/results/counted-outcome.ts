import { categoryOf, type FinalStatus, isFinalStatus } from "./final-status.ts";
import type { AttemptCriterion } from "./resume/attempt-history.ts";
import type { RunRow } from "./run-row.ts";

/** What rates and mean scores count a row as. */
export interface CountedOutcome {
  readonly status: FinalStatus;
  readonly weighted_score: number | null;
  /** Of an earlier attempt that counts in place of the last one: what its criteria gave. Undefined where the last one counts. */
  readonly criteria: readonly AttemptCriterion[] | undefined;
}

/**
 * The attempt by which a row counts in everything that is published as a rate, a mean score or a metric: the first one that was
 * graded (docs/decisions/0012-resume.md). A failed attempt therefore stays a miss, whatever a retry made of the row. One that ended in an
 * error, was cut short or was not graded tells nothing of the task, so the next one is the first. An earlier success does not
 * count either: rows that have passed run again only where something else has changed, and what has changed must not keep the old
 * success. Counts of rows by category go by the last attempt and not by this one. Pure.
 */
export function countedOutcome(row: Pick<RunRow, "status" | "weighted_score" | "earlier_attempts">): CountedOutcome {
  for (const { status, weighted_score, criteria } of row.earlier_attempts) {
    if (isFinalStatus(status) && categoryOf(status) === "failed") return { status, weighted_score, criteria: criteria ?? [] };
  }
  return { status: row.status, weighted_score: row.weighted_score, criteria: undefined };
}

/** Whether the last attempt passed after one that had failed: a success in the counts, a miss in the rates. */
export function passedOnRetry(row: Pick<RunRow, "status" | "weighted_score" | "earlier_attempts">): boolean {
  return categoryOf(row.status) === "succeeded" && categoryOf(countedOutcome(row).status) !== "succeeded";
}
