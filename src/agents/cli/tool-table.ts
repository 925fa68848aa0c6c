import { AgentError } from "../../errors.ts";
import type { AgentConfig } from "../../plan/schema/task-schema.ts";
import { lookUp, renameKeys, type StreamObject } from "./stream-line.ts";

/** An agent's own tools by name: the common name (formats.md 10.5), and its parameters that have another name there. */
export type ToolTable = Readonly<Record<string, readonly [tool: string, parameters?: Readonly<Record<string, string>>]>>;

export interface NamedCall {
  readonly tool: string;
  readonly nativeTool: string;
  readonly parameters: StreamObject;
}

/** A tool call in common words; a tool that is in no table keeps its name and parameters. */
export function namedCall(table: ToolTable, nativeTool: string, parameters: StreamObject): NamedCall {
  const [tool = nativeTool, names = {}] = lookUp(table, nativeTool) ?? [];
  return { tool, nativeTool, parameters: renameKeys(parameters, names) };
}

/** Common tools that need a permission: others only look, or concern nothing but the agent itself. */
const editing = ["Write", "Edit"];
const needPermission = [...editing, "Bash", "WebFetch", "WebSearch"];

export interface ToolRules {
  /** The agent's own names of the tools that it is not to have, sorted. */
  readonly denied: readonly string[];
  readonly isReadOnly: boolean;
  readonly warnings: readonly string[];
}

/**
 * Which tools an agent without questions to a person goes without. `allowed_tools` names those that may be used without a question, so that
 * of the tools that need a permission all others are denied; `acceptEdits` allows the editing ones too, `bypassPermissions` all, `plan` is
 * read-only (formats.md 1.3).
 * @throws AgentError `agent_config_error` where a part of a tool is denied, e.g. `Bash(rm:*)`: denying all or nothing is another task
 */
export function toolRules(config: AgentConfig, table: ToolTable): ToolRules {
  const warnings: string[] = [];
  const nameOf = (entry: string): string => {
    const name = entry.trim().replace(/\(.*\)$/s, "");
    return lookUp(table, name)?.[0] ?? name;
  };
  const allowed = config.allowed_tools?.map((entry) => {
    if (isPattern(entry))
      warnings.push(`agent.allowed_tools: '${entry}' allows the whole tool; ${config.type} cannot allow a part of it here`);
    return nameOf(entry);
  });
  const denied = new Set<string>();
  for (const entry of config.disallowed_tools ?? []) {
    if (isPattern(entry)) {
      throw new AgentError(
        "agent_config_error",
        `agent.disallowed_tools: '${entry}' denies a part of a tool, which ${config.type} cannot do here`,
        {
          hint: "name the whole tool, or have a criterion look at the commands that were run",
        },
      );
    }
    denied.add(nameOf(entry));
  }
  const isReadOnly = config.permission_mode === "plan";
  for (const tool of needPermission) {
    const isEdit = editing.includes(tool);
    if (isReadOnly && (isEdit || tool === "Bash")) denied.add(tool);
    if (allowed === undefined || config.permission_mode === "bypassPermissions") continue;
    if (!allowed.includes(tool) && !(isEdit && config.permission_mode === "acceptEdits")) denied.add(tool);
  }
  return { denied: nativeNames(table, denied), isReadOnly, warnings };
}

function isPattern(entry: string): boolean {
  return /\(.*\)\s*$/s.test(entry) && !/\(\s*\*?\s*\)\s*$/.test(entry);
}

function nativeNames(table: ToolTable, tools: ReadonlySet<string>): readonly string[] {
  const known = Object.entries(table);
  const common = new Set(known.map(([, [tool]]) => tool));
  const natives = known.filter(([, [tool]]) => tools.has(tool)).map(([native]) => native);
  // What is none of ours may be a tool of a server or an extension.
  return [...natives, ...[...tools].filter((tool) => !common.has(tool) && !needPermission.includes(tool))].sort();
}
