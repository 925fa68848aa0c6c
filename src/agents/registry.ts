import { InternalError } from "../errors.ts";
import type { AgentAdapter } from "./agent.ts";
import { claudeCode } from "./cli/claude-code.ts";
import { codex } from "./cli/codex.ts";
import { copilot } from "./cli/copilot.ts";
import { antigravity, gemini } from "./cli/gemini.ts";
import { opencode } from "./cli/opencode.ts";
import { pi } from "./cli/pi.ts";
import { qwen } from "./cli/qwen.ts";
import { cliAdapter } from "./cli/run-cli.ts";
import { commandAgent } from "./command.ts";
import { noneAgent } from "./none.ts";

const all: readonly AgentAdapter[] = [
  noneAgent,
  commandAgent,
  cliAdapter(claudeCode, (config) => config.type === "claude-code"),
  cliAdapter(codex, (config) => config.type === "codex"),
  cliAdapter(gemini, (config) => config.type === "gemini"),
  cliAdapter(antigravity, (config) => config.type === "antigravity"),
  cliAdapter(opencode, (config) => config.type === "opencode"),
  cliAdapter(pi, (config) => config.type === "pi"),
  cliAdapter(qwen, (config) => config.type === "qwen"),
  cliAdapter(copilot, (config) => config.type === "copilot"),
];

const adapters: ReadonlyMap<string, AgentAdapter> = new Map(all.map((adapter) => [adapter.type, adapter]));

/** The agent types that run. The plan refuses every other type as "not supported yet" (`plan/unsupported.ts`). */
export const agentTypes: readonly string[] = [...adapters.keys()];

/** Variables that some agent takes its key or its service's address from. */
export const agentVariables: ReadonlySet<string> = new Set(all.flatMap(({ cli }) => cli?.variables ?? []));

/** @throws InternalError: the plan refuses tasks of other types */
export function getAgent(type: string): AgentAdapter {
  const adapter = adapters.get(type);
  if (adapter === undefined) throw new InternalError(`no adapter for agent type '${type}'`);
  return adapter;
}
