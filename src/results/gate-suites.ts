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
  const name = suiteNames(suites);
  return [...told(certain, "failure", name), ...told(open, "open", name)];
}

function told(suites: readonly SuiteSummary[], kind: SuiteReason["kind"], name: SuiteName): SuiteReason[] {
  const reasons = suites.slice(0, suitesTold).map((suite) => ({ kind, text: `suite ${name(suite)}: ${gateText(suite)}` }));
  const more = suites.length - reasons.length;
  if (more > 0) reasons.push({ kind, text: `${thousands(more)} more ${more === 1 ? "suite misses its" : "suites miss their"} thresholds` });
  return reasons;
}

/** What a suite's gate failed for, in one line: `accuracy 0.75, at least 0.9 asked (classification_match) and 1 more`. May hold foreign text. */
export function gateText({ failed_checks: [first], checks_failed: failed }: SuiteSummary): string {
  if (first === undefined) return "its thresholds do not hold";
  return `${checkText(first)} (${oneLine(first.criterion, nameChars)})${failed > 1 ? ` and ${thousands(failed - 1)} more` : ""}`;
}

/** The same without the criterion, for narrow columns. */
export function shortGateText({ failed_checks: [first], checks_failed: failed }: SuiteSummary): string {
  if (first === undefined) return "its thresholds do not hold";
  return `${checkText(first)}${failed > 1 ? `, and ${thousands(failed - 1)} more` : ""}`;
}

type SuiteName = (suite: SuiteSummary) => string;

/** How the suites of a run are called: `sentiment`, and `sentiment (candidate)` where it takes the variant to tell. One line; foreign. */
export function suiteNames(suites: readonly SuiteSummary[]): SuiteName {
  const isPlain = suites.every((suite) => suite.variant_id === "default");
  return ({ suite_id, variant_id }) => oneLine(suite_id, nameChars) + (isPlain ? "" : ` (${oneLine(variant_id, nameChars)})`);
}

/** With as many decimals as it takes to look smaller. */
function checkText({ metric, min_value: asked, actual_value: actual }: FailedCheck): string {
  const name = oneLine(metric, nameChars);
  if (asked === null) return `${name} has a threshold that is no number`;
  const wanted = `at least ${numberText(asked)} asked`;
  return actual === null ? `no ${name}, ${wanted}` : `${name} ${scoreBelow(actual, asked)}, ${wanted}`;
}
