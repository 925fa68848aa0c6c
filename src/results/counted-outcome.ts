import { categoryOf, type FinalStatus, isFinalStatus } from "./final-status.ts";
import type { AttemptCriterion, EarlierAttempt } from "./resume/attempt-history.ts";
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
 * error, was cut short or was not graded tells nothing of the task, so the next one is the first. One that was superseded, since its row ran
 * again with other settings or files, tells of another task. Nor does an earlier success count: rows that have passed run again for such a
 * reason only. Counts of rows by category go by the last attempt and not by this one. Pure.
 */
export function countedOutcome(row: Pick<RunRow, "status" | "weighted_score" | "earlier_attempts">): CountedOutcome {
  for (const { status, weighted_score, criteria, superseded } of row.earlier_attempts) {
    if (isFailed(status) && superseded !== true) return { status, weighted_score, criteria: criteria ?? [] };
  }
  return { status: row.status, weighted_score: row.weighted_score, criteria: undefined };
}

/** Whether an attempt that another one followed keeps its row from being a success in rates. */
export function isCountedFailure({ status, superseded }: EarlierAttempt): boolean {
  return isFailed(status) && superseded !== true;
}

function isFailed(status: EarlierAttempt["status"]): status is FinalStatus {
  return isFinalStatus(status) && categoryOf(status) === "failed";
}

/** Whether the last attempt passed after one that had failed: a success in the counts, a miss in the rates. */
export function passedOnRetry(row: Pick<RunRow, "status" | "weighted_score" | "earlier_attempts">): boolean {
  return categoryOf(row.status) === "succeeded" && categoryOf(countedOutcome(row).status) !== "succeeded";
}
