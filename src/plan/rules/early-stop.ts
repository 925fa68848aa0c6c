import type { Problem } from "../issues.ts";
import { childOf } from "../schema/schema-keys.ts";
import { criteriaOf, type Fields, isSet, isSimulated, readsAs, ruleError } from "./read-fields.ts";

/** The kinds of agents that have tool calls to stop at. */
const unstoppable = ["command"];

/**
 * Rules of `stop_early` blocks (formats.md 2.3); with `run_limits.stop_early: false` they do nothing, and so may stand
 * anywhere. The older syntax, `stop_when` with `run_limits.stop_early: true`, is one that no block goes with.
 */
export function earlyStopProblems(fields: Fields): Problem[] {
  const flag = childOf(fields.run_limits, "stop_early");
  const armed = criteriaOf(fields).flatMap((criterion, index) => (isSet(childOf(criterion, "stop_early")) ? [index] : []));
  const both = armed.filter((index) => isSet(childOf(criteriaOf(fields)[index], "stop_when")));
  const problems = both.map((index) => {
    const message = "stop_early and stop_when exclude each other: stop_when is what stop_early was called before 0.9.5";
    return ruleError("exclusive-fields", ["success_criteria", index, "stop_when"], message, "keep stop_early");
  });
  if (armed.length === 0 || readsAs(flag, false)) return problems;
  return [...problems, ...limitProblems(fields, flag), ...placeProblems(fields, armed)];
}

function limitProblems(fields: Fields, flag: unknown): Problem[] {
  const problems: Problem[] = [];
  if (readsAs(flag, true)) {
    const message = "true goes with stop_when (before 0.9.5), not with stop_early blocks of criteria";
    problems.push(ruleError("early-stop", ["run_limits", "stop_early"], message, "remove it: a stop_early block needs no switch"));
  }
  const threshold = childOf(fields.run_limits, "stop_early_gate_threshold");
  if (isSet(threshold) && Number(threshold) <= 0) {
    const message = "a gate threshold of 0 would stop every run at once as passed";
    problems.push(ruleError("early-stop", ["run_limits", "stop_early_gate_threshold"], message, "give a threshold above 0"));
  }
  return problems;
}

function placeProblems(fields: Fields, armed: readonly number[]): Problem[] {
  const type = childOf(fields.agent, "type");
  const why = isSimulated(fields)
    ? "a dialog cannot be stopped early"
    : typeof type === "string" && unstoppable.includes(type)
      ? `an agent of type '${type}' cannot be stopped at a tool call`
      : undefined;
  if (why === undefined) return [];
  return armed.map((index) =>
    ruleError("early-stop", ["success_criteria", index, "stop_early"], why, "remove the block, or set run_limits.stop_early: false"),
  );
}
