import type { CliFacts } from "../../src/agents/agent.ts";
import { getAgent } from "../../src/agents/registry.ts";
import { markdownTable } from "./markdown-table.ts";

/** The agents that are programs of their own, in the order of the documents; `antigravity` is another name of `gemini`. */
export const documentedAgents = ["claude-code", "codex", "gemini", "opencode", "pi", "qwen", "copilot"] as const;
export type DocumentedAgent = (typeof documentedAgents)[number];

/** Document that has the tables of `agentTables`. */
export const agentsDocument = "docs/agents.md";

/** @throws Error where the agent is no program of its own */
export function cliFacts(type: DocumentedAgent): CliFacts {
  const { cli } = getAgent(type);
  if (cli === undefined) throw new Error(`${type} is no program of its own`);
  return cli;
}

/** The tables of docs/agents.md that are made of the adapters' facts, by the name of their markers. */
export function agentTables(): Readonly<Record<string, string>> {
  const rows = documentedAgents.map((type) => ({ type, facts: cliFacts(type) }));
  const programs = rows.map(({ type, facts: { kit, native, defaultModel } }) => [
    `\`${type}\``,
    `\`${kit.npmPackage}\``,
    kit.version,
    defaultModel === undefined ? "" : `\`${defaultModel}\``,
    kept(native.maxTurns),
    kept(native.maxUsd),
  ]);
  const variables = rows.map(({ type, facts }) => {
    const isAddress = (name: string): boolean => name.endsWith("_BASE_URL");
    const keys = facts.credentials.filter((name) => !isAddress(name));
    const instead = facts.credentials.filter(isAddress);
    const others = facts.variables.filter((name) => !isAddress(name) && !keys.includes(name));
    const needed = `${codes(keys)}${instead.length === 0 ? "" : `; or ${codes(instead)} alone`}`;
    return [`\`${type}\``, needed, codes(facts.variables.filter(isAddress)), codes(others)];
  });
  return {
    programs: markdownTable(["agent", "npm package", "version", "default model", "`max_turns`", "`max_usd`"], programs),
    variables: markdownTable(["agent", "one of these is needed", "address", "also read"], variables),
  };
}

function kept(isNative: boolean): string {
  return isNative ? "program" : "watched";
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
