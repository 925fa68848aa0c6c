import type { AgentEvent, CallUsage } from "../agent-event.ts";
import { statusIn } from "./api-status.ts";
import type { StreamParser } from "./cli-agent.ts";
import { contentText, countAt, dateAt, numberAt, objectAt, parseLine, type StreamObject, textAt } from "./stream-line.ts";
import { namedCall, type ToolTable } from "./tool-table.ts";

const file = { filePath: "file_path" };

export const opencodeTools: ToolTable = {
  bash: ["Bash"],
  write: ["Write", file],
  // The common name of a patch (formats.md 10.4).
  apply_patch: ["Write", { patchText: "patch" }],
  patch: ["Write", { patchText: "patch" }],
  edit: ["Edit", { ...file, oldString: "old_string", newString: "new_string", replaceAll: "replace_all" }],
  multiedit: ["Edit", file],
  read: ["Read", file],
  grep: ["Grep", { include: "glob" }],
  glob: ["Glob"],
  list: ["LS"],
  task: ["Agent"],
  webfetch: ["WebFetch"],
  websearch: ["WebSearch"],
  todowrite: ["TodoWrite"],
  todoread: ["TodoRead"],
  skill: ["Skill", { name: "skill" }],
  question: ["AskUser"],
};

/** Parser of `run --format json`. Calls of tools come with their results; there is no last word, so a step that ended with `stop` is it. */
export function createOpencodeParser(): StreamParser {
  let sessionId: string | undefined;
  const open = new Set<string>();
  let steps = 0;
  let said: string | undefined;
  let stopReason: string | undefined;
  let isDone = false;

  const session = (value: StreamObject, at: Date | undefined): AgentEvent[] => {
    const id = textAt(value, "sessionID");
    if (id === undefined || id === sessionId) return [];
    sessionId = id;
    return [{ kind: "session", at, sessionId: id }];
  };

  const stepStart = (part: StreamObject, at: Date | undefined): AgentEvent[] => {
    const id = textAt(part, "messageID") ?? "";
    isDone = false;
    // A step that begins twice was not answered the first time.
    if (open.has(id)) return [{ kind: "retry", at, message: "the call of the model is made again" }];
    open.add(id);
    return [];
  };

  const stepFinish = (part: StreamObject, at: Date | undefined): AgentEvent[] => {
    const id = textAt(part, "messageID");
    if (id !== undefined) open.delete(id);
    steps += 1;
    stopReason = textAt(part, "reason");
    isDone = stopReason !== undefined && stopReason !== "tool-calls" && stopReason !== "unknown" && stopReason !== "error";
    const cost = numberAt(part, "cost");
    // 0 stands for an unknown price as well (formats.md 10.6).
    const costUsd = cost !== undefined && cost > 0 ? cost : undefined;
    return [{ kind: "model call", at, messageId: id, usage: usageOf(objectAt(part, "tokens")), costUsd, stopReason }];
  };

  return {
    push(line) {
      const parsed = parseLine(line);
      if (parsed.kind === "other") return line.trim() === "" ? [] : [{ kind: "unknown", line }];
      const { value } = parsed;
      const at = dateAt(value, "timestamp");
      const part = objectAt(value, "part");
      const first = session(value, at);
      switch (textAt(value, "type")) {
        case "step_start":
          return [...first, ...stepStart(part, at)];
        case "text":
        case "reasoning": {
          const text = textAt(part, "text") ?? "";
          const isThought = textAt(value, "type") === "reasoning";
          if (!isThought) said = text;
          if (text === "") return first;
          const began = dateAt(objectAt(part, "time"), "start") ?? at;
          return [...first, { kind: isThought ? "thinking" : "text", at: began, text, messageId: textAt(part, "messageID") }];
        }
        case "tool_use":
          return [...first, ...toolEvents(part, at)];
        case "step_finish":
          return [...first, ...stepFinish(part, at)];
        case "error": {
          isDone = false;
          return [...first, errorOf(objectAt(value, "error"), at)];
        }
        default:
          return [...first, { kind: "unknown", line }];
      }
    },
    end() {
      return isDone ? [{ kind: "end", isError: false, subtype: "success", stopReason, result: said, turns: steps }] : [];
    },
  };
}

function toolEvents(part: StreamObject, seen: Date | undefined): AgentEvent[] {
  const state = objectAt(part, "state");
  const time = objectAt(state, "time");
  const [start, end] = [dateAt(time, "start"), dateAt(time, "end")];
  const id = textAt(part, "callID") ?? textAt(part, "id") ?? "";
  const call = namedCall(opencodeTools, textAt(part, "tool") ?? "", objectAt(state, "input"));
  const exitCode = numberAt(objectAt(state, "metadata"), "exit");
  const status = textAt(state, "status");
  const hasFailed = status === "error" || (exitCode !== undefined && exitCode !== 0);
  return [
    { kind: "tool call", at: start ?? seen, id, ...call, messageId: textAt(part, "messageID") },
    {
      kind: "tool result",
      at: end ?? seen,
      id,
      status: hasFailed ? "error" : status === "completed" ? "success" : "unknown",
      text: textAt(state, "output") ?? contentText(state.error),
      exitCode,
      durationMs: start === undefined || end === undefined ? undefined : Math.max(0, end.getTime() - start.getTime()),
    },
  ];
}

/** The program tries again by itself before it tells an error. */
function errorOf(error: StreamObject, at: Date | undefined): AgentEvent {
  const data = objectAt(error, "data");
  const message = textAt(data, "message") ?? textAt(error, "message") ?? textAt(error, "name") ?? "unknown error";
  return { kind: "error", at, message, status: countAt(data, "statusCode") ?? statusIn(message), final: true };
}

/**
 * Two shapes of the counts exist: thoughts within the output or next to it, and the cache within the input or next to it. The one whose
 * sum is the total is taken (formats.md 10.6); output has the thoughts here.
 */
function usageOf(tokens: StreamObject): CallUsage | undefined {
  const input = countAt(tokens, "input");
  const output = countAt(tokens, "output");
  if (input === undefined && output === undefined) return undefined;
  const [inTokens, outTokens] = [input ?? 0, output ?? 0];
  const thoughts = countAt(tokens, "reasoning");
  const cache = objectAt(tokens, "cache");
  const [read, write] = [countAt(cache, "read") ?? 0, countAt(cache, "write") ?? 0];
  const total = countAt(tokens, "total");
  const shapes = [
    { uncached: inTokens, out: outTokens + (thoughts ?? 0) },
    { uncached: inTokens, out: outTokens },
    { uncached: inTokens - read - write, out: outTokens },
    { uncached: inTokens - read - write, out: outTokens + (thoughts ?? 0) },
  ];
  const fitting = shapes.find(({ uncached, out }) => uncached >= 0 && uncached + read + write + out === total) ?? shapes[0];
  return {
    uncachedInput: fitting?.uncached ?? inTokens,
    cacheCreation: write,
    cacheRead: read,
    output: fitting?.out ?? outTokens,
    reasoning: thoughts ?? null,
  };
}
