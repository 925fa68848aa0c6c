import type { Criterion } from "../criteria/criterion-schema.ts";
import { executedTypes } from "../criteria/registry.ts";
import type { Problem } from "./issues.ts";
import type { Lineage, ResolvedDefinition } from "./resolved-task.ts";

/** Agent types that are executed: those of `agents/registry.ts`, which this room may not know (a test holds them equal). */
export const executedAgents: readonly ResolvedDefinition["agent"]["type"][] = [
  "none",
  "command",
  "claude-code",
  "codex",
  "gemini",
  "antigravity",
  "opencode",
  "pi",
  "qwen",
  "copilot",
];

interface Use {
  readonly path: readonly PropertyKey[];
  /** Named in the message, where the field alone does not say it. */
  readonly what?: string | undefined;
}

interface Rule {
  readonly field: string;
  readonly uses: (task: ResolvedDefinition, lineage: Lineage) => readonly Use[];
}

const when = (used: boolean, ...path: readonly PropertyKey[]): readonly Use[] => (used ? [{ path }] : []);

/**
 * Every field of formats.md 1 and 2 that is understood but not executed. A task that uses one is refused, since
 * ignoring it would make another task of it. Fields that cannot matter to the executed agents stay allowed: budgets and
 * turn limits of a task without model calls, settings of an agent that does not run.
 */
const rules: readonly Rule[] = [
  {
    field: "agent.type",
    uses: ({ agent }) =>
      executedAgents.includes(agent.type) ? [] : [{ path: ["agent", "type"], what: `agent type '${agent.type ?? "null"}'` }],
  },
  { field: "agent settings", uses: commandAgentSettings },
  { field: "simulation", uses: ({ simulation }) => when(simulation?.enabled === true, "simulation", "enabled") },
  { field: "reference", uses: ({ reference }) => when(reference !== null, "reference") },
  {
    field: "checker_context",
    uses: ({ checker_context }) => when(checker_context !== null && checker_context !== undefined, "checker_context"),
  },
  { field: "success_criteria", uses: ({ success_criteria }) => success_criteria.flatMap(criterionUses) },
];

/** What is refused, for the documents. */
export const refusedFields: readonly string[] = rules.map(({ field }) => field);

/** Settings for tools and sessions, which a plain command line has no use for: refused only where the task sets them itself. */
function commandAgentSettings({ agent }: ResolvedDefinition, lineage: Lineage): readonly Use[] {
  if (agent.type !== "command") return [];
  const names = [
    "permission_mode",
    "allowed_tools",
    "disallowed_tools",
    "plugins",
    "system_prompt",
    "ignore_patterns",
    "context_window",
  ] as const;
  return names
    .filter((name) => {
      const entry = lineage[`agent.${name}`];
      const empty = entry?.value === null || (Array.isArray(entry?.value) && entry.value.length === 0);
      return entry !== undefined && entry.source !== "default" && entry.source !== "experiment-defaults" && !empty;
    })
    .map((name) => ({ path: ["agent", name], what: `agent.${name} for agent type 'command'` }));
}

function criterionUses(criterion: Criterion, index: number): readonly Use[] {
  if (executedTypes.has(criterion.type)) return [];
  return [{ path: ["success_criteria", index, "type"], what: `criterion type '${criterion.type}'` }];
}

/** One problem per use of something that is not executed yet, in the order of the table. */
export function unsupportedProblems(task: ResolvedDefinition, lineage: Lineage): Problem[] {
  return rules.flatMap(({ field, uses }) =>
    uses(task, lineage).map(
      ({ path, what }): Problem => ({ severity: "error", code: "not-supported", path, message: `not supported yet: ${what ?? field}` }),
    ),
  );
}
