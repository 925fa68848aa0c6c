import fc from "fast-check";
import { categoryOf, finalStatuses } from "../../../src/results/final-status.ts";
import {
  type AttemptStatus,
  attemptStatuses,
  type EarlierAttempt,
  earlierAttemptSchema,
} from "../../../src/results/resume/attempt-history.ts";
import { type RunRow, runRowSchema } from "../../../src/results/run-row.ts";

// Rows that were tried more than once.

/** An attempt that another one followed. */
export function earlier(status: AttemptStatus, more: Partial<EarlierAttempt> = {}): EarlierAttempt {
  return { ...earlierAttemptSchema.parse({ status }), ...more };
}

/** A row and what was before: `row("SUCCESS", [earlier("FAILURE")])`. */
export function tried(status: RunRow["status"], history: readonly EarlierAttempt[] = [], more: Partial<RunRow> = {}): RunRow {
  const earlier_attempts = history.map((entry, index) => ({ ...entry, attempt: index + 1 }));
  const plain = runRowSchema.parse({ task_id: "t", variant_id: "default", replicate_index: 0, status });
  return { ...plain, weighted_score: status === "SUCCESS" ? 1 : 0, attempt: history.length + 1, earlier_attempts, ...more };
}

const scoreOf = (status: AttemptStatus) =>
  status === "INTERRUPTED" || categoryOf(status) === "ungraded"
    ? fc.constant(null)
    : fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null });

const anyEarlier = fc
  .constantFrom(...attemptStatuses)
  // A row that has passed runs again only where drift has superseded it.
  .chain((status) => fc.record({ weighted_score: scoreOf(status), superseded: fc.boolean() }).map((more) => earlier(status, more)))
  .map((entry) => (entry.status === "SUCCESS" ? { ...entry, superseded: true } : entry));

const anyRow = fc.constantFrom(...finalStatuses).chain((status) =>
  fc
    .record({
      task_id: fc.constantFrom("s/1", "s/2", "s/3", "s/4"),
      variant_id: fc.constantFrom("a", "b"),
      replicate_index: fc.nat({ max: 3 }),
      weighted_score: scoreOf(status),
      history: fc.array(anyEarlier, { maxLength: 4 }),
    })
    .map(({ history, ...more }) => tried(status, history, more)),
);

/** The rows of a run, each with any history. */
export const anyTriedRows = fc.uniqueArray(anyRow, {
  minLength: 1,
  maxLength: 24,
  selector: ({ task_id, variant_id, replicate_index }) => `${variant_id} ${task_id} ${replicate_index}`,
});

/** The row after one more attempt. */
export function again(row: RunRow, status: RunRow["status"], score: number | null, superseded = false): RunRow {
  const last = earlier(row.status, { weighted_score: row.weighted_score, superseded });
  return tried(status, [...row.earlier_attempts, last], {
    task_id: row.task_id,
    variant_id: row.variant_id,
    replicate_index: row.replicate_index,
    weighted_score: score,
  });
}

/** The row as it would be if nobody had tried it again after its first graded attempt. */
export function untried(row: RunRow): RunRow {
  const first = row.earlier_attempts.find(
    ({ status, superseded }) => status !== "INTERRUPTED" && superseded !== true && ["failed", "succeeded"].includes(categoryOf(status)),
  );
  if (first === undefined || first.status === "INTERRUPTED") return { ...row, attempt: 1, earlier_attempts: [] };
  return { ...row, status: first.status, weighted_score: first.weighted_score, attempt: 1, earlier_attempts: [] };
}
