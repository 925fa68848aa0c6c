import { posix } from "node:path";
import type { Criterion } from "../../criteria/criterion-schema.ts";
import { didYouMean } from "../did-you-mean.ts";
import { describeValue, quote } from "../found-text.ts";
import type { Problem } from "../issues.ts";
import { warning } from "./problem.ts";

type Path = readonly PropertyKey[];

const always = "every run passes it, so it measures nothing";
const never = "no run can pass it";

/** Criteria whose outcome is known before anything runs, with what to look at. */
export function certainVerdicts(criterion: Criterion, index: number): Problem[] {
  const base = ["success_criteria", index];
  return [...outsidePaths(criterion, base), ...byType(criterion, base), ...unknownMetrics(criterion, base)];
}

/** Nothing outside of the sandbox is ever looked at (formats.md 2.1). An absolute path may lie inside of a container's. */
function outsidePaths(criterion: Criterion, base: Path): Problem[] {
  const paths = {
    path: "path" in criterion ? criterion.path : undefined,
    json_schema: criterion.type === "json_check" ? criterion.json_schema : undefined,
    agent_file: criterion.type === "reference_comparison" ? criterion.agent_file : undefined,
  };
  return Object.entries(paths).flatMap(([name, path]) => {
    if (typeof path !== "string" || !/^\.\.(?:\/|$)/.test(posix.normalize(path))) return [];
    const message = `the path ${quote(path)} leads outside of the sandbox, where nothing is looked at`;
    return [warning("never-passes", [...base, name], message, "give a path relative to the sandbox, without '..'")];
  });
}

function byType(criterion: Criterion, base: Path): Problem[] {
  switch (criterion.type) {
    case "command_executed":
      if (criterion.min_count > 0 || criterion.max_count !== null) return [];
      return [warning("never-fails", [...base, "min_count"], "'min_count: 0' without 'max_count' allows any number of calls", always)];
    case "file_contains":
      return wantedAndExcluded(criterion.includes, criterion.excludes ?? [], [...base, "excludes"]);
    case "file_check":
      return wantedAndExcluded(criterion.includes, criterion.excludes, [...base, "excludes"]);
    case "run_command":
      return commandProblems(criterion, base);
    case "classification_match":
      return labelProblems(criterion, base);
    case "json_check":
      return criterion.assertions.flatMap((assertion, at) => assertionProblems(assertion, [...base, "assertions", at, "expected"]));
    case "uipath_eval":
      if (Object.keys(criterion.thresholds).length > 0) return [];
      return [warning("never-fails", [...base, "thresholds"], "there is no threshold to reach", always)];
    default:
      return [];
  }
}

function wantedAndExcluded(includes: readonly string[], excludes: readonly string[], path: Path): Problem[] {
  return excludes.flatMap((text, at) => {
    // A text inside of one that has to be there is there as well.
    const wanted = includes.find((include) => include.includes(text));
    if (wanted === undefined) return [];
    const message = wanted === text ? `${quote(text)} is in includes, too` : `${quote(text)} is part of ${quote(wanted)} in includes`;
    return [warning("never-passes", [...path, at], message, "no file has a text and has it not")];
  });
}

type RunCommand = Extract<Criterion, { type: "run_command" }>;

function commandProblems({ expected_exit_code: code, timeout }: RunCommand, base: Path): Problem[] {
  const problems: Problem[] = [];
  if (code > 255 || code < -64) {
    const hint = "a command ends with 0 to 255, with -1 after its time is over, or by a signal: -9";
    problems.push(warning("never-passes", [...base, "expected_exit_code"], `no command ends with exit code ${code}`, hint));
  }
  if (timeout <= 0 && code !== -1) {
    problems.push(warning("never-passes", [...base, "timeout"], `a timeout of ${timeout} s is over before the command starts`, never));
  }
  return problems;
}

type Classification = Extract<Criterion, { type: "classification_match" }>;

/** A label outside of the allowed ones reads as `(other)`: any wrong label would pass. */
function labelProblems({ expected_label: expected, allowed_labels: allowed, case_sensitive }: Classification, base: Path): Problem[] {
  const form = (label: string) => (case_sensitive ? label : label.toLowerCase());
  if (allowed.some((label) => form(label) === form(expected))) return [];
  const meant = didYouMean(expected, allowed);
  const message = `the expected label ${quote(expected)} is not one of allowed_labels: it counts as '(other)'`;
  const hint = meant === undefined ? "every label that is not allowed passes then" : `did you mean '${meant}'?`;
  return [warning("unknown-label", [...base, "expected_label"], message, hint)];
}

const typeNames = ["string", "number", "boolean", "array", "object", "null"];

interface Assertion {
  readonly operator: string;
  readonly expected: unknown;
}

function assertionProblems({ operator, expected }: Assertion, path: Path): Problem[] {
  if (operator === "type" && !(typeof expected === "string" && typeNames.includes(expected))) {
    const meant = typeof expected === "string" ? didYouMean(expected, typeNames) : undefined;
    const message = `found ${describeValue(expected)}, expected one of ${typeNames.join(", ")}`;
    return [warning("never-passes", path, message, meant === undefined ? "the assertion cannot be met" : `did you mean '${meant}'?`)];
  }
  if (operator === "regex" && typeof expected !== "string") {
    return [
      warning("never-passes", path, `found ${describeValue(expected)}, expected a regular expression`, "the assertion cannot be met"),
    ];
  }
  if (["gt", "gte", "lt", "lte"].includes(operator) && (expected === null || (typeof expected === "object" && !Array.isArray(expected)))) {
    const message = `${describeValue(expected)} is neither more nor less than anything`;
    return [warning("never-passes", path, message, "the assertion cannot be met")];
  }
  return [];
}

const anyMetric = ["count", "mean", "median", "std", "min", "max", "completion_rate"];
const labelMetric = ["accuracy", "macro_f1", "weighted_f1", "micro_f1"];
const perLabel = /^(?:precision|recall|f1)\../;

/** Thresholds of a suite name metrics (formats.md 2.4): one that a type does not have is never reached. */
function unknownMetrics(criterion: Criterion, base: Path): Problem[] {
  const hasLabels = criterion.type === "classification_match" || criterion.type === "skill_triggered";
  const known = hasLabels ? [...anyMetric, ...labelMetric] : anyMetric;
  return Object.keys(criterion.suite_thresholds ?? {}).flatMap((metric) => {
    if (known.includes(metric) || (hasLabels && perLabel.test(metric))) return [];
    const meant = didYouMean(metric, known);
    const list = `${known.join(", ")}${hasLabels ? ", precision.<label>, recall.<label>, f1.<label>" : ""}`;
    const message = `${criterion.type} has no metric ${quote(metric)}, so the threshold is never reached`;
    const hint = meant === undefined ? `metrics: ${list}` : `did you mean '${meant}'?`;
    return [{ ...warning("unknown-metric", [...base, "suite_thresholds", metric], message, hint), atKey: true }];
  });
}
