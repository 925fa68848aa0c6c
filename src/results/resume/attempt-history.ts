import { z } from "zod";
import type { CriterionResult } from "../criterion-result.ts";
import { categoryOf, type FinalStatus, finalStatuses } from "../final-status.ts";
import { flagOr, listOf, numberOr, numberOrNull, textOr, textOrNull } from "../tolerant.ts";

/** How an attempt ended. `INTERRUPTED`: it was cut short by a stop, a kill or the loss of the engine, and is no result. */
export const attemptStatuses = [...finalStatuses, "INTERRUPTED"] as const;

/** What a criterion gave in an attempt, as far as the metrics of a suite need it. */
export const attemptCriterionSchema = z.object({
  criterion_type: textOr("unknown"),
  score: numberOr(0),
  /** It could not be checked. */
  failed_to_check: flagOr(false),
  observed_label: textOrNull,
  expected_label: textOrNull,
});

/** An attempt of a row that another one followed. */
export const earlierAttemptSchema = z.object({
  /** From 1. */
  attempt: numberOr(1),
  status: z.enum(attemptStatuses),
  weighted_score: numberOrNull,
  started_at: textOrNull,
  /** Seconds; null where nobody measured. */
  duration_seconds: numberOrNull,
  /** Why it was no success, one line; null for a success. */
  reason: textOrNull,
  /** Of a failed attempt, by position in the task file: the metrics of its suite count them. */
  criteria: listOf(attemptCriterionSchema).optional(),
  /** Settings or files of the row were others then, and it ran again for that: no rate counts it. */
  superseded: flagOr(false).optional(),
});

export type AttemptCriterion = z.infer<typeof attemptCriterionSchema>;
export type AttemptStatus = (typeof attemptStatuses)[number];
export type EarlierAttempt = z.infer<typeof earlierAttemptSchema>;

/** What is known of a row when an attempt of it begins. */
export interface AttemptHistory {
  /** Of the attempt that begins; from 1. */
  readonly attempt: number;
  /** Oldest first. */
  readonly earlier: readonly EarlierAttempt[];
}

export const firstAttempt: AttemptHistory = { attempt: 1, earlier: [] };

/** What `EarlierAttempt.criteria` keeps of a result that another attempt follows; undefined where nothing will count it. */
export function criteriaForHistory(result: HistoricResult): AttemptCriterion[] | undefined {
  if (categoryOf(result.final_status) !== "failed") return undefined;
  return result.success_criteria_results.map(({ criterion_type, score, error, observed_label, expected_label }) => ({
    criterion_type,
    score,
    failed_to_check: error !== null,
    observed_label: observed_label ?? null,
    expected_label: expected_label ?? null,
  }));
}

interface HistoricResult {
  readonly final_status: FinalStatus;
  readonly success_criteria_results: readonly CriterionResult[];
}
