import { isObject } from "../any-object.ts";
import type { CriterionResult } from "../criterion-result.ts";
import type { SuiteThreshold } from "./threshold-checks.ts";

/** What a suite asks of one criterion, by its position in the task file. */
export interface CriterionSpec {
  readonly type: string;
  readonly description: string;
  readonly thresholds: readonly SuiteThreshold[];
}

/** From `success_criteria` as `task.json` keeps it; where there is none, what the results themselves tell. */
export function criterionSpecs(resolved: readonly unknown[], results: readonly CriterionResult[]): CriterionSpec[] {
  return Array.from({ length: Math.max(resolved.length, results.length) }, (_, index) => {
    const [entry, result] = [resolved[index], results[index]];
    const written = isObject(entry) ? entry : {};
    return {
      type: typeof written.type === "string" ? written.type : (result?.criterion_type ?? "unknown"),
      description: result?.description ?? (typeof written.description === "string" ? written.description : ""),
      thresholds: thresholdsOf(written.suite_thresholds),
    };
  });
}

/** A minimum that was infinite or no number stands in a file as null: it is kept, as one that is never reached. */
function thresholdsOf(written: unknown): SuiteThreshold[] {
  if (!isObject(written)) return [];
  return Object.entries(written).map(([metric, minimum]) => [metric, typeof minimum === "number" ? minimum : Number.NaN]);
}
