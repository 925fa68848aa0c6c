import type { WaitingClock } from "../../../src/clock.ts";

/** A clock on which time passes only where somebody lets it: a sleep is over as soon as it began, and its length has passed. */
export class FakeClock implements WaitingClock {
  readonly sleeps: number[] = [];
  /** Called in each sleep, before it is over. */
  onSleep: (milliseconds: number) => void | Promise<void> = () => {};
  #now = 0;

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  now(): Date {
    return new Date(this.#now);
  }

  monotonicMs(): number {
    return this.#now;
  }

  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.sleeps.push(milliseconds);
    this.#now += milliseconds;
    await this.onSleep(milliseconds);
    signal.throwIfAborted();
  }
}
