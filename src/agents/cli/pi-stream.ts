import type { AgentEvent, CallUsage } from "../agent-event.ts";
import { statusIn } from "./api-status.ts";
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
} from "./stream-line.ts";
import { namedCall, type ToolTable } from "./tool-table.ts";

const path = { path: "file_path" };

export const piTools: ToolTable = {
  bash: ["Bash"],
  read: ["Read", path],
  write: ["Write", path],
  edit: ["Edit", path],
  grep: ["Grep"],
  find: ["Glob"],
  ls: ["LS"],
};

/** Events that repeat others or concern the program alone. */
const quiet = new Set([
  "agent_start",
  "agent_end",
  "turn_start",
  "turn_end",
  "message_start",
  "message_update",
  "tool_execution_update",
  "entry_appended",
  "queue_update",
]);

/** Parser of `--mode json`. A whole message stands in `message_end`: what `message_update` tells bit by bit is in it. */
export function createPiParser(): StreamParser {
  let calls = 0;
  let last: { readonly stopReason: string; readonly words: string; readonly error: string } | undefined;

  const assistant = (message: StreamObject): AgentEvent[] => {
    const messageId = `message-${calls + 1}`;
    const at = endOf(message);
    const events: AgentEvent[] = [];
    for (const block of objectsAt(message, "content")) {
      const isThought = textAt(block, "type") === "thinking";
      const text = textAt(block, isThought ? "thinking" : "text") ?? "";
      if (text !== "") events.push({ kind: isThought ? "thinking" : "text", at, text, messageId });
    }
    const stopReason = textAt(message, "stopReason") ?? "stop";
    const error = textAt(message, "errorMessage") ?? "";
    const words = objectsAt(message, "content").flatMap((block) => textAt(block, "text") ?? []);
    const hasFailed = stopReason === "error" || stopReason === "aborted";
    const usage = usageOf(objectAt(message, "usage"));
    last = { stopReason, words: words.join("\n"), error };
    // A call that failed before it gave anything is none that counts.
    if (!hasFailed || events.length > 0 || (usage !== undefined && usage.uncachedInput + usage.cacheRead + usage.output > 0)) {
      const cost = numberAt(objectAt(objectAt(message, "usage"), "cost"), "total");
      events.push({
        kind: "model call",
        at,
        messageId,
        model: textAt(message, "model"),
        usage,
        // Without a price list it says 0.
        costUsd: cost !== undefined && cost > 0 ? cost : undefined,
        stopReason,
      });
      calls += 1;
    }
    if (hasFailed) events.push({ kind: "error", at, message: error, status: piStatus(error), final: false });
    return events;
  };

  const settled = (value: StreamObject): AgentEvent[] => {
    const stopReason = flagAt(value, "aborted") === true ? "aborted" : last?.stopReason;
    const isError = stopReason === undefined || stopReason === "error" || stopReason === "aborted";
    return [
      {
        kind: "end",
        isError,
        subtype: isError ? (stopReason ?? "no_answer") : "success",
        stopReason,
        result: isError ? last?.error : last?.words,
        turns: calls,
        apiStatus: isError ? piStatus(last?.error ?? "") : undefined,
      },
    ];
  };

  return {
    push(line) {
      const parsed = parseLine(line);
      if (parsed.kind === "other") return line.trim() === "" ? [] : [{ kind: "unknown", line }];
      const { value } = parsed;
      const type = textAt(value, "type") ?? "";
      switch (type) {
        case "session":
          return [{ kind: "session", at: dateAt(value, "timestamp"), sessionId: textAt(value, "id") }];
        case "message_end": {
          const message = objectAt(value, "message");
          return textAt(message, "role") === "assistant" ? assistant(message) : skillsOf(message);
        }
        case "tool_execution_start": {
          const call = namedCall(piTools, textAt(value, "toolName") ?? "", objectAt(value, "args"));
          return [{ kind: "tool call", id: textAt(value, "toolCallId") ?? "", ...call, messageId: `message-${calls}` }];
        }
        case "tool_execution_end":
          return [resultOf(value)];
        case "auto_retry_start": {
          const message = textAt(value, "errorMessage") ?? "";
          const attempt = countAt(value, "attempt");
          return [{ kind: "retry", attempt, status: piStatus(message), delayMs: numberAt(value, "delayMs"), message }];
        }
        case "auto_retry_end": {
          const message = textAt(value, "finalError") ?? "";
          return flagAt(value, "success") === false ? [{ kind: "error", message, status: piStatus(message), final: true }] : [];
        }
        case "agent_settled":
          return settled(value);
        default:
          return quiet.has(type) ? [] : [{ kind: "unknown", line }];
      }
    },
    end: () => [],
  };
}

/** `429: {…}`, or a status in the words of the error. */
export function piStatus(message: string): number | undefined {
  const code = /^(?<code>[45]\d\d)\b/.exec(message)?.groups?.code;
  return code === undefined ? statusIn(message) : Number(code);
}

/** A message has the time of its beginning. */
function endOf(message: StreamObject): Date | undefined {
  const start = numberAt(message, "timestamp");
  return start === undefined ? undefined : dateAt({ at: start + (numberAt(message, "durationMs") ?? 0) }, "at");
}

/** The system message lists the skills that the agent was offered. */
function skillsOf(message: StreamObject): AgentEvent[] {
  if (textAt(message, "role") !== "system") return [];
  const text = textAt(objectAt(message, "sections"), "skills") ?? "";
  const skills = [...text.matchAll(/<name>(?<name>[^<]*)<\/name>/g)].flatMap((match) => match.groups?.name ?? []);
  return skills.length === 0 ? [] : [{ kind: "session", skills }];
}

function resultOf(value: StreamObject): AgentEvent {
  const result = objectAt(value, "result");
  const exitCode = numberAt(objectAt(result, "structuredContent"), "exit_code");
  const isError = flagAt(value, "isError");
  return {
    kind: "tool result",
    id: textAt(value, "toolCallId") ?? "",
    status: isError === undefined ? "unknown" : isError ? "error" : "success",
    text: contentText(result.content),
    exitCode,
    durationMs: numberAt(value, "durationMs"),
  };
}

function usageOf(usage: StreamObject): CallUsage | undefined {
  const input = countAt(usage, "input");
  const output = countAt(usage, "output");
  if (input === undefined && output === undefined) return undefined;
  return {
    uncachedInput: input ?? 0,
    cacheCreation: countAt(usage, "cacheWrite") ?? 0,
    cacheRead: countAt(usage, "cacheRead") ?? 0,
    output: output ?? 0,
    reasoning: countAt(usage, "reasoning") ?? null,
  };
}
