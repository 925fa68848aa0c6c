import type { AgentEnd, AgentErrorCategory } from "../agents/agent.ts";
import { AgentError } from "../errors.ts";
import type { AttemptEnd } from "./attempt.ts";
import type { AgentLimit } from "./limits.ts";
import { isRetryable } from "./retry-policy.ts";

/** How often an agent was tried, and the waits in between. */
export interface Tries {
  readonly attempts: number;
  readonly retries: readonly { readonly delaySeconds: number }[];
}

/** What to do about a failure that is not the agent's. */
const hints: Readonly<Partial<Record<AgentErrorCategory, string>>> = {
  agent_auth_error: "check the key that the agent gets, then resume the run",
  agent_billing_error: "check the account of the agent's key, then resume the run",
  agent_rate_limit: "run fewer tasks at a time, or give them more time (run_limits.task_timeout)",
};

const onlyTry: Tries = { attempts: 1, retries: [] };

/**
 * Pure: only what is not the agent's own doing, or its time limit, decides before the criteria do (formats.md 5.8). A turn limit and
 * budgets wait for the criteria (`run/limit-verdict.ts`).
 */
export function endOfAgent(end: AgentEnd, limit: AgentLimit, { attempts, retries }: Tries = onlyTry): AttemptEnd | undefined {
  const component = "orchestrator.iteration_1";
  const tries = { attempts, retryDelaySeconds: retries.at(-1)?.delaySeconds ?? 0 };
  switch (end.kind) {
    case "completed":
    case "stopped":
      return undefined;
    case "timed out": {
      if (limit.kind === "task") return { kind: "task timeout", seconds: limit.seconds };
      const error = new AgentError("agent_timeout", `Agent turn timed out after ${limit.seconds}s`);
      return { kind: "error", component, error, agent: { ...tries, isRetryable: false, stdout: undefined, stderr: undefined } };
    }
    case "crashed": {
      const { category, message, stdout, stderr } = end;
      const error = new AgentError(category, message, { hint: hints[category] });
      return { kind: "error", component, error, agent: { ...tries, isRetryable: isRetryable(category), stdout, stderr } };
    }
  }
}
