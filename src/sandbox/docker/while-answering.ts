import { setTimeout as delay } from "node:timers/promises";
import { clientWithSignal, type EngineClient } from "./client.ts";
import { EngineConnectionError } from "./engine-error.ts";

/** The clean-up after a stop signal has 5.5 s: an engine that hangs must not take them all. */
const patienceMs = 2_500;
const pingMs = 1_500;

/**
 * Removals may take their time on a busy engine, but not on one that says nothing any more: what is not done after 2.5 s is given up
 * when the engine does not answer a ping either, within 1.5 s.
 * @throws what `work` throws, EngineConnectionError when it was given up
 */
export async function whileAnswering<Result>(client: EngineClient, work: (client: EngineClient) => Promise<Result>): Promise<Result> {
  const silent = new AbortController();
  const done = new AbortController();
  const watch = async (): Promise<void> => {
    await delay(patienceMs, undefined, { signal: done.signal });
    await client.call({ method: "GET", path: "/_ping", timeoutMs: pingMs, signal: done.signal });
  };
  watch().catch((error: unknown) => {
    if (!done.signal.aborted) silent.abort(new EngineConnectionError("ETIMEDOUT", "the engine does not answer any more", error));
  });
  try {
    return await work(clientWithSignal(client, silent.signal));
  } finally {
    done.abort();
  }
}
