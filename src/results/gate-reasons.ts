import { commonCause } from "./common-cause.ts";
import { countedOutcome, passedOnRetry } from "./counted-outcome.ts";
import { categoryOf } from "./final-status.ts";
import type { GatePolicy } from "./gate-policy.ts";
import { suiteReasons } from "./gate-suites.ts";
import { numberText, oneLine, percentBelow, percentText, scoreBelow, thousands } from "./gate-text.ts";
import type { RunRow } from "./run-row.ts";
import type { RunSummary, RunVerdict } from "./run-summary-schema.ts";
import { passRateOf } from "./statistics.ts";

/** The part of a summary that a verdict rests on. */
export type GateFacts = Pick<
  RunSummary,
  | "tasks_run"
  | "tasks_succeeded"
  | "tasks_failed"
  | "tasks_error"
  | "tasks_not_graded"
  | "tasks_not_run"
  | "skipped_tasks"
  | "unreadable"
  | "interrupted"
  | "task_results"
  | "suites"
>;

/** The thresholds of a policy, without its word on the step's end. */
export type Thresholds = Pick<GatePolicy, "minPassRate" | "minTaskScore">;

/** One thing that keeps a run from having passed. */
export interface Reason {
  /** `failure`: of a task or a suite. `error`: of machine or files. `open`: not known. */
  readonly kind: "failure" | "error" | "open" | "interrupted" | "threshold" | "empty";
  /** One line; may hold a task's name or an error's message. */
  readonly text: string;
  /** Counts through the asked pass rate only: says why the rate is what it is, and does not keep the verdict from `passed`. */
  readonly inRate: boolean;
}

/** Everything that is to be said against a run under these thresholds, weightiest first. Pure. */
export function reasonsOf(facts: GateFacts, thresholds: Thresholds): readonly Reason[] {
  const { tasks_run: run, tasks_failed: failed, tasks_error: error } = facts;
  // A run of errors alone measured nothing, so that no rate speaks for it, not even one of 0.
  const onlyErrors = error > 0 && error === run;
  const byRate = thresholds.minPassRate !== undefined;
  const invalid = facts.skipped_tasks.filter((task) => task.kind === "invalid").length;
  const other = invalid > 0 || facts.unreadable.length > 0 || facts.interrupted;
  // Of nothing there is no rate: that there was nothing is the whole answer.
  if (run === 0 && facts.tasks_not_run === 0 && !other) return [reason("empty", "there was no task to run")];
  return [
    phrase("failure", failed, "task failed", "tasks failed", byRate),
    onlyErrors ? [reason("error", allErrors(facts))] : phrase("error", error, "task ended in an error", "tasks ended in an error", byRate),
    phrase("error", invalid, "task file could not be loaded", "task files could not be loaded"),
    phrase("error", facts.unreadable.length, "result could not be used", "results could not be used"),
    passRateReason(facts, thresholds.minPassRate),
    scoreReason(facts.task_results, thresholds.minTaskScore),
    suiteReasons(facts.suites).map(({ kind, text }) => reason(kind, text)),
    phrase("open", facts.tasks_not_run, "task was not run", "tasks were not run"),
    phrase("open", facts.tasks_not_graded, "task was not graded", "tasks were not graded"),
    facts.interrupted ? [reason("interrupted", "the run was interrupted")] : [],
  ].flat();
}

/** The verdict and each thing that keeps it from `passed`. A certain failure outweighs an open end. */
export function verdictOf(facts: GateFacts, thresholds: Thresholds): { readonly verdict: RunVerdict; readonly reasons: readonly string[] } {
  const against = reasonsOf(facts, thresholds).filter((entry) => !entry.inRate);
  const has = (...kinds: readonly Reason["kind"][]) => against.some((entry) => kinds.includes(entry.kind));
  const reasons = against.map((entry) => entry.text);
  if (has("failure", "error", "threshold")) return { verdict: "failed", reasons };
  if (has("open", "interrupted")) return { verdict: "incomplete", reasons };
  return { verdict: has("empty") ? "empty" : "passed", reasons };
}

function reason(kind: Reason["kind"], text: string, inRate = false): Reason {
  return { kind, text, inRate };
}

function phrase(kind: Reason["kind"], count: number, one: string, many: string, inRate = false): Reason[] {
  return count === 0 ? [] : [reason(kind, `${thousands(count)} ${count === 1 ? one : many}`, inRate)];
}

/** The cause comes with it: it is the only thing to know about such a run. */
function allErrors(facts: GateFacts): string {
  const count = facts.tasks_error;
  const which = facts.tasks_not_run > 0 ? " that ran" : "";
  const what = count === 1 ? `the only task${which} ended in an error` : `all ${thousands(count)} tasks${which} ended in an error`;
  const cause = commonCause(facts.task_results.filter((row) => categoryOf(row.status) === "error"));
  if (cause === undefined) return what;
  return `${what}: ${cause.text}${cause.rows < count ? ` (${thousands(cause.rows)} of ${thousands(count)})` : ""}`;
}

/** Far above the error of binary fractions (0.7 × 10 is a little more than 7), far below one task of a billion. */
const tolerance = 1e-12;

function passRateReason(facts: GateFacts, asked: number | undefined): Reason[] {
  if (asked === undefined) return [];
  const { passed, graded, ungraded, rate } = passRateOf(facts);
  const holds = (more: number): boolean => passed + more >= (asked - tolerance) * (graded + more);
  if (rate !== undefined && holds(0)) return [];
  const what =
    rate === undefined
      ? "no task was graded"
      : `${percentBelow(rate, asked)} of ${thousands(graded)} graded ${graded === 1 ? "task" : "tasks"} passed${retryHint(facts.task_results)}`;
  // While tasks are missing that could lift the rate, nobody knows yet.
  const kind = holds(facts.tasks_not_run + ungraded) ? "open" : "threshold";
  return [reason(kind, `${what}, at least ${percentText(asked)} asked`)];
}

/** Why a rate is lower than the counts beside it look. */
function retryHint(rows: readonly RunRow[]): string {
  const count = rows.filter(passedOnRetry).length;
  return count === 0 ? "" : ` at the first attempt (${thousands(count)} more on a retry)`;
}

/** A score is a weighted sum of fractions; what differs by less is equal. */
const scoreTolerance = 1e-9;

/** By the attempts that count, as the pass rate: a retry makes a run no better than it was. */
function scoreReason(rows: readonly RunRow[], asked: number | undefined): Reason[] {
  if (asked === undefined) return [];
  let graded = 0;
  let below = 0;
  let worst: { readonly taskId: string; readonly score: number | null } | undefined;
  for (const row of rows) {
    const { status, weighted_score: score } = countedOutcome(row);
    if (categoryOf(status) === "ungraded") continue;
    graded += 1;
    if ((score ?? 0) >= asked - scoreTolerance) continue;
    below += 1;
    if (worst === undefined || (score ?? 0) < (worst.score ?? 0)) worst = { taskId: row.task_id, score };
  }
  if (worst === undefined) return [];
  const count = `${thousands(below)} of ${thousands(graded)} graded ${graded === 1 ? "task" : "tasks"} scored below ${numberText(asked)}`;
  const score = worst.score === null ? "no score" : scoreBelow(worst.score, asked);
  return [reason("threshold", `${count}, lowest ${oneLine(worst.taskId, 100)} (${score})`)];
}
