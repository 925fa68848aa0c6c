import type { AgentEnd } from "../agents/agent.ts";
import { AgentError } from "../errors.ts";
import type { AttemptEnd } from "./attempt.ts";
import type { AgentLimit } from "./limits.ts";

/** Pure: only what is not the agent's own doing, or its time limit, decides before the criteria do (formats.md 5.8). */
export function endOfAgent(end: AgentEnd, limit: AgentLimit): AttemptEnd | undefined {
  switch (end.kind) {
    case "completed":
    case "stopped":
      return undefined;
    case "timed out": {
      if (limit.kind === "task") return { kind: "task timeout", seconds: limit.seconds };
      const error = new AgentError("agent_timeout", `Agent turn timed out after ${limit.seconds}s`);
      return { kind: "error", component: "orchestrator.iteration_1", error };
    }
    case "crashed":
      return { kind: "error", component: "orchestrator.iteration_1", error: new AgentError(end.category, end.message) };
  }
}
