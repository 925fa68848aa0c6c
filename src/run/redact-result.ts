import { type EvaluationResult, evaluationResultSchema } from "../results/task-result.ts";
import { isObject } from "../results/tolerant.ts";
import type { Redacted } from "../untrusted/redact.ts";

/** A name as our files have them; a secret `output` must not cost what stands under `agent_output`. */
const fieldName = /^[a-z]+(?:_[a-z]+)*$/;

/**
 * A result in which no secret stands, wherever a task may have put it: in its output, an error, its own YAML. What names
 * and sorts the result (id, status, types) stays even if a secret is a common word: it comes from the plan and from us.
 */
export function redactResult(result: EvaluationResult, redact: (text: string) => Redacted): EvaluationResult {
  let hidden = 0;
  const clean = (text: string): string => {
    const { text: redacted, count } = redact(text);
    hidden += count;
    return redacted;
  };
  // Each text for itself and before anything is cut: half a secret is not found any more.
  const text = JSON.stringify(result, (_key, value: unknown) => {
    if (typeof value === "bigint") return Number(value);
    return typeof value === "string" ? clean(value) : value;
  });
  const redacted: unknown = JSON.parse(text, (_key, value: unknown) => cleanKeys(value, clean));
  if (hidden === 0) return result;
  const { task_id, variant_id, final_status, agent_type, started_at, completed_at } = result;
  const named = { ...(isObject(redacted) ? redacted : {}), task_id, variant_id, final_status, agent_type, started_at, completed_at };
  const read = evaluationResultSchema.safeParse(named);
  if (read.success) return withTypes(read.data, result);
  // Nothing that is hidden can make a result unreadable; should it ever, then rather no text at all than a secret.
  return {
    ...result,
    success_criteria_results: [],
    post_failure_criteria_results: [],
    iterations: [],
    pre_run_results: [],
    post_run_results: [],
    error_details: null,
    error_log_tail: null,
    task_config: null,
    error_message: "removed: it could not be redacted",
  };
}

function cleanKeys(value: unknown, clean: (text: string) => string): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const renamed = entries.map(([key, inner]) => [fieldName.test(key) ? key : clean(key), inner] as const);
  return renamed.every(([key], index) => key === entries[index]?.[0]) ? value : Object.fromEntries(renamed);
}

type Criteria = EvaluationResult["success_criteria_results"];

function withTypes(redacted: EvaluationResult, original: EvaluationResult): EvaluationResult {
  const typed = (criteria: Criteria, from: Criteria): Criteria =>
    criteria.map((criterion, index) => {
      const { result_kind, criterion_type, evaluation_status } = from[index] ?? criterion;
      return { ...criterion, result_kind, criterion_type, evaluation_status };
    });
  return {
    ...redacted,
    success_criteria_results: typed(redacted.success_criteria_results, original.success_criteria_results),
    post_failure_criteria_results: typed(redacted.post_failure_criteria_results, original.post_failure_criteria_results),
  };
}
