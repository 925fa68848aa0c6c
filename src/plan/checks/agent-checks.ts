import { parseJson } from "../../criteria/json/parse.ts";
import { PythonError } from "../../python/python-error.ts";
import { type Env, expandHome } from "../expand-path.ts";
import type { Problem } from "../issues.ts";
import { undefinedVariable } from "../paths/find-file.ts";
import type { AgentConfig } from "../schema/task-schema.ts";
import { warning } from "./problem.ts";

/** What an agent would find wrong with its own settings. Where none of them runs, nobody reads them. */
export function agentProblems(agent: AgentConfig, env: Env): Problem[] {
  if (agent.type === "none" || agent.type === "command") return [];
  const plugins = (agent.plugins ?? []).flatMap(({ path }, index) => {
    const expanded = expandHome(path, env);
    if (expanded.kind === "text") return [];
    return [undefinedVariable(expanded.variable, path, ["agent", "plugins", index, "path"], "the agent will run without it")];
  });
  return [...plugins, ...(agent.type === "claude-code" ? settingsProblems(agent.claude_settings) : [])];
}

/** Text that begins with `{` is JSON, any other the path of a file. */
function settingsProblems(settings: unknown): Problem[] {
  if (typeof settings !== "string" || !settings.trimStart().startsWith("{")) return [];
  try {
    parseJson(settings);
    return [];
  } catch (error) {
    if (!(error instanceof PythonError || error instanceof RangeError)) throw error;
    const message = `the settings are no JSON: ${error.message}`;
    return [warning("invalid-json", ["agent", "claude_settings"], message, "write them as a mapping instead")];
  }
}
