import type { AgentEvent } from "../agent-event.ts";
import { statusIn } from "./api-status.ts";
import type { ClaudeDialect } from "./claude-dialect.ts";
import { ClaudeLikeCalls } from "./claude-like-calls.ts";
import { claudeLikeEnd } from "./claude-like-end.ts";
import type { StreamParser } from "./cli-agent.ts";
import {
  contentText,
  countAt,
  dateAt,
  flagAt,
  numberAt,
  objectAt,
  objectsAt,
  parseLine,
  type StreamObject,
  textAt,
  textsAt,
} from "./stream-line.ts";

/** A parser of the stream that Claude Code and those who took over its format print. */
export function claudeLikeParser(dialect: ClaudeDialect): StreamParser {
  const stream = new ClaudeLikeStream(dialect);
  return { push: (line) => stream.push(line), end: () => stream.end() };
}

class ClaudeLikeStream {
  readonly #dialect: ClaudeDialect;
  readonly #calls: ClaudeLikeCalls;

  constructor(dialect: ClaudeDialect) {
    this.#dialect = dialect;
    this.#calls = new ClaudeLikeCalls(dialect);
  }

  push(line: string): readonly AgentEvent[] {
    const read = parseLine(line);
    if (read.kind === "other") return [{ kind: "unknown", line }];
    return this.#eventsOf(read.value) ?? [{ kind: "unknown", line }];
  }

  end(): readonly AgentEvent[] {
    return this.#calls.close();
  }

  /** undefined: a line that is not known here. */
  #eventsOf(value: StreamObject): readonly AgentEvent[] | undefined {
    switch (textAt(value, "type")) {
      case "system":
        return this.#system(value);
      case "assistant":
        return this.#assistant(value);
      case "user":
        return this.#user(value);
      case "stream_event":
        // Pieces of what comes whole as well; only what a call of the model cost is told nowhere else.
        return parentOf(value) === undefined ? this.#calls.piece(objectAt(value, "event")) : [];
      case "result": {
        const end = claudeLikeEnd(value, this.#dialect);
        return [...(end.isError ? this.#calls.close() : this.#calls.closeAnswered()), end];
      }
      default:
        return undefined;
    }
  }

  #system(value: StreamObject): readonly AgentEvent[] | undefined {
    switch (textAt(value, "subtype")) {
      case "init":
        return [
          {
            kind: "session",
            sessionId: textAt(value, "session_id"),
            model: textAt(value, "model"),
            version: textAt(value, this.#dialect.versionKey),
            skills: textsAt(value, "skills"),
          },
        ];
      case "api_retry":
        return [
          {
            kind: "retry",
            attempt: countAt(value, "attempt"),
            status: countAt(value, "error_status"),
            delayMs: numberAt(value, "retry_delay_ms"),
            message: textAt(value, "error") ?? "retry",
          },
        ];
      case "retry": {
        const data = objectAt(value, "data");
        return [
          {
            kind: "retry",
            attempt: countAt(data, "attempt"),
            delayMs: numberAt(data, "delayMs"),
            message: textAt(data, "reason") ?? "retry",
          },
        ];
      }
      case "status":
      // An estimate, told again and again.
      case "thinking_tokens":
      // The result of the tool says the same.
      case "permission_denied":
        return [];
      default:
        return undefined;
    }
  }

  #assistant(value: StreamObject): readonly AgentEvent[] | undefined {
    const message = objectAt(value, "message");
    const blocks = objectsAt(message, "content");
    if (blocks.length === 0) return undefined;
    const refused = this.#serviceError(value, message, blocks);
    if (refused !== undefined) return [refused];
    const seen = { at: dateAt(value, "timestamp"), parentToolCallId: parentOf(value) };
    const messageId = this.#dialect.tiesByMessageId ? textAt(message, "id") : undefined;
    const pieces = blocks.flatMap((block): AgentEvent[] => this.#block(block, { ...seen, messageId }));
    return seen.parentToolCallId === undefined ? [...pieces, ...this.#calls.message(message, seen.at)] : pieces;
  }

  #block(
    block: StreamObject,
    seen: { readonly at: Date | undefined; readonly parentToolCallId: string | undefined; readonly messageId: string | undefined },
  ): AgentEvent[] {
    const type = textAt(block, "type") ?? "";
    if (type === "text") {
      const text = textAt(block, "text") ?? "";
      return text === "" ? [] : [{ kind: "text", text, ...seen }];
    }
    if (type === "thinking") {
      const text = textAt(block, "thinking") ?? "";
      return text === "" ? [] : [{ kind: "thinking", text, ...seen }];
    }
    if (type.endsWith("tool_use")) {
      const nativeTool = textAt(block, "name") ?? "unknown";
      const { tool, parameters } = this.#dialect.tool(nativeTool, objectAt(block, "input"));
      return [{ kind: "tool call", id: textAt(block, "id") ?? "", tool, nativeTool, parameters, ...seen }];
    }
    return type.endsWith("tool_result") ? [this.#toolResult(block, seen)] : [];
  }

  #toolResult(block: StreamObject, seen: { readonly at: Date | undefined; readonly parentToolCallId: string | undefined }): AgentEvent {
    const text = contentText(block.content);
    const failed = flagAt(block, "is_error") === true;
    return {
      kind: "tool result",
      id: textAt(block, "tool_use_id") ?? "",
      status: failed ? "error" : "success",
      text,
      exitCode: failed ? this.#dialect.exitCode(text) : undefined,
      at: seen.at,
      parentToolCallId: seen.parentToolCallId,
    };
  }

  #user(value: StreamObject): readonly AgentEvent[] | undefined {
    const results = objectsAt(objectAt(value, "message"), "content").filter((block) => textAt(block, "type")?.endsWith("tool_result"));
    if (results.length === 0) return undefined;
    const seen = { at: dateAt(value, "timestamp"), parentToolCallId: parentOf(value) };
    const calls = seen.parentToolCallId === undefined ? this.#calls.closeAnswered() : [];
    return [...calls, ...results.map((block) => this.#toolResult(block, seen))];
  }

  /** What the program itself says in the model's place when the service refuses: no words of the model. */
  #serviceError(value: StreamObject, message: StreamObject, blocks: readonly StreamObject[]): AgentEvent | undefined {
    const text = blocks.map((block) => textAt(block, "text") ?? "").join("\n");
    if (!this.#dialect.isServiceError(value, message, text)) return undefined;
    const status = countAt(value, "api_error_status") ?? statusIn(text);
    return { kind: "error", status, message: text, final: false, at: dateAt(value, "timestamp") };
  }
}

function parentOf(value: StreamObject): string | undefined {
  return textAt(value, "parent_tool_use_id");
}
