import { bootstrapMeanInterval, type Interval } from "../intervals.ts";
import { mean } from "../statistics.ts";
import type { Comparison, TaskExperimentSummary } from "./experiment-schema.ts";

/** Differences below it come from adding floating-point numbers in another order. */
export const noDifference = 1e-9;
/** As many tasks that all differ in one direction are rarer than 1 in 20 by chance (2 × 0.5⁶ = 0.03); fewer never are. */
const fewestDifferent = 6;

/** The second of exactly two variants against the first, over the tasks that have a score in both; null for any other number of them. */
export function compareVariants(variantIds: readonly string[], tasks: readonly TaskExperimentSummary[]): Comparison | null {
  const [baseline, variant, third] = variantIds;
  if (baseline === undefined || variant === undefined || third !== undefined) return null;
  const differences = tasks.flatMap((task) => {
    const [before, after] = [scoreIn(task, baseline), scoreIn(task, variant)];
    if (before === null || after === null) return [];
    const difference = after - before;
    return [Math.abs(difference) < noDifference ? 0 : difference];
  });
  const interval = bootstrapMeanInterval(differences);
  const different = differences.filter((difference) => difference !== 0).length;
  return {
    baseline,
    variant,
    pairs: differences.length,
    pairs_different: different,
    mean_difference: mean(differences) ?? null,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    reading: differences.length === 0 ? null : read(interval, different),
  };
}

function scoreIn(task: TaskExperimentSummary, variantId: string): number | null {
  return task.variant_results.find((result) => result.variant_id === variantId)?.weighted_score ?? null;
}

function read(interval: Interval | undefined, different: number): NonNullable<Comparison["reading"]> {
  if (different === 0) return "no clear difference";
  if (interval !== undefined && interval.low <= 0 && interval.high >= 0) return "no clear difference";
  if (interval === undefined || different < fewestDifferent) return "too few tasks differ";
  return interval.low > 0 ? "higher" : "lower";
}
