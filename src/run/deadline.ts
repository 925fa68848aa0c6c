import { DeadlineError } from "../errors.ts";
import { clampTimer } from "../timer.ts";

/**
 * Runs one stage of a task's life with a limit of its own. Rejects when the limit or the outer signal comes first, even if
 * the work never looks at its signal: no await of a task may hang for ever (the work is then left to end unobserved).
 * @throws DeadlineError, the outer signal's reason, or what the work throws
 */
export async function withDeadline<T>(
  stage: string,
  limitMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted();
  const inner = new AbortController();
  const forward = (): void => inner.abort(outer.reason);
  outer.addEventListener("abort", forward, { once: true });
  const timer = setTimeout(() => inner.abort(new DeadlineError(stage, limitMs)), clampTimer(limitMs));
  const stopped = Promise.withResolvers<never>();
  inner.signal.addEventListener("abort", () => stopped.reject(inner.signal.reason), { once: true });
  // `work` may settle first; the loser of the race must not become an unhandled rejection.
  stopped.promise.catch(() => {});
  try {
    const working = work(inner.signal);
    working.catch(() => {});
    return await Promise.race([working, stopped.promise]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", forward);
  }
}
