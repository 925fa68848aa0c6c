import { parseTaskResult } from "../results/read-task-result.ts";
import { serializeTaskResult } from "../results/serialize-task-result.ts";
import type { EvaluationResult } from "../results/task-result.ts";
import type { Redacted } from "../untrusted/redact.ts";

/**
 * A result in which no secret stands, wherever a task may have put it: in its output, an error, its own YAML. Redaction works on the
 * text of `task.json`, where a secret has the form that a reader of the file would find.
 */
export function redactResult(result: EvaluationResult, redact: (text: string) => Redacted): EvaluationResult {
  const redacted = redact(serializeTaskResult(result));
  if (redacted.count === 0) return result;
  const read = parseTaskResult(redacted.text);
  if (read.kind === "result") return read.result;
  // A mask can't break the JSON of a string; should it ever, then rather no text at all than a secret.
  return {
    ...result,
    iterations: [],
    pre_run_results: [],
    post_run_results: [],
    error_log_tail: null,
    task_config: null,
    error_message: "removed: it could not be redacted",
  };
}
