import { isCountedFailure } from "../counted-outcome.ts";
import { cut } from "../cut-text.ts";
import { failureOf } from "../row-failure.ts";
import type { EvaluationResult } from "../task-result.ts";
import { type AttemptCriterion, type AttemptStatus, criteriaForHistory, type EarlierAttempt } from "./attempt-history.ts";
import { cutShortBy } from "./cut-short.ts";

/** Of the attempts of one row that are kept: a row that is tried for weeks must not grow for ever. */
const maxKept = 50;
const firstKept = 24;
const reasonChars = 400;
const maxCriteria = 1000;
const labelChars = 1000;
/** Above it a number is damage, not a count. */
const maxAttempt = 1_000_000;

/** A finished attempt, as those after it remember it. */
export function rememberResult(result: EvaluationResult, attempt: number): EarlierAttempt {
  const cutShort = cutShortBy(result);
  const status: AttemptStatus = cutShort === undefined ? result.final_status : "INTERRUPTED";
  const criteria = cutShort === undefined ? criteriaForHistory(result) : undefined;
  return {
    attempt,
    status,
    weighted_score: cutShort === undefined ? result.weighted_score : null,
    started_at: result.started_at === "" ? null : result.started_at,
    duration_seconds: result.duration_seconds,
    reason: cutShort === undefined ? reasonOf(result) : `cut short: ${oneLine(cutShort)}`,
    ...(criteria === undefined ? {} : { criteria }),
  };
}

function reasonOf(result: EvaluationResult): string | null {
  if (result.final_status === "NOT_GRADED") return "not graded";
  const failure = failureOf(result);
  return failure === null ? null : oneLine(failure.reason);
}

/** An attempt that began and has no result. */
export function rememberLost(attempt: number, startedAt: string | null, status: "INTERRUPTED" | "ERROR", reason: string): EarlierAttempt {
  return { attempt, status, weighted_score: null, started_at: startedAt, duration_seconds: null, reason: oneLine(reason) };
}

/** The number of an attempt as a file has it, if it can be one. */
export function attemptNumber(value: number | null | undefined): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= maxAttempt ? value : undefined;
}

/**
 * Attempts by number, each once, oldest first, at most 50: the first ones, the last ones, and the failed one by which the row counts in the
 * pass rate, if there is one. Only that one keeps what its criteria gave. Of two with one number the one of the earlier list stays.
 */
export function joinAttempts(...lists: readonly (readonly EarlierAttempt[])[]): EarlierAttempt[] {
  const byNumber = new Map<number, EarlierAttempt>();
  for (const entry of lists.flat()) {
    const attempt = attemptNumber(entry.attempt);
    if (attempt === undefined || byNumber.has(attempt)) continue;
    const reason = entry.reason === null ? null : oneLine(entry.reason);
    byNumber.set(attempt, { ...entry, reason, started_at: entry.started_at === null ? null : cut(entry.started_at, 40) });
  }
  const sorted = [...byNumber.values()].sort((a, b) => a.attempt - b.attempt);
  const counted = sorted.findIndex(isCountedFailure);
  const lean = sorted.map(({ criteria, ...entry }, index) =>
    index === counted && criteria !== undefined ? { ...entry, criteria: criteria.slice(0, maxCriteria).map(bounded) } : entry,
  );
  if (lean.length <= maxKept) return lean;
  const lastKept = lean.length - (maxKept - firstKept - 1);
  return lean.filter((_entry, index) => index < firstKept || index >= lastKept || index === counted);
}

function bounded(criterion: AttemptCriterion): AttemptCriterion {
  const [observed, expected] = [criterion.observed_label, criterion.expected_label];
  return {
    ...criterion,
    criterion_type: cut(criterion.criterion_type, labelChars),
    observed_label: observed === null ? null : cut(observed, labelChars),
    expected_label: expected === null ? null : cut(expected, labelChars),
  };
}

function oneLine(text: string): string {
  return cut(text.trim().replace(/\s+/g, " "), reasonChars);
}
