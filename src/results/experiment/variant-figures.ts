import { passedOnRetry } from "../counted-outcome.ts";
import { bootstrapMeanInterval, sampleDeviation } from "../intervals.ts";
import { passAtK } from "../pass-at-k.ts";
import { passRateInterval } from "../pass-rate-interval.ts";
import type { RunRow } from "../run-row.ts";
import { averageDuration, countForRate, countRows, mean, passRate, runCost, runTokens } from "../statistics.ts";
import type { VariantFigures, VariantResult } from "./experiment-schema.ts";

/** Some of what was graded passed, and some did not: replicates, or attempts of one. */
export function isFlaky(rows: readonly RunRow[]): boolean {
  const { succeeded, graded } = countForRate(rows);
  return (succeeded > 0 && succeeded < graded) || rows.some(passedOnRetry);
}

/**
 * A variant by its replicates: errors are misses, what was not graded or not run is no part of the rate.
 * @param tasks the variant's rows by task
 * @param results the same tasks, each as one result
 */
export function variantFigures(
  variantId: string,
  tasks: readonly (readonly RunRow[])[],
  results: readonly VariantResult[],
  notRun: number,
): VariantFigures {
  const rows = tasks.flat();
  const counts = countRows(rows);
  const counted = countForRate(rows);
  const interval = passRateInterval(rows);
  const scores = results.map((result) => result.weighted_score).filter((score) => score !== null);
  const scoreInterval = bootstrapMeanInterval(scores);
  const cost = runCost(rows);
  const tokens = runTokens(rows);
  return {
    variant_id: variantId,
    run: counts.run,
    passed: counted.succeeded,
    graded: counted.graded,
    errors: counts.error,
    not_run: notRun,
    pass_rate: passRate(counted) ?? null,
    pass_rate_low: interval?.low ?? null,
    pass_rate_high: interval?.high ?? null,
    pass_rate_method: interval?.method ?? null,
    score_deviation: sampleDeviation(scores) ?? null,
    score_low: scoreInterval?.low ?? null,
    score_high: scoreInterval?.high ?? null,
    average_assistant_turns: mean(results.map((result) => result.total_assistant_turns)) ?? null,
    total_tokens: tokens.rows === 0 ? null : tokens.total,
    total_cost_usd: cost.total ?? null,
    cost_complete: cost.incomplete === 0,
    average_duration: averageDuration(rows) ?? null,
    tasks_flaky: tasks.filter(isFlaky).length,
    passed_on_retry: rows.filter(passedOnRetry).length,
    pass_at_k: passAtK(tasks.map((task) => countForRate(task))),
  };
}
