import { numberText, oneLine, scoreBelow, thousands } from "./gate-text.ts";
import type { FailedCheck, SuiteSummary } from "./suites/suite-summary.ts";

const suitesTold = 5;
const nameChars = 100;

/** A suite whose thresholds do not hold, in one line; `open`: rows that were not run or graded could still change that. */
export interface SuiteReason {
  readonly kind: "failure" | "open";
  readonly text: string;
}

/**
 * One reason for each of the first suites whose gate failed, and one for the rest. `suite_thresholds` stand in the task file as
 * `pass_threshold` does, so a missed one is a failure of what was evaluated, not of the run: `fail-on: error` lets it pass. No
 * pass rate speaks for it, since every row of such a suite may have passed.
 */
export function suiteReasons(suites: readonly SuiteSummary[]): SuiteReason[] {
  const certain = suites.filter((suite) => !suite.passed && !suite.undecided);
  const open = suites.filter((suite) => !suite.passed && suite.undecided);
  return [...told(certain, "failure"), ...told(open, "open")];
}

function told(suites: readonly SuiteSummary[], kind: SuiteReason["kind"]): SuiteReason[] {
  const reasons = suites.slice(0, suitesTold).map((suite) => ({ kind, text: suiteReason(suite) }));
  const more = suites.length - reasons.length;
  if (more > 0) reasons.push({ kind, text: `${thousands(more)} more ${more === 1 ? "suite misses its" : "suites miss their"} thresholds` });
  return reasons;
}

/** `suite sentiment: accuracy 0.75, at least 0.9 asked (classification_match)`. May hold foreign text. */
function suiteReason(suite: SuiteSummary): string {
  const [first] = suite.failed_checks;
  const more = suite.checks_failed - 1;
  const what = first === undefined ? "its gate failed" : `${checkText(first)} (${oneLine(first.criterion, nameChars)})`;
  return `suite ${suiteName(suite)}: ${what}${more > 0 ? ` and ${thousands(more)} more` : ""}`;
}

function suiteName({ suite_id, variant_id }: SuiteSummary): string {
  return oneLine(variant_id === "default" ? suite_id : `${variant_id}/${suite_id}`, nameChars);
}

/** `accuracy 0.75, at least 0.9 asked`, with as many decimals as it takes to look smaller. */
export function checkText({ metric, min_value: asked, actual_value: actual }: FailedCheck): string {
  const name = oneLine(metric, nameChars);
  if (asked === null) return `${name} has a threshold that is no number`;
  const wanted = `at least ${numberText(asked)} asked`;
  return actual === null ? `no ${name}, ${wanted}` : `${name} ${scoreBelow(actual, asked)}, ${wanted}`;
}
