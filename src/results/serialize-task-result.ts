import { parseJsonText, toJsonText } from "./json-text.ts";
import { type EvaluationResult, evaluationResultSchema } from "./task-result.ts";

/** Characters kept of a string, by key; the rest of the keys may hold `otherChars`. */
const maxChars: Readonly<Record<string, number>> = {
  error_log_tail: 200_000,
  stdout: 100_000,
  stderr: 100_000,
  agent_output: 200_000,
  result_summary: 100_000,
  source_yaml: 1_000_000,
};
const otherChars = 200_000;

/** A file longer than this is written again with shorter strings: a flood of output must not cost the whole result. */
const maxFileChars = 64 * 1024 * 1024;
const shrinkFactors = [1, 0.1, 0.01, 0.001];

/**
 * The text of `task.json`: two blanks of indent, keys in file order, strings bounded and well-formed, never NaN. It can always
 * be read back by `evaluationResultSchema`.
 */
export function serializeTaskResult(result: EvaluationResult): string {
  let text = "";
  for (const factor of shrinkFactors) {
    const bounded = parseJsonText(JSON.stringify(result, (key, value: unknown) => boundedValue(key, value, factor))).value;
    // Only a score out of range, a bug of ours, fails here: it is written all the same, finished work is never thrown away.
    const ordered = evaluationResultSchema.safeParse(bounded);
    text = toJsonText(ordered.success ? ordered.data : bounded, 2);
    if (text.length <= maxFileChars) break;
  }
  return text;
}

function boundedValue(key: string, value: unknown, factor: number): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "string") return value;
  const max = Math.ceil((Object.hasOwn(maxChars, key) ? (maxChars[key] ?? otherChars) : otherChars) * factor);
  return value.length <= max ? value : cutMiddle(value, max, key === "error_log_tail" ? 0 : 0.5);
}

/** Start and end of a long text with a note between them; `headShare` of the room goes to the start. */
function cutMiddle(text: string, max: number, headShare: number): string {
  const head = Math.floor(max * headShare);
  const tail = max - head;
  const note = `[… ${text.length - max} characters left out …]`;
  return `${text.slice(0, head).toWellFormed()}${head === 0 ? "" : "\n"}${note}\n${text.slice(text.length - tail).toWellFormed()}`;
}
