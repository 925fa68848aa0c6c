/** What a timer of the runtime can wait for, about 24.8 days: it fires at once when asked for more. */
const maxTimerMs = 2 ** 31 - 1;

/** A wait that a timer can keep, for limits that may be of any size. */
export function clampTimer(milliseconds: number): number {
  return Math.min(milliseconds, maxTimerMs);
}
