// Words that every result of ours is made of, whatever ran. Given as a secret (`MODE=default`, `AWS_PROFILE=default`), they
// stay: everyone knows them, and without them no program could read a result any more, nor GitHub hand on an output.

const ownWords: ReadonlySet<string> = new Set([
  // The variant of a task that names none, and our own name.
  ...["default", "evalbatch"],
  // Verdicts, and how a task ended.
  ...["passed", "failed", "incomplete", "skipped", "SUCCESS", "FAILURE", "BUILD_FAILED", "TIMEOUT", "MAX_TURNS_EXHAUSTED"],
  ...["TOKEN_BUDGET_EXCEEDED", "COST_BUDGET_EXCEEDED", "NOT_GRADED"],
  // Files and directories.
  ...["task.json", "task.log", "task.json.previous", "docker.log", "conversation.log", "agent-stream.jsonl", "artifacts"],
  ...["plan.json", "run.json", "run.html", "run.md"],
  ...["experiment.log", "comment.json", "latest", "evalbatch-files.json", "attempts.json", "resume_fingerprint.json"],
  ...["experiment.json", "experiment.md", "variant.json", "variant.md", "suite.json", "suite.md"],
  // Fields that are common words, and so likely to be somebody's value.
  ...["status", "verdict", "duration", "command", "message", "reason", "result", "results", "version", "iteration", "iterations"],
]);

/** Whether a value is one of them, and so never hidden. */
export function isOwnWord(value: string): boolean {
  return ownWords.has(value.trim());
}
