import { foreseeableProblems } from "../../../../src/plan/checks.ts";
import type { Lineage, ResolvedDefinition } from "../../../../src/plan/resolved-task.ts";
import { agentSchema } from "../../../../src/plan/schema/agent-schema.ts";
import { runLimitsSchema } from "../../../../src/plan/schema/run-limits-schema.ts";
import { taskSchema } from "../../../../src/plan/schema/task-schema.ts";

/** A task with its settings as written: what layers would have made of them. */
export function resolvedTask({
  agent = { type: "none" },
  run_limits = {},
  ...fields
}: Readonly<Record<string, unknown>>): ResolvedDefinition {
  const task = taskSchema.parse({
    task_id: "t",
    description: "d",
    success_criteria: [{ type: "file_exists", description: "e", path: "a" }],
    ...fields,
  });
  return { ...task, agent: agentSchema.parse(agent), run_limits: runLimitsSchema.parse(run_limits) };
}

/** `severity field: message / hint` of everything that is foreseen. */
export function foreseen(
  fields: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>> = {},
  lineage: Lineage = {},
): string[] {
  return foreseeableProblems(resolvedTask(fields), env, lineage).map(
    ({ severity, path, message, hint }) => `${severity} ${path.join(".")}: ${message}${hint === undefined ? "" : ` / ${hint}`}`,
  );
}

export const criteria = (...success_criteria: readonly object[]) => ({
  success_criteria: success_criteria.map((criterion, index) => ({ description: `c${index}`, ...criterion })),
});
