import { wilsonInterval } from "../intervals.ts";
import type { RunRow } from "../run-row.ts";
import { averageDuration, countRows, passRate, runCost, runTokens } from "../statistics.ts";
import type { AttemptFigures } from "./experiment-schema.ts";

/** Some of what was graded passed, and some did not. */
export function isFlaky(rows: readonly RunRow[]): boolean {
  const { succeeded, graded } = countRows(rows);
  return succeeded > 0 && succeeded < graded;
}

/**
 * A variant by its attempts: errors are misses, what was not graded or not run is no part of the rate.
 * @param tasks the variant's rows by task
 */
export function attemptFigures(variantId: string, tasks: readonly (readonly RunRow[])[], notRun: number): AttemptFigures {
  const rows = tasks.flat();
  const counts = countRows(rows);
  const interval = wilsonInterval(counts.succeeded, counts.graded);
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
    total_tokens: tokens.rows === 0 ? null : tokens.total,
    total_cost_usd: cost.total ?? null,
    cost_complete: cost.incomplete === 0,
    average_duration: averageDuration(rows) ?? null,
    tasks_flaky: tasks.filter(isFlaky).length,
  };
}
