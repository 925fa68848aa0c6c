import type { WaitingClock } from "../clock.ts";
import { clampTimer } from "../timer.ts";
import { mostJitter } from "./retry-policy.ts";

/**
 * What the tasks of one agent know together of its service's rate limit: where one of them was told to wait, the others wait before
 * their next start as well. Nobody holds anything: the gate of an agent is shut until a point in time, so nothing can be left locked.
 */
export interface RateGate {
  /** The service of this agent wants no call for so many milliseconds. */
  shut(agent: string, milliseconds: number): void;
  /** Milliseconds until the agent may start; 0 when it may now. */
  waitMs(agent: string): number;
  /** Waits until the agent may start, a random part longer where it has to wait. @throws the signal's reason */
  pass(agent: string, signal: AbortSignal): Promise<void>;
}

/** A service that asks for more is believed so far and then tried again. */
const longestMs = 15 * 60_000;

/** @param onShut told when an agent's gate goes from open to shut */
export function createRateGate(
  clock: WaitingClock,
  random: () => number,
  onShut: (agent: string, milliseconds: number) => void = () => {},
): RateGate {
  const opensAtMs = new Map<string, number>();
  const waitMs = (agent: string): number => Math.max(0, (opensAtMs.get(agent) ?? 0) - clock.monotonicMs());
  return {
    shut(agent, milliseconds) {
      const lastsMs = Math.min(Math.max(0, milliseconds), longestMs);
      const until = clock.monotonicMs() + lastsMs;
      if (lastsMs > 0 && waitMs(agent) === 0) onShut(agent, lastsMs);
      opensAtMs.set(agent, Math.max(opensAtMs.get(agent) ?? 0, until));
    },
    waitMs,
    async pass(agent, signal) {
      // Only attempts that run can shut it anew, and each of them has a time limit: it opens in the end.
      for (let left = waitMs(agent); left > 0; left = waitMs(agent)) {
        await clock.sleep(clampTimer(left * (1 + mostJitter * random())), signal);
      }
    },
  };
}
