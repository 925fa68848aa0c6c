import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { FinishedRow } from "../progress/progress.ts";
import { isMiss } from "../results/criterion-result.ts";
import type { EvaluationResult } from "../results/task-result.ts";

/** A result as a display's line: the first criterion that missed, or the error. */
export function toFinishedRow(task: ResolvedTask, result: EvaluationResult): FinishedRow {
  return {
    key: task.key,
    status: result.final_status,
    score: result.weighted_score,
    seconds: result.duration_seconds ?? 0,
    reason: reasonOf(result),
  };
}

function reasonOf(result: EvaluationResult): string | undefined {
  if (result.final_status === "SUCCESS") return undefined;
  if (result.error_message !== null) return result.error_message;
  const missed = result.success_criteria_results.filter(isMiss);
  const first = missed[0];
  if (first === undefined) return undefined;
  const more = missed.length > 1 ? ` (and ${missed.length - 1} more)` : "";
  return `${first.criterion_type}: ${first.description}${more}`;
}
