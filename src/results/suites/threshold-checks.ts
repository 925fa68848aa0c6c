import type { Metrics } from "./aggregate.ts";
import type { ThresholdCheck } from "./suite-rollup-schema.ts";

/** A metric and its minimum; not finite where the task file has no number that JSON could keep. */
export type SuiteThreshold = readonly [metric: string, minimum: number];

/** What differs by less is equal: means are sums of binary fractions. */
const tolerance = 1e-9;

/** Passed iff the metric exists and is at least the minimum (formats.md 2.4). A minimum that is no finite number is never reached: files have null for it. */
export function checkThresholds(thresholds: readonly SuiteThreshold[], metrics: Metrics): ThresholdCheck[] {
  return thresholds.map(([metric, minimum]) => {
    const actual = metrics.get(metric);
    return {
      metric,
      min_value: Number.isFinite(minimum) ? minimum : null,
      actual_value: actual ?? null,
      passed: actual !== undefined && Number.isFinite(minimum) && actual >= minimum - tolerance,
    };
  });
}
