import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { CriterionOutcome, FinishedRow, RowDetails } from "../progress/progress.ts";
import { type CriterionResult, isMiss } from "../results/criterion-result.ts";
import { logExcerpt } from "../results/log-excerpt.ts";
import { criterionMessage } from "../results/row-failure.ts";
import type { EvaluationResult } from "../results/task-result.ts";

/** A result as a display shows it: the first criterion that missed, or the error, and what explains it. Secrets must be hidden already. */
export function toFinishedRow(task: Pick<ResolvedTask, "key">, result: EvaluationResult): FinishedRow {
  return {
    key: task.key,
    status: result.final_status,
    score: result.weighted_score,
    seconds: result.duration_seconds ?? 0,
    reason: reasonOf(result),
    details: detailsOf(result),
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

/** Of the log's end; a display bounds it by its lines. */
const logChars = 20_000;

function detailsOf(result: EvaluationResult): RowDetails {
  const error = result.error_message ?? undefined;
  const log = logExcerpt(result.error_log_tail ?? "", logChars, error);
  return {
    criteria: result.success_criteria_results.map(outcomeOf),
    error,
    agentOutput: agentOutputOf(result, log),
    logTail: log === "" ? undefined : log,
  };
}

/** What the agent said last, unless the log has it. The line that ends a recorded turn is not the agent's. */
function agentOutputOf(result: EvaluationResult, log: string): string | undefined {
  const last = result.iterations.at(-1);
  const output = last?.result_summary?.result || last?.agent_output;
  if (!output || /^agent \|/m.test(log)) return undefined;
  return output.replace(/(?:^|\n)\[RESULT - \w+\] [^\n]*\s*$/, "") || undefined;
}

function outcomeOf(criterion: CriterionResult): CriterionOutcome {
  return {
    outcome: outcomeWord(criterion),
    type: criterion.criterion_type,
    description: criterion.description,
    score: criterion.score,
    threshold: criterion.pass_threshold,
    message: criterion.error === null && criterion.details === null ? undefined : criterionMessage(criterion),
  };
}

function outcomeWord(criterion: CriterionResult): CriterionOutcome["outcome"] {
  if (isMiss(criterion)) return "missed";
  if (criterion.evaluation_status === "not_evaluated") return "skipped";
  return criterion.score < criterion.pass_threshold ? "noted" : "passed";
}
