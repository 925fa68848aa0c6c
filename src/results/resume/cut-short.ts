import type { EvaluationResult } from "../task-result.ts";

/**
 * What cut an attempt short although it has a `task.json`; undefined where the result is final. Either our own record of it, or the trace
 * that coder_eval leaves at a Ctrl-C: a FAILURE without score, error or a single graded criterion, which it takes for finished (formats.md 12.26).
 */
export function cutShortBy(result: EvaluationResult): string | undefined {
  const { evalbatch, final_status, weighted_score, error_message, success_criteria_results, early_stop } = result;
  if (evalbatch !== null) return evalbatch.cut_short ?? undefined;
  const untouched = (weighted_score === null || weighted_score === 0) && error_message === null && early_stop === null;
  return final_status === "FAILURE" && untouched && success_criteria_results.length === 0 ? "interrupted" : undefined;
}
