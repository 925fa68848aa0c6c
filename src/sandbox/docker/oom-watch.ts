import { setTimeout as delay } from "node:timers/promises";
import type { EngineClient } from "./client.ts";
import { labelNames } from "./labels.ts";
import { eventSchema } from "./responses.ts";

// Engine 20.10 leaves `State.OOMKilled` false when the memory killer took a child and PID 1 lives on; later engines set it. Both send an
// `oom` event, so one subscription for the whole run replaces a question per command.

export interface OomWatch {
  /** How often the memory killer was at work in this container so far. */
  count(containerId: string): number;
  /** Whether there are more than `count`, waiting a moment for an event that is under way. */
  hasMoreThan(containerId: string, count: number): Promise<boolean>;
  forget(containerId: string): void;
  close(): void;
}

const eventDelayMs = 400;
const reconnectMs = 1_000;

/** Subscribes to the memory events of a run's containers, and again after a broken connection. Holds no process alive. */
export function watchOutOfMemory(client: EngineClient, runId: string): OomWatch {
  const counts = new Map<string, number>();
  const closing = new AbortController();
  const listeners = new Set<() => void>();
  let since: string | undefined;

  const follow = async (): Promise<void> => {
    const filters = JSON.stringify({ type: ["container"], event: ["oom"], label: [`${labelNames.run}=${runId}`] });
    const response = await client.stream({
      method: "GET",
      path: "/events",
      query: { filters, since },
      timeoutMs: 0,
      background: true,
      signal: closing.signal,
    });
    response.setEncoding("utf8");
    let rest = "";
    for await (const chunk of response) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) record(line);
    }
  };
  const record = (line: string): void => {
    if (line.trim() === "") return;
    const event = eventSchema.parse(JSON.parse(line));
    counts.set(event.Actor.ID, (counts.get(event.Actor.ID) ?? 0) + 1);
    // Nanoseconds do not fit into a number: the next second is close enough.
    if (event.timeNano !== undefined) since = String(Math.floor(event.timeNano / 1e9) + 1);
    for (const listener of listeners) listener();
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await follow().catch(() => undefined);
      await delay(reconnectMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  };
  void run();

  const count = (containerId: string): number => counts.get(containerId) ?? 0;
  return {
    count,
    async hasMoreThan(containerId, before) {
      if (count(containerId) > before) return true;
      const told = Promise.withResolvers<void>();
      const listener = () => {
        if (count(containerId) > before) told.resolve();
      };
      listeners.add(listener);
      await Promise.race([told.promise, delay(eventDelayMs)]);
      listeners.delete(listener);
      return count(containerId) > before;
    },
    forget: (containerId) => {
      counts.delete(containerId);
    },
    close: () => closing.abort(),
  };
}
