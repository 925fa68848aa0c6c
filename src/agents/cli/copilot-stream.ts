import type { AgentEvent, CallUsage, EndEvent } from "../agent-event.ts";
import type { StreamParser } from "./cli-agent.ts";
import { countAt, dateAt, flagAt, numberAt, objectAt, objectsAt, parseLine, type StreamObject, textAt } from "./stream-line.ts";
import { namedCall, type ToolTable } from "./tool-table.ts";

const path = { path: "file_path" };

export const copilotTools: ToolTable = {
  bash: ["Bash"],
  create: ["Write", { ...path, file_text: "content" }],
  // The common name of a patch (formats.md 10.4).
  apply_patch: ["Write", { input: "patch" }],
  edit: ["Edit", { ...path, old_str: "old_string", new_str: "new_string" }],
  str_replace: ["Edit", { ...path, old_str: "old_string", new_str: "new_string" }],
  view: ["Read", path],
  grep: ["Grep"],
  rg: ["Grep"],
  glob: ["Glob"],
  task: ["Agent", { agent_type: "subagent_type" }],
  web_fetch: ["WebFetch"],
  web_search: ["WebSearch"],
  update_todo: ["TodoWrite"],
  skill: ["Skill"],
  ask_user: ["AskUser"],
};

/** Events that repeat others, tell them bit by bit, or concern the program alone. */
const quiet =
  /^(?:user\.message|system\.message|assistant\.(?:turn_start|turn_end|message_start|message_delta|reasoning_delta|tool_call_delta|idle|intent|usage)|model\.call_(?:start|finished|final_result)|tool\.(?:shell_output|execution_partial_result|execution_progress)|session\.(?:start|info|warning|idle|mcp_server\w*|background_tasks_changed|title_changed|usage_info|shutdown|mode_\w+|custom_agents_updated|extensions_loaded))$/;

export interface LeftFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Parser of `--output-format json`. The stream has no tokens: they stand in the session's own record, which is read when the program has
 * ended. So the last word is told at the end of the stream.
 */
export function createCopilotParser(): StreamParser {
  /** Ids of this stream's lines, which its record repeats: other sessions may have left theirs. */
  const ids = new Set<string>();
  let sessionId: string | undefined;
  let calls = 0;
  let said: string | undefined;
  let failure: { readonly status: number | undefined; readonly message: string } | undefined;
  let fatal: { readonly status: number | undefined; readonly message: string } | undefined;
  let last: { readonly at: Date | undefined; readonly exitCode: number | undefined } | undefined;

  const message = (data: StreamObject, at: Date | undefined): AgentEvent[] => {
    const messageId = textAt(data, "messageId");
    const events: AgentEvent[] = [];
    const thought = textAt(data, "reasoningText") ?? "";
    const text = textAt(data, "content") ?? "";
    if (thought !== "") events.push({ kind: "thinking", at, text: thought, messageId });
    if (text !== "") {
      events.push({ kind: "text", at, text, messageId });
      said = text;
    }
    calls += 1;
    fatal = undefined;
    return [...events, { kind: "model call", at, messageId, model: textAt(data, "model") }];
  };

  const onEvent = (type: string, data: StreamObject, at: Date | undefined): AgentEvent[] | undefined => {
    switch (type) {
      case "session.skills_loaded":
        return [{ kind: "session", at, skills: skillsOf(data) }];
      case "session.tools_updated":
        return [{ kind: "session", at, model: textAt(data, "model") }];
      case "assistant.message":
        return message(data, at);
      case "tool.execution_start": {
        const call = namedCall(copilotTools, textAt(data, "toolName") ?? "", objectAt(data, "arguments"));
        return [{ kind: "tool call", at, id: textAt(data, "toolCallId") ?? "", ...call }];
      }
      case "tool.execution_complete":
        return [resultOf(data, at)];
      case "model.call_failure":
        failure = { status: countAt(data, "statusCode"), message: unquoted(textAt(data, "errorMessage") ?? "") };
        return [{ kind: "error", at, ...failure, final: false }];
      case "assistant.turn_retry":
        return [{ kind: "retry", at, status: failure?.status, message: failure?.message ?? textAt(data, "reason") ?? "" }];
      case "session.error":
        fatal = { status: countAt(data, "statusCode"), message: textAt(data, "message") ?? "" };
        return [{ kind: "error", at, ...fatal, final: true }];
    }
    return quiet.test(type) ? [] : undefined;
  };

  return {
    push(line) {
      const parsed = parseLine(line);
      if (parsed.kind === "other") return line.trim() === "" ? [] : [{ kind: "unknown", line }];
      const { value } = parsed;
      const at = dateAt(value, "timestamp");
      const type = textAt(value, "type") ?? "";
      const id = textAt(value, "id");
      if (id !== undefined) ids.add(id);
      if (type !== "result") return onEvent(type, objectAt(value, "data"), at) ?? [{ kind: "unknown", line }];
      sessionId = textAt(value, "sessionId");
      last = { at, exitCode: numberAt(value, "exitCode") };
      return [{ kind: "session", at, sessionId }];
    },
    end(afterwards = []) {
      const sums = afterwards.flatMap((file) => (isOf(file, sessionId, ids) ? (sumsIn(file) ?? []) : [])).at(-1);
      if (last === undefined && sums === undefined) return [];
      const isError = last?.exitCode !== 0;
      const end: EndEvent = {
        kind: "end",
        at: last?.at,
        isError,
        subtype: last === undefined ? "no_result" : isError ? "error" : "success",
        result: isError ? fatal?.message : said,
        turns: calls,
        ...sums,
        apiStatus: isError ? fatal?.status : undefined,
      };
      return [end];
    },
  };
}

function skillsOf(data: StreamObject): string[] {
  return objectsAt(data, "skills").flatMap((skill) => (flagAt(skill, "enabled") === false ? [] : (textAt(skill, "name") ?? [])));
}

/** A command that ends with a number other than 0 counts as a success of the tool there. */
function resultOf(data: StreamObject, at: Date | undefined): AgentEvent {
  const exitCode = numberAt(objectAt(data, "shellExecution"), "exitCode");
  const success = flagAt(data, "success");
  const hasFailed = success === false || (exitCode !== undefined && exitCode !== 0);
  const text = textAt(objectAt(data, "result"), "content") ?? textAt(objectAt(data, "error"), "message") ?? "";
  const status = hasFailed ? "error" : success === true ? "success" : "unknown";
  return { kind: "tool result", at, id: textAt(data, "toolCallId") ?? "", status, text, exitCode };
}

/** The text of a failed call is JSON: a text in quotes, or an object with a `message`. */
function unquoted(text: string): string {
  if (text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1);
  const parsed = parseLine(text);
  return parsed.kind === "object" ? (textAt(parsed.value, "message") ?? text) : text;
}

/** Whether a record is of the session of this stream, by its directory or by a line that both have. */
function isOf(file: LeftFile, sessionId: string | undefined, ids: ReadonlySet<string>): boolean {
  if (sessionId !== undefined) return file.path.split("/").includes(sessionId);
  return file.text.split("\n").some((line) => {
    const parsed = parseLine(line);
    const id = parsed.kind === "object" ? textAt(parsed.value, "id") : undefined;
    return id !== undefined && ids.has(id);
  });
}

type Sums = Pick<EndEvent, "usage" | "models">;

/** Tokens by model, from the last `session.shutdown` of a session's record. */
export function sumsIn(file: LeftFile): Sums | undefined {
  const line = file.text.split("\n").findLast((one) => one.includes('"session.shutdown"'));
  const parsed = line === undefined ? undefined : parseLine(line);
  if (parsed?.kind !== "object") return undefined;
  const metrics = objectAt(objectAt(parsed.value, "data"), "modelMetrics");
  const models = Object.keys(metrics).flatMap((model) => {
    const usage = usageOf(objectAt(objectAt(metrics, model), "usage"));
    return usage === undefined ? [] : [{ model, usage }];
  });
  if (models.length === 0) return undefined;
  const sum = (key: "uncachedInput" | "cacheCreation" | "cacheRead" | "output"): number =>
    models.reduce((total, { usage }) => total + usage[key], 0);
  const isThinking = models.some(({ usage }) => usage.reasoning !== null);
  const usage = {
    uncachedInput: sum("uncachedInput"),
    cacheCreation: sum("cacheCreation"),
    cacheRead: sum("cacheRead"),
    output: sum("output"),
    reasoning: isThinking ? models.reduce((total, { usage: { reasoning } }) => total + (reasoning ?? 0), 0) : null,
  };
  return { usage, models };
}

/** The input includes what was read from the cache and written to it. */
function usageOf(usage: StreamObject): CallUsage | undefined {
  const input = countAt(usage, "inputTokens");
  const output = countAt(usage, "outputTokens");
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = countAt(usage, "cacheReadTokens") ?? 0;
  const cacheCreation = countAt(usage, "cacheWriteTokens") ?? 0;
  return {
    uncachedInput: Math.max(0, (input ?? 0) - cacheRead - cacheCreation),
    cacheCreation,
    cacheRead,
    output: output ?? 0,
    reasoning: countAt(usage, "reasoningTokens") ?? null,
  };
}
