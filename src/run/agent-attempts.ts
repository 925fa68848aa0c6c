import type { AgentErrorCategory, AgentOutcome } from "../agents/agent.ts";
import type { WaitingClock } from "../clock.ts";
import { cut } from "../results/cut-text.ts";
import type { TurnRecord } from "../results/turn-record.ts";
import { clampTimer } from "../timer.ts";
import type { AgentLimit, AgentTimes } from "./limits.ts";
import type { RateGate } from "./rate-gate.ts";
import { isRetryable, mostAttempts, mostJitter, retryDelayMs } from "./retry-policy.ts";

export interface AgentAttemptsOptions {
  /** One attempt; `attempt` counts from 1, `timeoutMs` is what is left for it. @throws SandboxLostError, or the signal's reason */
  readonly run: (attempt: number, timeoutMs: number) => Promise<AgentOutcome>;
  /** Each turn as soon as it is over, crashed ones too: what is thrown later does not cost them. */
  readonly onTurn?: ((turn: TurnRecord) => void) | undefined;
  /** Kills what a crashed attempt left running, before the wait for the next one. */
  readonly cleanUp: (signal: AbortSignal) => Promise<void>;
  readonly onRetry?: ((retry: AgentRetry) => void) | undefined;
  readonly times: AgentTimes;
  readonly clock: WaitingClock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
  /** Shared by the tasks that use one service, and under which name this task's agent stands in it. */
  readonly gate?: { readonly gate: RateGate; readonly agent: string } | undefined;
  /** Factor of every delay of ours; 1 unless somebody who tests cannot wait. */
  readonly delayScale?: number | undefined;
}

export interface AgentRetry {
  readonly category: AgentErrorCategory;
  readonly delaySeconds: number;
  /** Why the attempt before it failed. Foreign text. */
  readonly reason: string;
}

export interface AgentAttempts {
  readonly outcome: AgentOutcome;
  /** Of all attempts in order: crashed ones first, all with the same iteration number (formats.md 5.4). */
  readonly turns: readonly TurnRecord[];
  readonly attempts: number;
  readonly retries: readonly AgentRetry[];
  /** The limit that would have ended the last attempt. */
  readonly limit: AgentLimit;
}

/** Milliseconds that an attempt needs to be worth its start. */
const leastAttemptMs = 10_000;
/** How long the other tasks of an agent pause, in milliseconds, where its service does not say it. */
const pauseMs = 60_000;
const crashReasonChars = 200;

/**
 * Runs an agent until it did its work, failed for good, or its time is over (formats.md 10.1). A retry waits where it is, in the task's
 * place (B72); the task's limit covers all attempts and the waits between them. Time-outs are not retried.
 * @throws what `run` and `cleanUp` throw, or the signal's reason
 */
export async function runAgentAttempts(options: AgentAttemptsOptions): Promise<AgentAttempts> {
  const { clock, times, signal, log } = options;
  const scale = options.delayScale ?? 1;
  const endMs = clock.monotonicMs() + times.taskSeconds * 1000;
  const turns: TurnRecord[] = [];
  const retries: AgentRetry[] = [];
  const leftMs = (): number => endMs - clock.monotonicMs();
  const fits = (waitMs: number): boolean => waitMs + leastAttemptMs * scale < leftMs();

  await waitAtGate(options, fits);
  for (let attempt = 1; ; attempt += 1) {
    const timeoutMs = Math.max(1, Math.min(leftMs(), (times.turnSeconds ?? Number.POSITIVE_INFINITY) * 1000));
    const limit = limitOf(times, leftMs());
    const outcome = withReason(await options.run(attempt, timeoutMs));
    turns.push(outcome.turn);
    options.onTurn?.(outcome.turn);
    const done = (last: AgentOutcome = outcome): AgentAttempts => ({ outcome: last, turns, attempts: attempt, retries, limit });
    const { end } = outcome;
    if (end.kind !== "crashed") return done();
    const { category, message, retryAfterMs } = end;
    const retried = retries.filter((retry) => retry.category === category).length;
    const delayMs = scaled(retryDelayMs({ category, retried, retryAfterMs }, options.random()), scale);
    // What others were told; what this one was told stands in its delay already.
    const waitMs = Math.max(delayMs ?? 0, gateWaitMs(options));
    if (category === "agent_rate_limit") options.gate?.gate.shut(options.gate.agent, retryAfterMs ?? pauseMs * scale);
    if (delayMs === undefined || attempt >= mostAttempts) {
      return done(attempt > 1 && isRetryable(category) ? withNote(outcome, `after ${attempt} attempts`) : outcome);
    }
    if (!fits(waitMs)) {
      const left = Math.max(0, Math.floor(leftMs() / 1000));
      return done(
        withNote(
          outcome,
          `not tried again: a wait of ${seconds(waitMs)} s leaves no time for it, ${left} s of ${times.taskSeconds} s are left`,
        ),
      );
    }
    const retry = { category, delaySeconds: waitMs / 1000, reason: message };
    retries.push(retry);
    log(`agent attempt ${attempt} failed (${category}): ${message}; trying again in ${seconds(waitMs)} s`);
    options.onRetry?.(retry);
    const waitUntilMs = clock.monotonicMs() + waitMs;
    await options.cleanUp(signal);
    await clock.sleep(clampTimer(Math.max(0, waitUntilMs - clock.monotonicMs())), signal);
  }
}

/** Before the first attempt: others of this agent may have been told to wait. Where its own time is too short for it, it goes ahead. */
async function waitAtGate(options: AgentAttemptsOptions, fits: (waitMs: number) => boolean): Promise<void> {
  const waitMs = gateWaitMs(options);
  if (waitMs === 0 || !fits(waitMs)) return;
  options.log(`waiting ${seconds(waitMs)} s: the service of this agent asked another task to slow down`);
  await options.clock.sleep(clampTimer(waitMs), options.signal);
}

function gateWaitMs({ gate, random }: AgentAttemptsOptions): number {
  const waitMs = gate?.gate.waitMs(gate.agent) ?? 0;
  return waitMs === 0 ? 0 : waitMs * (1 + mostJitter * random());
}

function limitOf({ taskSeconds, turnSeconds }: AgentTimes, leftMs: number): AgentLimit {
  if (turnSeconds !== undefined && turnSeconds * 1000 < leftMs) return { kind: "turn", seconds: turnSeconds };
  return { kind: "task", seconds: taskSeconds };
}

function scaled(delayMs: number | undefined, scale: number): number | undefined {
  return delayMs === undefined ? undefined : delayMs * scale;
}

/** A turn that ended in a crash says so, whatever its adapter recorded. */
function withReason(outcome: AgentOutcome): AgentOutcome {
  if (outcome.end.kind !== "crashed") return outcome;
  const crash_reason = outcome.turn.crash_reason ?? cut(outcome.end.message, crashReasonChars + 1);
  return { ...outcome, turn: { ...outcome.turn, crashed: true, crash_reason } };
}

function withNote(outcome: AgentOutcome, note: string): AgentOutcome {
  if (outcome.end.kind !== "crashed") return outcome;
  return { ...outcome, end: { ...outcome.end, message: `${outcome.end.message} (${note})` } };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0);
}
