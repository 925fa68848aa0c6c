import { cut } from "../../results/cut-text.ts";
import type { ErrorEvent, RetryEvent } from "../agent-event.ts";

const messageCharacters = 2000;
/** An agent that tries again for ever tells nothing new. */
const most = 200;

/** What went wrong between an agent and its service, as a turn's record lists it. */
export class ProviderErrors {
  readonly #list: Record<string, unknown>[] = [];

  get list(): Record<string, unknown>[] {
    return this.#list;
  }

  push(event: RetryEvent | ErrorEvent, at: Date): void {
    if (this.#list.length >= most) return;
    this.#list.push({
      at: at.toISOString(),
      message: cut(event.message, messageCharacters),
      kind: event.kind === "retry" ? "retry" : event.final ? "final" : "error",
      http_status: event.status !== undefined && Number.isInteger(event.status) ? event.status : null,
      will_retry: event.kind === "retry",
      details: event.kind === "retry" ? detailsOf(event) : null,
    });
  }
}

function detailsOf({ attempt, delayMs }: RetryEvent): string | null {
  const parts = [attempt === undefined ? [] : `attempt ${attempt}`, delayMs === undefined ? [] : `after ${Math.round(delayMs)} ms`].flat();
  return parts.length === 0 ? null : parts.join(", ");
}
