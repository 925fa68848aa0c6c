import type { AgentStop, CliFacts } from "../agents/agent.ts";
import type { AgentEvent } from "../agents/agent-event.ts";
import type { LiveTelemetry } from "../agents/telemetry/live-telemetry.ts";
import type { Clock } from "../clock.ts";
import { createEarlyStop } from "../criteria/early-stop/early-stop.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { TurnRecord } from "../results/turn-record.ts";
import { createLimitWatch } from "./limit-watch.ts";

export type LiveWatch = (event: AgentEvent, live: LiveTelemetry) => AgentStop | undefined;

/**
 * What ends an agent that is at work: a limit (formats.md 10.8), or criteria that are decided (2.3).
 * @param before turns of earlier attempts, which count for budgets, and whose tool calls criteria count
 */
export function createLiveWatch(
  task: ResolvedTask,
  cli: CliFacts | undefined,
  options: { readonly clock: Clock; readonly before: readonly TurnRecord[] },
): LiveWatch {
  const { run_limits: limits, success_criteria: criteria } = task.task;
  const overLimit = createLimitWatch(
    limits,
    { maxTurns: cli?.native.maxTurns ?? false, maxUsd: cli?.native.maxUsd ?? false },
    options.before,
  );
  const early = createEarlyStop(criteria, {
    gateThreshold: limits.stop_early_gate_threshold,
    stopEarly: limits.stop_early,
    maxTurns: limits.max_turns ?? undefined,
    startedMs: options.clock.monotonicMs(),
    nowMs: () => options.clock.monotonicMs(),
  });
  const earlier = options.before.flatMap(({ commands }) => commands);
  return (event, live) => {
    const stop = overLimit(event, live);
    if (stop !== undefined || !early.isArmed || (event.kind !== "tool call" && event.kind !== "tool result")) return stop;
    const info = early.decide(earlier.length === 0 ? live.toolCalls : [...earlier, ...live.toolCalls], { modelCalls: live.modelCalls });
    return info === undefined ? undefined : { kind: "early stop", info };
  };
}
