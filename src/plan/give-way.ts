import { setImmediate } from "node:timers/promises";
import { InterruptedError } from "../errors.ts";

/**
 * Lets the process see to its signals in the middle of a long plan.
 * @throws InterruptedError when it was told to stop
 */
export async function giveWay(signal: AbortSignal | undefined): Promise<void> {
  if (signal !== undefined) await setImmediate();
  if (signal?.aborted === true) throw new InterruptedError("stopped while the task files were read; nothing was run");
}
