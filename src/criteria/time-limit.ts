import { createContext, Script } from "node:vm";
import { InternalError } from "../errors.ts";

/** Work that was cut off because a hostile document or schema made it run away. */
export class CheckTimeoutError extends Error {
  constructor(what: string, limitMs: number) {
    super(`${what} took longer than ${limitMs / 1_000} s`);
    this.name = "CheckTimeoutError";
  }
}

/**
 * Runs synchronous code that can be cut off: the watchdog of `node:vm` stops whatever runs below its script. The work must keep no state
 * that a stop half-way would spoil.
 * @throws CheckTimeoutError, or what `work` throws
 */
export function withTimeLimit<T>(what: string, limitMs: number, work: () => T): T {
  const results: { readonly value: T }[] = [];
  const context = createContext({ run: () => results.push({ value: work() }) });
  try {
    new Script("run()").runInContext(context, { timeout: limitMs });
  } catch (error) {
    if (isTimeout(error)) throw new CheckTimeoutError(what, limitMs);
    throw error;
  }
  const [result] = results;
  if (result === undefined) throw new InternalError(`${what} ended without a result`);
  return result.value;
}

function isTimeout(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
