import { agentVariables, getAgent } from "../agents/registry.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { defaultEnvPassthrough } from "../plan/schema/docker-schema.ts";
import { selectEnvironment } from "../sandbox/environment.ts";
import { secretValues } from "../untrusted/secret-values.ts";
import type { RunOptions } from "./run-context.ts";

/**
 * The variables of one task's sandbox: what the user gives every task, over what the task's allow-list takes from the host. Keys of an agent
 * that runs as a program of its own reach that program alone (`agentEnvironment`), unless the task itself lists them.
 */
export function environmentOf(
  task: ResolvedTask,
  options: Pick<RunOptions, "env" | "taskEnv">,
): { readonly env: Readonly<Record<string, string>>; readonly warnings: readonly string[] } {
  const { docker } = task.task.sandbox;
  const { env_passthrough: listed, env_passthrough_extra: extra } = docker;
  const isBuiltIn = listed.length === defaultEnvPassthrough.length && listed.every((name, at) => name === defaultEnvPassthrough[at]);
  const ofAgents = isBuiltIn && isProgram(task.task.agent.type) ? agentVariables : nobody;
  const selected = selectEnvironment(options.env, [...listed.filter((name) => !ofAgents.has(name)), ...extra]);
  return { env: { ...selected.env, ...options.taskEnv }, warnings: selected.warnings };
}

const nobody: ReadonlySet<string> = new Set();

function isProgram(type: ResolvedTask["task"]["agent"]["type"]): boolean {
  return getAgent(type ?? "none").cli !== undefined;
}

/** The variables of these names that the host has, for the process of an agent. */
export function agentEnvironment(names: readonly string[], options: Pick<RunOptions, "env">): Readonly<Record<string, string>> {
  return selectEnvironment(options.env, names).env;
}

/** Values that must not stand in any file or line that leaves: all that the user gives, and of passed-on ones what lets somebody in. */
export function secretsOf(tasks: readonly ResolvedTask[], options: Pick<RunOptions, "env" | "taskEnv">): string[] {
  const secrets = new Set(Object.values(options.taskEnv));
  for (const task of tasks) {
    for (const [name, value] of Object.entries(environmentOf(task, { ...options, taskEnv: {} }).env)) {
      for (const secret of secretValues(name, value)) secrets.add(secret);
    }
    for (const [name, value] of Object.entries(agentEnvironment(getAgent(task.task.agent.type ?? "none").cli?.variables ?? [], options))) {
      for (const secret of secretValues(name, value)) secrets.add(secret);
    }
  }
  return [...secrets];
}
