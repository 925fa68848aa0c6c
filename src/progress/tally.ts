import { categoryOf } from "../results/final-status.ts";
import type { FinishedRow } from "./progress.ts";

/** Running counts of a display; the published numbers are computed from the results, not here. */
export interface Tally {
  readonly total: number;
  readonly done: number;
  readonly passed: number;
  readonly running: number;
}

export interface TallyKeeper {
  readonly now: () => Tally;
  begin(total: number): void;
  started(): void;
  finished(row: FinishedRow): void;
  notRun(wasRunning: boolean): void;
}

export function createTally(): TallyKeeper {
  let total = 0;
  let done = 0;
  let passed = 0;
  let running = 0;
  return {
    now: () => ({ total, done, passed, running }),
    begin(count) {
      total = count;
    },
    started() {
      running += 1;
    },
    finished(row) {
      running -= 1;
      done += 1;
      if (categoryOf(row.status) === "succeeded") passed += 1;
    },
    notRun(wasRunning) {
      if (wasRunning) running -= 1;
      done += 1;
    },
  };
}

/** `1m 05s`, `12.3s`: seconds as a person reads them. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = String(whole % 60).padStart(2, "0");
  if (minutes < 60) return `${minutes}m ${rest}s`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}
