import { InternalError } from "../errors.ts";
import type { AgentAdapter } from "./agent.ts";
import { commandAgent } from "./command.ts";
import { noneAgent } from "./none.ts";

const adapters: ReadonlyMap<string, AgentAdapter> = new Map([noneAgent, commandAgent].map((adapter) => [adapter.type, adapter]));

/** The agent types that run. The plan refuses every other type as "not supported yet" (`plan/unsupported.ts`). */
export const agentTypes: readonly string[] = [...adapters.keys()];

/** @throws InternalError: the plan refuses tasks of other types */
export function getAgent(type: string): AgentAdapter {
  const adapter = adapters.get(type);
  if (adapter === undefined) throw new InternalError(`no adapter for agent type '${type}'`);
  return adapter;
}
