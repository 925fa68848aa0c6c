import { builtInName } from "../plan/layers/layer.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { AgentConfig } from "../plan/schema/task-schema.ts";

/**
 * Pure: an agent's settings as its program gets them. The built-in default experiment names a model and tools of claude-code; where they
 * are all that a task of another agent has, that agent goes by its own defaults (0.8.2 hands them over, and the service refuses the model).
 */
export function agentSettings({ task: { agent }, contributions }: Pick<ResolvedTask, "task" | "contributions">): AgentConfig {
  if (agent.type === "claude-code" || agent.type === "none" || agent.type === "command") return agent;
  const isBuiltIn = (field: string): boolean => contributions(["agent", field])[0]?.name === builtInName;
  return {
    ...agent,
    ...(isBuiltIn("model") ? { model: null } : {}),
    ...(isBuiltIn("allowed_tools") ? { allowed_tools: null } : {}),
  };
}
