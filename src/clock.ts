import { setTimeout as delay } from "node:timers/promises";

/** Time as an argument: wall time for records, monotonic milliseconds for durations. */
export interface Clock {
  now(): Date;
  monotonicMs(): number;
}

/** A clock that one can wait by. */
export interface WaitingClock extends Clock {
  /** @throws the signal's reason as soon as it aborts */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: WaitingClock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  async sleep(milliseconds, signal) {
    try {
      await delay(milliseconds, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
