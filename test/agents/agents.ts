import type { ProtocolName } from "../fakes/model-server/protocol.ts";

export type AgentType = "claude-code" | "codex" | "gemini" | "opencode" | "pi" | "qwen" | "copilot";

/** What a test has to know of an agent. */
export interface AgentFacts {
  readonly type: AgentType;
  readonly protocol: ProtocolName;
  readonly model: string;
  /** Common names of the tools in which a file write and a shell command end. */
  readonly tools: readonly [write: string, shell: string];
  /** USD of a scenario's usage is known: by the agent or by the price list. */
  readonly priced: boolean;
  /** The stream tells the exit code of a failed command, or at least that it failed. */
  readonly tellsFailedTool: boolean;
}

export const agents: Readonly<Record<AgentType, AgentFacts>> = {
  "claude-code": agent("claude-code", "anthropic", "claude-sonnet-4-5", ["Write", "Bash"], true),
  // With a model that it does not know it has a shell and nothing else.
  codex: agent("codex", "responses", "gpt-5", ["Bash", "Bash"], true),
  gemini: { ...agent("gemini", "gemini", "gemini-2.5-flash", ["Write", "Bash"], true), tellsFailedTool: false },
  opencode: agent("opencode", "chat", "scripted-model", ["Write", "Bash"], false),
  pi: agent("pi", "chat", "scripted-model", ["Write", "Bash"], false),
  qwen: agent("qwen", "chat", "scripted-model", ["Write", "Bash"], false),
  copilot: agent("copilot", "chat", "scripted-model", ["Write", "Bash"], false),
};

export const allTypes: readonly AgentType[] = ["claude-code", "codex", "gemini", "opencode", "pi", "qwen", "copilot"];

function agent(type: AgentType, protocol: ProtocolName, model: string, tools: readonly [string, string], priced: boolean): AgentFacts {
  return { type, protocol, model, tools, priced, tellsFailedTool: true };
}

/** Addresses and keys of all agents. @param url base address of the scripted service */
export function serviceEnv(url: string, key: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: key,
    CODEX_BASE_URL: `${url}/v1`,
    CODEX_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: key,
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: key,
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: key,
  };
}
