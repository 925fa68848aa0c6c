import type { AgentEvent, CallUsage, ModelCallEvent } from "../agent-event.ts";
import type { ClaudeDialect } from "./claude-dialect.ts";
import { objectAt, type StreamObject, textAt } from "./stream-line.ts";

interface OpenCall {
  readonly messageId: string | undefined;
  readonly model: string | undefined;
  /** Of a call that is told in pieces: grows until its last one. */
  usage: StreamObject;
}

/**
 * Which calls of the model a stream of Claude Code's format tells of. With partial messages each call has a beginning and an end with its
 * true usage. Without them, `message.usage` is that of the call's very beginning (Claude Code: never to be summed) or stands on the last
 * message of the call alone (Qwen Code).
 */
export class ClaudeLikeCalls {
  readonly #dialect: ClaudeDialect;
  readonly #told = new Set<string>();
  #open: OpenCall | undefined;

  constructor(dialect: ClaudeDialect) {
    this.#dialect = dialect;
  }

  /** A piece of a message (`--include-partial-messages`). */
  piece(event: StreamObject): readonly AgentEvent[] {
    switch (textAt(event, "type")) {
      case "message_start": {
        const message = objectAt(event, "message");
        this.#open = { messageId: textAt(message, "id"), model: textAt(message, "model"), usage: objectAt(message, "usage") };
        return [];
      }
      case "message_delta": {
        const open = this.#open;
        if (open === undefined) return [];
        open.usage = { ...open.usage, ...objectAt(event, "usage") };
        this.#open = undefined;
        return [this.#call(open, this.#dialect.usage(open.usage), textAt(objectAt(event, "delta"), "stop_reason"))];
      }
      case "message_stop":
        // One that stops without its usage was given up and is tried again.
        this.#open = undefined;
        return [];
      default:
        return [];
    }
  }

  /** A whole message of the agent itself. */
  message(message: StreamObject, at: Date | undefined): readonly AgentEvent[] {
    const messageId = textAt(message, "id");
    const model = textAt(message, "model");
    const stopReason = textAt(message, "stop_reason");
    if (this.#dialect.tiesByMessageId) {
      if (messageId === undefined || this.#told.has(messageId) || this.#open?.messageId === messageId) return [];
      this.#told.add(messageId);
      // Only a message that came whole, not streamed, says why it stopped; its usage is that of its end.
      const whole = stopReason === undefined ? undefined : this.#dialect.usage(objectAt(message, "usage"));
      return [{ kind: "model call", messageId, model, usage: whole, stopReason, at }];
    }
    const usage = this.#dialect.usage(objectAt(message, "usage"));
    if (usage === undefined || isNothing(usage)) {
      this.#open ??= { messageId: undefined, model, usage: {} };
      return [];
    }
    this.#open = undefined;
    return [{ kind: "model call", model, usage, stopReason, at }];
  }

  /** What comes now answers a call of which no usage was told: it is over. */
  closeAnswered(): readonly AgentEvent[] {
    return this.#dialect.tiesByMessageId ? [] : this.close();
  }

  /** A call that was cut off. What it read is paid all the same, so the usage of its beginning is a lower bound of its own. */
  close(): readonly AgentEvent[] {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? [] : [this.#call(open, this.#dialect.usage(open.usage), undefined)];
  }

  #call(open: OpenCall, usage: CallUsage | undefined, stopReason: string | undefined): ModelCallEvent {
    if (open.messageId !== undefined) this.#told.add(open.messageId);
    return { kind: "model call", messageId: open.messageId, model: open.model, usage, stopReason };
  }
}

function isNothing(usage: CallUsage): boolean {
  return usage.uncachedInput + usage.cacheCreation + usage.cacheRead + usage.output === 0;
}
