import type { AgentStop } from "../agents/agent.ts";
import type { AgentEvent } from "../agents/agent-event.ts";
import type { LiveTelemetry } from "../agents/telemetry/live-telemetry.ts";
import type { RunLimits } from "../plan/schema/task-schema.ts";
import type { TurnRecord } from "../results/turn-record.ts";
import { firstBreach } from "./budgets.ts";
import { spentIn } from "./limit-verdict.ts";

/** Limits that the agent's own program keeps: those are left to it. */
export interface NativeLimits {
  readonly maxTurns: boolean;
  readonly maxUsd: boolean;
}

/**
 * Watches an attempt while it goes on (formats.md 10.8): a reason to stop it as soon as a budget is exceeded by the calls that are over,
 * or as soon as the agent goes on after its last turn. Turns are counted per attempt; budgets hold for all attempts of the task.
 * @param before turns of the attempts before this one
 */
export function createLimitWatch(
  limits: RunLimits,
  native: NativeLimits,
  before: readonly TurnRecord[] = [],
): (event: AgentEvent, live: LiveTelemetry) => AgentStop | undefined {
  const earlier = spentIn(before);
  const goesOn = turnCounter();
  const watched: RunLimits = native.maxUsd ? { ...limits, max_usd: null } : limits;
  return (event, live) => {
    const { usage, costUsd } = live;
    const usd = costUsd === null && earlier.spent.usd === null ? null : (costUsd ?? 0) + (earlier.spent.usd ?? 0);
    const spent = {
      uncachedInput: earlier.spent.uncachedInput + (usage?.uncachedInput ?? 0),
      cacheCreation: earlier.spent.cacheCreation + (usage?.cacheCreation ?? 0),
      cacheRead: earlier.spent.cacheRead + (usage?.cacheRead ?? 0),
      output: earlier.spent.output + (usage?.output ?? 0),
      usd,
    };
    const breach = firstBreach(spent, usage !== undefined || earlier.hasTokens, watched);
    if (breach !== undefined) return { kind: "budget", ...breach };
    const isExhausted = goesOn(event, live.modelCalls, limits.max_turns ?? Number.POSITIVE_INFINITY);
    return isExhausted && !native.maxTurns ? { kind: "max turns" } : undefined;
  };
}

/** Tells, event by event, whether the agent is at work beyond its last turn. A last call that only answers is within the limit. */
function turnCounter(): (event: AgentEvent, modelCalls: number, maxTurns: number) => boolean {
  const over = new Set<string>();
  return (event, modelCalls, maxTurns) => {
    if (event.kind === "model call" && event.messageId !== undefined) over.add(event.messageId);
    if (modelCalls > maxTurns) return true;
    if (modelCalls < maxTurns) return false;
    if (event.kind === "tool call") return event.messageId === undefined || !over.has(event.messageId);
    if (event.kind === "text" || event.kind === "thinking") return event.messageId !== undefined && !over.has(event.messageId);
    return false;
  };
}
