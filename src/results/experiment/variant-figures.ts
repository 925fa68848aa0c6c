import { bootstrapMeanInterval, sampleDeviation, wilsonInterval } from "../intervals.ts";
import type { RunRow } from "../run-row.ts";
import { averageDuration, countRows, mean, passRate, runCost, runTokens } from "../statistics.ts";
import type { VariantFigures, VariantResult } from "./experiment-schema.ts";

/** Some of what was graded passed, and some did not. */
export function isFlaky(rows: readonly RunRow[]): boolean {
  const { succeeded, graded } = countRows(rows);
  return succeeded > 0 && succeeded < graded;
}

/**
 * A variant by its attempts: errors are misses, what was not graded or not run is no part of the rate.
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
  const interval = wilsonInterval(counts.succeeded, counts.graded);
  const scores = results.map((result) => result.weighted_score).filter((score) => score !== null);
  const scoreInterval = bootstrapMeanInterval(scores);
  const cost = runCost(rows);
  const tokens = runTokens(rows);
  return {
    variant_id: variantId,
    run: counts.run,
    passed: counts.succeeded,
    graded: counts.graded,
    errors: counts.error,
    not_run: notRun,
    pass_rate: passRate(counts) ?? null,
    pass_rate_low: interval?.low ?? null,
    pass_rate_high: interval?.high ?? null,
    score_deviation: sampleDeviation(scores) ?? null,
    score_low: scoreInterval?.low ?? null,
    score_high: scoreInterval?.high ?? null,
    average_assistant_turns: mean(results.map((result) => result.total_assistant_turns)) ?? null,
    total_tokens: tokens.rows === 0 ? null : tokens.total,
    total_cost_usd: cost.total ?? null,
    cost_complete: cost.incomplete === 0,
    average_duration: averageDuration(rows) ?? null,
    tasks_flaky: tasks.filter(isFlaky).length,
  };
}
