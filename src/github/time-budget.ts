/** Why work was ended before it was done. */
export type Ended = "stopped" | "out of time";

/** A length of time that several pieces of work share; what runs at once is counted once. */
export interface TimeBudget {
  /** Milliseconds that are left. */
  leftMs(): number;
  /**
   * Does work until the time is up or the caller's signal fires, whatever the work is waiting for; its own signal then fires too.
   * @returns what the work gives, or why it was ended; throws what the work throws
   */
  use<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<{ readonly result: Result } | { readonly ended: Ended }>;
}

export function createTimeBudget(totalMs: number, stop: AbortSignal, monotonicMs: () => number): TimeBudget {
  let spentMs = 0;
  let running = 0;
  let since = 0;
  const leftMs = (): number => Math.max(0, totalMs - spentMs - (running > 0 ? monotonicMs() - since : 0));
  return {
    leftMs,
    async use(work) {
      const left = leftMs();
      if (stop.aborted || left === 0) return { ended: stop.aborted ? "stopped" : "out of time" };
      if (running === 0) since = monotonicMs();
      running += 1;
      const end = new AbortController();
      const timer = setTimeout(() => end.abort(), left);
      const onStop = (): void => end.abort();
      stop.addEventListener("abort", onStop, { once: true });
      try {
        const ended = new Promise<{ ended: Ended }>((resolve) => {
          end.signal.addEventListener("abort", () => resolve({ ended: stop.aborted ? "stopped" : "out of time" }), { once: true });
        });
        return await Promise.race([work(end.signal).then((result) => ({ result })), ended]);
      } finally {
        clearTimeout(timer);
        stop.removeEventListener("abort", onStop);
        running -= 1;
        if (running === 0) spentMs += monotonicMs() - since;
      }
    },
  };
}
