import { agentProblems } from "./checks/agent-checks.ts";
import { certainVerdicts } from "./checks/certain-verdicts.ts";
import { togetherProblems } from "./checks/criteria-together.ts";
import { dockerProblems } from "./checks/docker-checks.ts";
import { expressionProblems, recordedProblems } from "./checks/expressions.ts";
import { mockFolderProblems } from "./checks/mock-folders.ts";
import type { Env } from "./expand-path.ts";
import type { Problem } from "./issues.ts";
import type { Lineage, ResolvedDefinition } from "./resolved-task.ts";

/**
 * What can be seen to go wrong without running. Nearly all of it is a warning: as in 0.8.2 such a task runs, and the
 * criterion scores 0 with the error or the set-up fails (formats.md 2.2). `path` of a problem is that of the resolved task, whatever layer set the value.
 */
export function foreseeableProblems(task: ResolvedDefinition, env: Env, lineage: Lineage): Problem[] {
  return [
    ...task.success_criteria.flatMap((criterion, index) => [...expressionProblems(criterion, index), ...certainVerdicts(criterion, index)]),
    ...togetherProblems(task, lineage),
    ...settingsProblems(task, env),
  ];
}

/** Rows of a dataset share one settings object: its files are looked at once. */
const settingsSeen = new WeakMap<
  ResolvedDefinition["sandbox"],
  { readonly env: Env; readonly agent: unknown; readonly problems: Problem[] }
>();

function settingsProblems(task: ResolvedDefinition, env: Env): Problem[] {
  const { sandbox, agent } = task;
  const seen = settingsSeen.get(sandbox);
  if (seen !== undefined && seen.env === env && seen.agent === agent) return seen.problems;
  const problems = [
    ...agentProblems(agent, env),
    ...(sandbox.driver === "docker" ? dockerProblems(sandbox.docker, env) : []),
    ...recordedProblems(sandbox.record_cli),
    ...mockFolderProblems(task),
  ];
  settingsSeen.set(sandbox, { env, agent, problems });
  return problems;
}
