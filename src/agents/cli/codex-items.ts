import type { ToolCallEvent, ToolResultEvent } from "../agent-event.ts";
import { unwrapShell } from "./shell-words.ts";
import { contentText, numberAt, objectAt, objectsAt, type StreamObject, textAt } from "./stream-line.ts";

/** A tool call as one item of Codex's stream tells it; a change of several files counts as one call for each. */
export interface CodexCall {
  readonly call: ToolCallEvent;
  /** As far as the item tells how it ended. */
  readonly result: ToolResultEvent;
}

/** The tool calls of an item, with common names and parameters; undefined for items that are none. */
export function codexCalls(item: StreamObject): readonly CodexCall[] | undefined {
  const id = textAt(item, "id") ?? "";
  switch (textAt(item, "type")) {
    case "command_execution":
      return [commandOf(id, item)];
    case "file_change":
      return changesOf(id, item);
    case "mcp_tool_call":
      return [mcpOf(id, item)];
    case "collab_tool_call":
      return [collabOf(id, item)];
    case "web_search":
      return [searchOf(id, item)];
    default:
      return undefined;
  }
}

function commandOf(id: string, item: StreamObject): CodexCall {
  const command = textAt(item, "command") ?? "";
  const exitCode = numberAt(item, "exit_code");
  const failed = exitCode === undefined ? statusOf(item) : exitCode === 0 ? "success" : "error";
  const text = textAt(item, "aggregated_output") ?? "";
  return {
    call: { kind: "tool call", id, tool: "Bash", nativeTool: "command_execution", parameters: { command: unwrapShell(command) } },
    result: { kind: "tool result", id, status: failed, text, exitCode },
  };
}

function changesOf(id: string, item: StreamObject): readonly CodexCall[] {
  return objectsAt(item, "changes").map((change, index) => {
    const kind = textAt(change, "kind") ?? "update";
    const path = textAt(change, "path") ?? "";
    const ownId = index === 0 ? id : `${id}.${index + 1}`;
    return {
      call: {
        kind: "tool call",
        id: ownId,
        tool: kind === "add" ? "Write" : "Edit",
        nativeTool: "file_change",
        parameters: { file_path: path, kind },
      },
      result: { kind: "tool result", id: ownId, status: statusOf(item), text: `${kind} ${path}` },
    };
  });
}

function mcpOf(id: string, item: StreamObject): CodexCall {
  const server = textAt(item, "server") ?? "unknown";
  const nativeTool = textAt(item, "tool") ?? "unknown";
  const failure = textAt(objectAt(item, "error"), "message");
  const text = failure ?? contentText(objectAt(item, "result").content);
  return {
    call: { kind: "tool call", id, tool: `mcp__${server}__${nativeTool}`, nativeTool, parameters: objectAt(item, "arguments") },
    result: { kind: "tool result", id, status: failure === undefined ? statusOf(item) : "error", text },
  };
}

function collabOf(id: string, item: StreamObject): CodexCall {
  const nativeTool = textAt(item, "tool") ?? "unknown";
  const prompt = textAt(item, "prompt");
  return {
    call: {
      kind: "tool call",
      id,
      tool: nativeTool === "spawn_agent" ? "Agent" : nativeTool,
      nativeTool,
      parameters: prompt === undefined ? {} : { prompt },
    },
    result: { kind: "tool result", id, status: statusOf(item), text: JSON.stringify(objectAt(item, "agents_states")) },
  };
}

function searchOf(id: string, item: StreamObject): CodexCall {
  const query = textAt(item, "query") ?? "";
  return {
    call: { kind: "tool call", id, tool: "WebSearch", nativeTool: "web_search", parameters: { query } },
    result: { kind: "tool result", id, status: "success", text: "" },
  };
}

/** The plan that it keeps, as the tool that other agents have for it. */
export function codexPlan(id: string, item: StreamObject): CodexCall {
  const todos = objectsAt(item, "items").map((entry) => ({
    content: textAt(entry, "text") ?? "",
    status: entry.completed === true ? "completed" : "pending",
  }));
  return {
    call: { kind: "tool call", id, tool: "TodoWrite", nativeTool: "todo_list", parameters: { todos } },
    result: { kind: "tool result", id, status: "success", text: `${todos.length} steps` },
  };
}

function statusOf(item: StreamObject): ToolResultEvent["status"] {
  switch (textAt(item, "status")) {
    case "completed":
      return "success";
    case "failed":
    case "declined":
      return "error";
    default:
      return "unknown";
  }
}
