import type { AgentErrorCategory } from "../agents/agent.ts";

interface RetryRule {
  readonly retries: number;
  readonly firstSeconds: number;
  readonly factor: number;
}

/** formats.md 10.1, the part that concerns agents; every other category is not retried. */
const rules: Readonly<Partial<Record<AgentErrorCategory, RetryRule>>> = {
  agent_api_error: { retries: 3, firstSeconds: 5, factor: 2 },
  agent_rate_limit: { retries: 5, firstSeconds: 60, factor: 3 },
  agent_crash: { retries: 2, firstSeconds: 5, factor: 2 },
};

/** Whatever the categories are (formats.md 10.1). */
export const mostAttempts = 10;
/** Of a delay: the most that is added at random. */
export const mostJitter = 0.25;

export function isRetryable(category: AgentErrorCategory): boolean {
  return rules[category] !== undefined;
}

export interface Failure {
  readonly category: AgentErrorCategory;
  /** Retries that there were for this category so far. */
  readonly retried: number;
  readonly retryAfterMs: number | undefined;
}

/**
 * Milliseconds to wait before the next attempt: first × factor^retried and at random up to a quarter more, so that tasks that failed
 * together do not come back together; what the service asked for where that is longer. Undefined: no further attempt.
 * @param random a number from 0 to below 1
 */
export function retryDelayMs({ category, retried, retryAfterMs }: Failure, random: number): number | undefined {
  const rule = rules[category];
  if (rule === undefined || retried >= rule.retries) return undefined;
  const ownMs = rule.firstSeconds * 1000 * rule.factor ** retried;
  return Math.max(ownMs, retryAfterMs ?? 0) * (1 + mostJitter * random);
}
