import type { ResolvedTask } from "../plan/resolved-task.ts";
import { selectEnvironment } from "../sandbox/environment.ts";
import { looksSecret } from "../untrusted/secret-names.ts";
import type { RunOptions } from "./run-context.ts";

/** The variables of one task's sandbox: what the user gives every task, over what the task's allow-list takes from the host. */
export function environmentOf(
  task: ResolvedTask,
  options: Pick<RunOptions, "env" | "taskEnv">,
): { readonly env: Readonly<Record<string, string>>; readonly warnings: readonly string[] } {
  const { docker } = task.task.sandbox;
  const selected = selectEnvironment(options.env, [...docker.env_passthrough, ...docker.env_passthrough_extra]);
  return { env: { ...selected.env, ...options.taskEnv }, warnings: selected.warnings };
}

/** Values that must not stand in any file or line that leaves: all that the user gives, and passed-on ones whose name says so. */
export function secretsOf(tasks: readonly ResolvedTask[], options: Pick<RunOptions, "env" | "taskEnv">): string[] {
  const secrets = new Set(Object.values(options.taskEnv));
  for (const task of tasks) {
    for (const [name, value] of Object.entries(environmentOf(task, { ...options, taskEnv: {} }).env)) {
      if (looksSecret(name)) secrets.add(value);
    }
  }
  return [...secrets];
}
