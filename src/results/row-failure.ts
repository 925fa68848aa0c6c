import { type CriterionResult, isMiss } from "./criterion-result.ts";
import { cut, lastLines, startAndEnd } from "./cut-text.ts";
import { categoryOf } from "./final-status.ts";
import { logExcerpt } from "./log-excerpt.ts";
import { cutShortBy } from "./resume/cut-short.ts";
import type { RowFailure } from "./run-row.ts";
import type { EvaluationResult } from "./task-result.ts";

const reasonChars = 400;
const descriptionChars = 300;
/** Of a message within a reason: a line of a comment has room for 200. */
const briefChars = 120;
const messageChars = 600;
const criteriaShown = 5;
const logTailChars = 1500;

/** Why an attempt is no success, in bounded excerpts; null for a success and for one that was not graded. */
export function failureOf(result: EvaluationResult): RowFailure | null {
  const category = categoryOf(result.final_status);
  if (category === "succeeded" || category === "ungraded") return null;
  const missed = result.success_criteria_results
    .map((criterion, index) => ({ criterion, index }))
    .filter(({ criterion }) => isMiss(criterion));
  const first = missed[0]?.criterion;
  return {
    reason: result.error_message === null ? criterionReason(first, result) : cut(oneLine(result.error_message), reasonChars),
    criteria: missed.slice(0, criteriaShown).map(({ criterion, index }) => ({
      index,
      type: criterion.criterion_type,
      description: cut(oneLine(criterion.description), descriptionChars),
      score: criterion.score,
      pass_threshold: criterion.pass_threshold,
      message: startAndEnd(criterionMessage(criterion), messageChars),
    })),
    criteria_missed: missed.length,
    log_tail: result.error_log_tail === null ? null : logExcerpt(result.error_log_tail, logTailChars, result.error_message ?? undefined),
  };
}

function criterionReason(criterion: CriterionResult | undefined, result: EvaluationResult): string {
  if (criterion === undefined) return cutShortBy(result) === undefined ? result.final_status : "cut short before it was graded";
  const description = cut(oneLine(criterion.description), descriptionChars);
  return `${description}: ${brief(criterion.error ?? criterionMessage(criterion))}`;
}

/** The first line of a message and, of what a command printed, the last ones. */
function brief(message: string): string {
  const lines = message.trim().split("\n");
  const [first = ""] = lines;
  if (message.length <= briefChars) return oneLine(message);
  if (lines.length === 1) return cut(first, 2 * briefChars);
  return `${cut(first, briefChars)} | … | ${oneLine(lastLines(message, briefChars))}`;
}

/** Error and details of a criterion, else its score: what explains a miss. Without what the task file says already. */
export function criterionMessage({ error, details, score, pass_threshold }: CriterionResult): string {
  const shown = (details ?? "").replace(/^Command: [\s\S]*?\n(?=Exit code: )/, "").replace(/^(?:Stdout|Stderr): \(empty\)$\n?/gm, "");
  const parts = [error ?? "", shown].filter((part) => part.trim() !== "");
  return parts.length === 0 ? `score ${score} is below ${pass_threshold}` : parts.join("\n");
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, " | ");
}
