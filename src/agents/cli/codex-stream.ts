import type { AgentEvent } from "../agent-event.ts";
import { statusIn } from "./api-status.ts";
import type { StreamParser } from "./cli-agent.ts";
import { codexCalls, codexPlan } from "./codex-items.ts";
import { codexUsage, rolloutCalls } from "./codex-rollout.ts";
import { objectAt, parseLine, type StreamObject, textAt } from "./stream-line.ts";

/** A parser of what `codex exec --json` prints. */
export function codexParser(): StreamParser {
  const stream = new CodexStream();
  return { push: (line) => stream.push(line), end: (files) => stream.end(files ?? []) };
}

const reconnecting = /^Reconnecting\.\.\. (?:(?<attempt>\d+)\/\d+|waiting for network)(?: \((?<reason>[\s\S]*)\))?$/;

class CodexStream {
  #threadId: string | undefined;
  #reply: string | undefined;
  /** Calls of the model so far: the stream does not tell them, but what follows the result of a tool is a new one. */
  #calls = 0;
  #callIsOpen = false;
  #callIsTold = true;
  #plans = 0;
  readonly #running = new Set<string>();

  push(line: string): readonly AgentEvent[] {
    const read = parseLine(line);
    if (read.kind === "other") return [{ kind: "unknown", line }];
    return this.#eventsOf(read.value) ?? [{ kind: "unknown", line }];
  }

  end(files: readonly { readonly path: string; readonly text: string }[]): readonly AgentEvent[] {
    return rolloutCalls(files, this.#threadId, callName);
  }

  #eventsOf(value: StreamObject): readonly AgentEvent[] | undefined {
    switch (textAt(value, "type")) {
      case "thread.started":
        this.#threadId = textAt(value, "thread_id");
        return [{ kind: "session", sessionId: this.#threadId }];
      case "turn.started":
        return [];
      case "item.started":
      case "item.updated":
        return this.#item(objectAt(value, "item"), false);
      case "item.completed":
        return this.#item(objectAt(value, "item"), true);
      case "error":
        return [troubleOf(textAt(value, "message") ?? "unknown error")];
      case "turn.completed":
        return this.#completed(value);
      case "turn.failed":
        return this.#failed(textAt(objectAt(value, "error"), "message") ?? "unknown error");
      default:
        return undefined;
    }
  }

  #item(item: StreamObject, isOver: boolean): readonly AgentEvent[] | undefined {
    const type = textAt(item, "type");
    switch (type) {
      case "agent_message":
      case "reasoning": {
        const text = textAt(item, "text") ?? "";
        if (!isOver || text === "") return [];
        const messageId = this.#ofCall();
        if (type === "reasoning") return [{ kind: "thinking", text, messageId }];
        this.#reply = text;
        return [{ kind: "text", text, messageId }];
      }
      case "error":
        // Also of things that do no harm, such as a model that it does not know: only a failed turn is the end.
        return isOver ? [{ kind: "error", message: textAt(item, "message") ?? "unknown error", final: false }] : [];
      case "todo_list":
        return isOver ? [] : this.#plan(item);
      default:
        return this.#tool(item, isOver);
    }
  }

  #tool(item: StreamObject, isOver: boolean): readonly AgentEvent[] | undefined {
    const calls = codexCalls(item);
    if (calls === undefined) return undefined;
    const events: AgentEvent[] = [];
    for (const { call, result } of calls) {
      if (!this.#running.has(call.id)) {
        this.#running.add(call.id);
        const messageId = this.#ofCall();
        events.push({ ...call, messageId }, ...this.#tellCall());
      }
      if (isOver) events.push(result);
    }
    // A search is the service's own: the same call of the model goes on.
    if (isOver && textAt(item, "type") !== "web_search") this.#callIsOpen = false;
    return events;
  }

  #plan(item: StreamObject): readonly AgentEvent[] {
    this.#plans += 1;
    const { call, result } = codexPlan(`${textAt(item, "id") ?? "plan"}.${this.#plans}`, item);
    const messageId = this.#ofCall();
    const events = [{ ...call, messageId }, ...this.#tellCall(), result];
    this.#callIsOpen = false;
    return events;
  }

  #completed(value: StreamObject): readonly AgentEvent[] {
    const told = this.#tellCall();
    this.#callIsOpen = false;
    return [
      ...told,
      {
        kind: "end",
        isError: false,
        subtype: "success",
        result: this.#reply,
        turns: this.#calls,
        usage: codexUsage(objectAt(value, "usage")),
      },
    ];
  }

  #failed(message: string): readonly AgentEvent[] {
    const told = this.#tellCall();
    const status = statusIn(message);
    return [
      ...told,
      { kind: "error", status, message, final: true },
      { kind: "end", isError: true, subtype: "turn.failed", result: message, turns: this.#calls, apiStatus: status },
    ];
  }

  /** The name of the call of the model to which what comes now belongs. */
  #ofCall(): string {
    if (!this.#callIsOpen) {
      this.#calls += 1;
      this.#callIsOpen = true;
      this.#callIsTold = false;
    }
    return callName(this.#calls);
  }

  /** That the call is over, once. */
  #tellCall(): readonly AgentEvent[] {
    if (this.#callIsTold) return [];
    this.#callIsTold = true;
    return [{ kind: "model call", messageId: callName(this.#calls) }];
  }
}

function callName(call: number): string {
  return `call-${call}`;
}

function troubleOf(message: string): AgentEvent {
  const groups = reconnecting.exec(message)?.groups;
  if (groups === undefined) return { kind: "error", status: statusIn(message), message, final: false };
  const attempt = groups.attempt === undefined ? undefined : Number(groups.attempt);
  return { kind: "retry", attempt, status: statusIn(groups.reason ?? ""), message: groups.reason ?? message };
}
