import { categoryOf } from "../final-status.ts";
import type { EvaluationResult } from "../task-result.ts";
import { cutShortBy } from "./cut-short.ts";
import type { RetryPolicy, RunReason } from "./resume-facts.ts";

/** Why a row runs again although it has a result; undefined where the result is kept (docs/decisions/0012-resume.md). Pure. */
export function retryReason(result: EvaluationResult, policy: RetryPolicy, isStale: boolean): RunReason | undefined {
  if (cutShortBy(result) !== undefined) return "interrupted";
  const category = categoryOf(result.final_status);
  if (category === "ungraded") return "not graded";
  if (isStale) return "drift";
  if (category === "error" && policy !== "missing") return "error";
  return category === "failed" && policy === "failed" ? "failed" : undefined;
}
