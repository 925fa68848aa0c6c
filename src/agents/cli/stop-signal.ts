import type { AgentStop } from "../agent.ts";

/** An agent was stopped by its watch: the reason of the abort that kills its processes. */
export class AgentStopped extends Error {
  override readonly cause: AgentStop;

  constructor(cause: AgentStop) {
    super(`the agent was stopped: ${cause.kind}`);
    this.name = "AgentStopped";
    this.cause = cause;
  }
}
