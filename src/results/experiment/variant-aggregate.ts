import { type Category, categoryOf } from "../final-status.ts";
import { errorShare, mean, passRate, type RateCounts, sum } from "../statistics.ts";
import type { VariantAggregate, VariantResult } from "./experiment-schema.ts";

/**
 * `variant.json`: the tasks of one variant, each once (formats.md 3.6; a variant without results has zeros, and no rates). Its counts go by the
 * last attempts, its pass rate by those that count.
 * @param counted of each task, in the order of `results`
 */
export function aggregateVariant(variantId: string, results: readonly VariantResult[], counted: readonly Category[]): VariantAggregate {
  const count = (category: Category): number => results.filter((result) => categoryOf(result.final_status) === category).length;
  const [succeeded, failed, error, notGraded] = [count("succeeded"), count("failed"), count("error"), count("ungraded")];
  const graded = succeeded + failed + error;
  return {
    variant_id: variantId,
    tasks_run: results.length,
    tasks_succeeded: succeeded,
    tasks_failed: failed,
    tasks_error: error,
    tasks_not_graded: notGraded,
    average_score: mean(results.map((result) => result.weighted_score)) ?? (results.length === 0 ? 0 : null),
    average_duration: mean(results.map((result) => result.duration_seconds / result.replicate_count)) ?? 0,
    total_tokens: sum(results.map((result) => result.total_tokens)) ?? null,
    replicate_count: results[0]?.replicate_count ?? 1,
    tasks_token_budget_exceeded: results.filter((result) => result.final_status === "TOKEN_BUDGET_EXCEEDED").length,
    tasks_cost_budget_exceeded: results.filter((result) => result.final_status === "COST_BUDGET_EXCEEDED").length,
    tasks_measured: results.filter((result) => result.weighted_score !== null).length,
    tasks_graded: graded,
    pass_rate: passRate(rateCounts(counted)) ?? null,
    error_share: errorShare({ error, graded }) ?? null,
  };
}

function rateCounts(counted: readonly Category[]): RateCounts {
  return {
    succeeded: counted.filter((category) => category === "succeeded").length,
    graded: counted.filter((category) => category !== "ungraded").length,
  };
}
