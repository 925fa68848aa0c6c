import { DeadlineError, EnvironmentError, InternalError, SandboxLostError } from "../errors.ts";
import type { CheckOutcome, CriterionContext } from "./criterion.ts";
import type { Criterion } from "./criterion-schema.ts";
import { checkCriterion } from "./registry.ts";

/** One entry of `success_criteria_results`, keys in the order of formats.md 5.3. */
export type GradedCriterion = {
  readonly result_kind: string;
  readonly criterion_type: string;
  readonly description: string;
  /** 0 … 1. */
  readonly score: number;
  readonly details: string | null;
  readonly error: string | null;
  readonly evaluation_status: string;
  readonly pass_threshold: number;
  readonly gating: boolean;
  readonly observed_label?: string;
  readonly expected_label?: string;
};

/** What a verdict needs of a result. */
export type JudgedResult = Pick<GradedCriterion, "score" | "pass_threshold" | "gating">;

/**
 * Judges all criteria, one after the other in their order, since commands may build on each other. One result each, whatever happens: a
 * checker that throws scores 0 with the reason and the next one goes on.
 * @throws SandboxLostError, EnvironmentError, DeadlineError, InternalError and the signal's reason: those say nothing about the task
 */
export async function gradeTask(criteria: readonly Criterion[], context: CriterionContext): Promise<GradedCriterion[]> {
  const results: GradedCriterion[] = [];
  for (const criterion of criteria) {
    context.signal.throwIfAborted();
    results.push(toResult(criterion, await checkSafely(criterion, context), isGating(criterion, criteria)));
  }
  return results;
}

/**
 * Σ(score × weight) / Σ weight. When no criterion has weight, the plain mean: they all gate then, and a success must not score 0.
 * @throws InternalError when the counts differ
 */
export function weightedScore(results: readonly Pick<JudgedResult, "score">[], criteria: readonly Pick<Criterion, "weight">[]): number {
  if (results.length !== criteria.length) {
    throw new InternalError(`${results.length} results for ${criteria.length} criteria: no weighted score`);
  }
  if (criteria.length === 0) return 0;
  const heaviest = Math.max(...criteria.map(({ weight }) => weight));
  if (heaviest === 0) return results.reduce((sum, { score }) => sum + score, 0) / results.length;
  // Only weights near the ends of a double's range need scaling, and it would change the last digit of others.
  const unit = heaviest > 1e300 || heaviest < 1e-300 ? heaviest : 1;
  const weights = criteria.map(({ weight }) => weight / unit);
  const weighted = results.reduce((sum, { score }, index) => sum + score * (weights[index] ?? 0), 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return Math.min(1, weighted / total);
}

/** Passed when there is a gating result and every gating one reaches its threshold; the weighted score plays no part. */
export function verdictOf(results: readonly JudgedResult[], criteria: readonly Pick<Criterion, "weight">[]): boolean {
  const gating = results.filter((result) => result.gating);
  return results.length === criteria.length && gating.length > 0 && gating.every(({ score, pass_threshold }) => score >= pass_threshold);
}

/** A weight of 0 is informational [0.8.9+], unless nothing else is there to gate: then all gate, as before. */
export function isGating(criterion: Pick<Criterion, "weight">, criteria: readonly Pick<Criterion, "weight">[]): boolean {
  return criterion.weight !== 0 || criteria.every(({ weight }) => weight === 0);
}

/** `reference_comparison` has a threshold of its own in place of the common one (formats.md 2.2). */
function thresholdOf(criterion: Criterion): number {
  return criterion.type === "reference_comparison" ? criterion.similarity_threshold : criterion.pass_threshold;
}

async function checkSafely(criterion: Criterion, context: CriterionContext): Promise<CheckOutcome> {
  try {
    const outcome = await checkCriterion(criterion, context);
    if (outcome.score >= 0 && outcome.score <= 1) return outcome;
    return { ...outcome, score: 0, error: `the check gave the score ${outcome.score}, which is not within 0 and 1` };
  } catch (error) {
    context.signal.throwIfAborted();
    if (isNotAboutTheTask(error)) throw error;
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : `Error: ${String(error)}`;
    return { score: 0, details: `Error during check: ${reason}`, error: reason };
  }
}

function isNotAboutTheTask(error: unknown): boolean {
  return [SandboxLostError, EnvironmentError, DeadlineError, InternalError].some((kind) => error instanceof kind);
}

function toResult(criterion: Criterion, outcome: CheckOutcome, gating: boolean): GradedCriterion {
  const { observedLabel, expectedLabel } = outcome;
  const labels = observedLabel !== undefined && expectedLabel !== undefined;
  return {
    result_kind: labels ? "classification" : "basic",
    criterion_type: criterion.type,
    description: criterion.description,
    score: outcome.score,
    details: outcome.details,
    error: outcome.error,
    evaluation_status: "evaluated",
    pass_threshold: thresholdOf(criterion),
    gating,
    ...(labels ? { observed_label: observedLabel, expected_label: expectedLabel } : {}),
  };
}
