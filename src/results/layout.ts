import { InternalError } from "../errors.ts";

/** Names inside a run directory (formats.md 4; `plan.json`, `run.html`, `attempts.json`, `comment.json` and `task.json.previous` are ours). */
export const fileNames = {
  task: "task.json",
  previousTask: "task.json.previous",
  attempts: "attempts.json",
  taskLog: "task.log",
  dockerLog: "docker.log",
  conversation: "conversation.log",
  agentStream: "agent-stream.jsonl",
  artifacts: "artifacts",
  plan: "plan.json",
  fingerprint: "resume_fingerprint.json",
  run: "run.json",
  markdown: "run.md",
  html: "run.html",
  suite: "suite.json",
  suiteMarkdown: "suite.md",
  experimentLog: "experiment.log",
  experiment: "experiment.json",
  experimentMarkdown: "experiment.md",
  variant: "variant.json",
  variantMarkdown: "variant.md",
  comment: "comment.json",
  latest: "latest",
} as const;

/** What tells one row of a run from all others. */
export interface RowKey {
  readonly variantId: string;
  readonly taskId: string;
  readonly replicateIndex: number;
}

/** `<variant>/<task_id>/<NN>`: the row's directory below the run directory, and its name in logs. */
export function resultDirOf(key: RowKey): string {
  const dir = `${key.variantId}/${key.taskId}/${String(key.replicateIndex).padStart(2, "0")}`;
  // The plan refuses such ids with a message for the user; this is the last gate before a path is made of them.
  if (dir.split("/").some((part) => part === "" || part === "." || part === "..") || /[\\\0]/.test(dir)) {
    throw new InternalError(`row ${JSON.stringify(dir)} cannot be a directory`);
  }
  return dir;
}

/** A text that is equal for equal keys only. */
export function rowKeyText(variantId: string | null, taskId: string, replicateIndex: number | null): string {
  const variant = variantId ?? "default";
  return `${variant.length}:${variant}/${replicateIndex ?? 0}/${taskId}`;
}
