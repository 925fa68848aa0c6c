import type { Clock } from "../clock.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { EvaluationResult } from "../results/task-result.ts";
import { newAttempt } from "./attempt.ts";
import { buildResult } from "./build-result.ts";

export interface FailureDeps {
  readonly version: string;
  readonly clock: Clock;
  readonly environmentInfo: Readonly<Record<string, unknown>>;
}

/** The row of a task whose life could not even be told by itself (formats.md 8.2), with the cause. */
export function failedResult(task: ResolvedTask, error: unknown, deps: FailureDeps): EvaluationResult {
  const at = deps.clock.now();
  const end = { kind: "error", component: "sandbox.image", error } as const;
  const { version, environmentInfo } = deps;
  return buildResult(task, newAttempt(at), end, { version, environmentInfo, completedAt: at, durationSeconds: 0, logTail: "" });
}
