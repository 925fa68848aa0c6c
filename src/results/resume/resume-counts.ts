import type { RunSummary } from "../run-summary-schema.ts";

/** The rows of a run that continued another one; `kept`, `ran` and `notRun` together are all that were planned. */
export interface ResumeCounts {
  /** Results of earlier executions that stand in this one. */
  readonly kept: number;
  /** Rows that ran in this one. */
  readonly ran: number;
  readonly notRun: number;
  /** Rows that had to run: those that ran, those that were not run, and those whose old result stands because they were not started. */
  readonly toRun: number;
}

type Resumed = Pick<RunSummary, "resume" | "task_results" | "tasks_run" | "tasks_not_run">;

/** Undefined for a run from scratch. */
export function resumeCounts({ resume, task_results: rows, tasks_run: run, tasks_not_run: notRun }: Resumed): ResumeCounts | undefined {
  if (resume === null) return undefined;
  const marked = rows.reduce((sum, row) => sum + Number(row.kept), 0);
  // Rows read back from the disk do not know which execution they are of; the plan still does.
  const kept = marked > 0 ? marked : Math.min(resume.rows_kept, run);
  return { kept, ran: run - kept, notRun, toRun: Math.max(resume.rows_to_run, run - kept) };
}
