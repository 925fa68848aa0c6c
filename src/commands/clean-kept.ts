import type { SetAside } from "../results/resume/resume-facts.ts";
import type { EvaluationResult } from "../results/task-result.ts";
import { redactResult } from "../run/redact-result.ts";
import type { RunRecorder } from "../run/run-recorder.ts";
import { createRedactor, type Redactor } from "../untrusted/redact.ts";

/**
 * A recorder that takes over no secret with a kept result: who made it may not have known what is one by now, and its row stands in reports
 * and comments. The file stays as it is. Nearly no result holds one, so that all texts of one are searched at once before each is for itself.
 * @param redactor of the run; counts what is hidden
 */
export function withCleanKept(recorder: RunRecorder, secrets: Iterable<string>, redactor: Redactor): RunRecorder {
  // One of its own: what it finds is found once more, and is to be counted once.
  const probe = createRedactor(secrets);
  const clean = (result: EvaluationResult): EvaluationResult =>
    probe.redact(allTexts(result)).count === 0 ? result : redactResult(result, (text) => redactor.redact(text));
  return { ...recorder, addKept: (task, index, result) => recorder.addKept(task, index, clean(result)) };
}

/** What is told of files that were not used, which have any name. */
export function cleanSetAside(entries: readonly SetAside[], redactor: Redactor): SetAside[] {
  const clean = (text: string): string => redactor.redact(text).text;
  return entries.map(({ path, reason, moved_to }) => ({
    path: clean(path),
    reason: clean(reason),
    moved_to: moved_to === null ? null : clean(moved_to),
  }));
}

/** Every text and key on a line of its own, as it is: escaped, a secret or what stands before it looks otherwise. */
function allTexts(value: unknown): string {
  const texts: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const item = left.pop();
    if (typeof item === "string") texts.push(item);
    else if (Array.isArray(item)) for (const part of item) left.push(part);
    else if (typeof item === "object" && item !== null) {
      for (const [key, part] of Object.entries(item)) {
        texts.push(key);
        left.push(part);
      }
    }
  }
  return texts.join("\n");
}
