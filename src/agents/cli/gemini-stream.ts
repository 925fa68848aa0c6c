import type { AgentEvent, CallUsage } from "../agent-event.ts";
import type { StreamParser } from "./cli-agent.ts";
import { countAt, dateAt, joinDeltas, numberAt, objectAt, parseLine, type StreamObject, textAt } from "./stream-line.ts";
import { namedCall, type ToolTable } from "./tool-table.ts";

const file = { absolute_path: "file_path", path: "file_path" };
const folder = { dir_path: "path", absolute_path: "path" };

/** Tools of the Gemini CLI, and those of the Antigravity harness (formats.md 10.5). */
export const geminiTools: ToolTable = {
  run_shell_command: ["Bash"],
  write_file: ["Write", file],
  replace: ["Edit", file],
  read_file: ["Read", file],
  read_many_files: ["Read", { include: "file_path" }],
  grep_search: ["Grep", { ...folder, include_pattern: "glob", include: "glob" }],
  search_file_content: ["Grep", { ...folder, include: "glob" }],
  glob: ["Glob", folder],
  list_directory: ["LS", folder],
  invoke_agent: ["Agent", { agent_name: "subagent_type" }],
  web_fetch: ["WebFetch"],
  google_web_search: ["WebSearch"],
  write_todos: ["TodoWrite"],
  activate_skill: ["Skill", { name: "skill" }],
  ask_user: ["AskUser"],
  run_command: ["Bash", { command_line: "command" }],
  create_file: ["Write", file],
  edit_file: ["Edit", file],
  view_file: ["Read", file],
  search_directory: ["Grep", folder],
  find_file: ["Glob", folder],
  start_subagent: ["Agent"],
  search_web: ["WebSearch"],
  generate_image: ["GenerateImage"],
  ask_question: ["AskUser"],
  finish: ["Finish"],
};

/**
 * Parser of `--output-format stream-json`. The stream tells neither where a call of the model ends nor its tokens: a call is over when the
 * first of its tools has a result or the last word comes, which has the sums.
 */
export function createGeminiParser(): StreamParser {
  const text = joinDeltas();
  let said: string | undefined;
  let model: string | undefined;
  let calls = 0;
  let isCalling = false;

  const messageId = (): string => `call-${calls + 1}`;
  const takeText = (at: Date | undefined): AgentEvent[] => {
    const piece = text.take();
    if (piece === undefined) return [];
    isCalling = true;
    said = piece;
    return [{ kind: "text", at, text: piece, messageId: messageId() }];
  };
  const endCall = (at: Date | undefined): AgentEvent[] => {
    const events = takeText(at);
    if (!isCalling) return events;
    events.push({ kind: "model call", at, messageId: messageId(), model });
    calls += 1;
    isCalling = false;
    return events;
  };

  const message = (value: StreamObject, at: Date | undefined): AgentEvent[] => {
    if (textAt(value, "role") !== "assistant") return [];
    text.add(textAt(value, "content") ?? "");
    return value.delta === true ? [] : takeText(at);
  };
  const toolUse = (value: StreamObject, at: Date | undefined): AgentEvent[] => {
    const events = takeText(at);
    isCalling = true;
    const call = namedCall(geminiTools, textAt(value, "tool_name") ?? "", objectAt(value, "parameters"));
    return [...events, { kind: "tool call", at, id: textAt(value, "tool_id") ?? "", ...call, messageId: messageId() }];
  };
  const toolResult = (value: StreamObject, at: Date | undefined): AgentEvent[] => {
    const status = textAt(value, "status");
    const error = textAt(objectAt(value, "error"), "message");
    const output = textAt(value, "output") ?? error ?? "";
    return [
      ...endCall(at),
      {
        kind: "tool result",
        at,
        id: textAt(value, "tool_id") ?? "",
        status: status === "success" || status === "error" ? status : "unknown",
        text: output,
        exitCode: exitCodeIn(output),
      },
    ];
  };
  const result = (value: StreamObject, at: Date | undefined): AgentEvent[] => {
    const events = endCall(at);
    const stats = objectAt(value, "stats");
    const error = objectAt(value, "error");
    const isError = textAt(value, "status") !== "success";
    const type = textAt(error, "type");
    const words = textAt(error, "message");
    const byModel = objectAt(stats, "models");
    const models = Object.keys(byModel).flatMap((name) => {
      const usage = usageOf(objectAt(byModel, name));
      return usage === undefined || isNothing(usage) ? [] : [{ model: name, usage }];
    });
    const end: AgentEvent = {
      kind: "end",
      at,
      isError,
      subtype: isError ? (type ?? "error") : "success",
      result: isError ? words : said,
      turns: calls,
      usage: usageOf(stats),
      models: models.length === 0 ? undefined : models,
      apiStatus: words === undefined ? undefined : geminiStatus(words),
      maxTurnsReached: type === "FatalTurnLimitedError" ? true : undefined,
    };
    return [...events, end];
  };

  return {
    push(line) {
      const parsed = parseLine(line);
      if (parsed.kind === "other") return line.trim() === "" ? [] : [{ kind: "unknown", line }];
      const { value } = parsed;
      const at = dateAt(value, "timestamp");
      switch (textAt(value, "type")) {
        case "init":
          model = textAt(value, "model");
          return [{ kind: "session", at, sessionId: textAt(value, "session_id"), model }];
        case "message":
          return message(value, at);
        case "tool_use":
          return toolUse(value, at);
        case "tool_result":
          return toolResult(value, at);
        case "error": {
          // A warning, or a word on what `result` tells again.
          const words = textAt(value, "message") ?? "";
          return [...takeText(at), { kind: "error", at, message: words, status: geminiStatus(words), final: false }];
        }
        case "result":
          return result(value, at);
        default:
          return [{ kind: "unknown", line }];
      }
    },
    end: () => takeText(undefined),
  };
}

/** The code of a failed call: its error is JSON within the text, e.g. `[API Error: {"error":{"code":401,…}}]`. */
export function geminiStatus(message: string): number | undefined {
  const code = /"code"\s*:\s*(?<code>[45]\d\d)\b|\bstatus:?\s*(?<status>[45]\d\d)\b/i.exec(message)?.groups;
  const found = code?.code ?? code?.status;
  return found === undefined ? undefined : Number(found);
}

function exitCodeIn(output: string): number | undefined {
  const code = /^Exit Code: (?<code>\d+)$/m.exec(output)?.groups?.code;
  return code === undefined ? undefined : Number(code);
}

/** `input` leaves out what came from the cache; thoughts count as output (formats.md 10.5). */
function usageOf(stats: StreamObject): CallUsage | undefined {
  const all = countAt(stats, "input_tokens");
  const cacheRead = countAt(stats, "cached") ?? 0;
  const uncachedInput = countAt(stats, "input") ?? (all === undefined ? undefined : Math.max(0, all - cacheRead));
  const output = countAt(stats, "output_tokens");
  if (uncachedInput === undefined && output === undefined) return undefined;
  // What neither is prompt nor answer is thought.
  const thoughts = Math.max(0, (numberAt(stats, "total_tokens") ?? 0) - (all ?? 0) - (output ?? 0));
  return {
    uncachedInput: uncachedInput ?? 0,
    cacheCreation: 0,
    cacheRead,
    output: (output ?? 0) + thoughts,
    reasoning: thoughts > 0 ? thoughts : null,
  };
}

function isNothing({ uncachedInput, cacheRead, output }: CallUsage): boolean {
  return uncachedInput + cacheRead + output === 0;
}
