import { z } from "zod";
import { cut } from "../cut-text.ts";
import { passRateIntervalSchema } from "../pass-rate-interval.ts";
import { fittingOrNull, flagOr, listOf, numberOr, numberOrNull, textOr } from "../tolerant.ts";
import { suiteDir } from "./suite-dir.ts";
import type { CriterionAggregate, SuiteRollup } from "./suite-rollup-schema.ts";

const checksKept = 10;
const nameChars = 200;

const failedCheckSchema = z.object({
  /** Its type; where several criteria of the type have numbers, also which of the task's criteria it is. */
  criterion: textOr(""),
  metric: textOr(""),
  /** Null where the task file has no number. */
  min_value: numberOrNull,
  /** Null where there is no such metric. */
  actual_value: numberOrNull,
});

/** A suite in `run.json`: what reports and gate need of `suite.json`. Foreign texts. */
export const suiteSummarySchema = z.object({
  suite_id: z.string(),
  variant_id: textOr("default"),
  rows_total: numberOr(0),
  rows_passed: numberOr(0),
  rows_failed: numberOr(0),
  rows_error: numberOr(0),
  rows_not_graded: numberOr(0),
  rows_not_run: numberOr(0),
  /** Share of the graded rows, errors included, that passed at their first graded attempt; null when there are none. */
  pass_rate: numberOrNull,
  average_weighted_score: numberOrNull,
  /** Thresholds of the task file; without one there is no gate. */
  checks: numberOr(0),
  checks_failed: numberOr(0),
  /** Every threshold holds. */
  passed: z.boolean(),
  /** Not passed, and rows that were not run or graded could still change that. */
  undecided: flagOr(false),
  /** The first ten. */
  failed_checks: listOf(failedCheckSchema),
  /** Directory of `suite.json` and `suite.md`, relative to the run directory. */
  result_dir: textOr(""),
  /** In `rows_passed`, and no success in the rate. */
  rows_passed_on_retry: numberOr(0),
  /** `pass_rate` with its parts; null when nothing was graded. */
  pass_rate_interval: fittingOrNull(passRateIntervalSchema),
});

export type SuiteSummary = z.infer<typeof suiteSummarySchema>;
export type FailedCheck = z.infer<typeof failedCheckSchema>;

export function summarizeSuite(rollup: SuiteRollup): SuiteSummary {
  const aggregates = rollup.criterion_aggregates;
  const checks = aggregates.flatMap((aggregate) =>
    aggregate.threshold_checks.map((check) => ({ check, criterion: nameOf(aggregate, aggregates) })),
  );
  const failed = checks.filter(({ check }) => !check.passed);
  return {
    suite_id: rollup.suite_id,
    variant_id: rollup.variant_id,
    rows_total: rollup.rows_total,
    rows_passed: rollup.rows_passed,
    rows_failed: rollup.rows_failed,
    rows_error: rollup.rows_error,
    rows_not_graded: rollup.rows_not_graded,
    rows_not_run: rollup.rows_not_run,
    pass_rate: rollup.rows_graded === 0 ? null : rollup.pass_rate,
    average_weighted_score: rollup.average_weighted_score,
    checks: checks.length,
    checks_failed: failed.length,
    passed: rollup.passed,
    undecided: rollup.undecided,
    failed_checks: failed.slice(0, checksKept).map(({ check, criterion }) => ({
      criterion,
      metric: cut(check.metric, nameChars),
      min_value: check.min_value,
      actual_value: check.actual_value,
    })),
    result_dir: suiteDir(rollup.variant_id, rollup.suite_id),
    rows_passed_on_retry: rollup.rows_passed_on_retry,
    pass_rate_interval: rollup.pass_rate_interval,
  };
}

/** Descriptions would tell more, but they are the first row's. */
function nameOf({ criterion_type: type, index }: CriterionAggregate, all: readonly CriterionAggregate[]): string {
  const isOnly = all.filter((other) => other.criterion_type === type).length === 1;
  return isOnly ? cut(type, nameChars) : `${cut(type, nameChars)}, criterion ${index + 1}`;
}

/** What the pass rate of a suite is made of; files of older versions have no such numbers, and no retries either. */
export function suiteRateParts(suite: SuiteSummary): { readonly passed: number; readonly graded: number } {
  const { pass_rate_interval: parts, rows_total: total, rows_not_run: notRun, rows_not_graded: ungraded } = suite;
  return parts === null ? { passed: suite.rows_passed, graded: total - notRun - ungraded } : { passed: parts.passed, graded: parts.of };
}
