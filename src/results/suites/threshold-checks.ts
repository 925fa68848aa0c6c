import type { Metrics } from "./aggregate.ts";
import type { ThresholdCheck } from "./suite-rollup-schema.ts";

/** A metric and its minimum; NaN where the task file has no number. */
export type SuiteThreshold = readonly [metric: string, minimum: number];

/** What differs by less is equal: means are sums of binary fractions. */
const tolerance = 1e-9;

/** Passed iff the metric exists and is at least the minimum (formats.md 2.4). A minimum that is no number is never reached. */
export function checkThresholds(thresholds: readonly SuiteThreshold[], metrics: Metrics): ThresholdCheck[] {
  return thresholds.map(([metric, minimum]) => {
    const actual = metrics.get(metric);
    return {
      metric,
      min_value: Number.isFinite(minimum) ? minimum : null,
      actual_value: actual ?? null,
      passed: actual !== undefined && (actual >= minimum || actual >= minimum - tolerance),
    };
  });
}
