import { lookUp, renameKeys, type StreamObject } from "./stream-line.ts";

interface CommonTool {
  readonly tool: string;
  /** Parameters that have another name with the common tool. */
  readonly rename?: Readonly<Record<string, string>>;
}

const tools: Readonly<Record<string, CommonTool>> = {
  run_shell_command: { tool: "Bash" },
  write_file: { tool: "Write", rename: { path: "file_path" } },
  edit: { tool: "Edit", rename: { path: "file_path" } },
  read_file: { tool: "Read", rename: { absolute_path: "file_path", path: "file_path" } },
  notebook_edit: { tool: "NotebookEdit" },
  grep_search: { tool: "Grep" },
  glob: { tool: "Glob" },
  list_directory: { tool: "LS" },
  todo_write: { tool: "TodoWrite" },
  skill: { tool: "Skill" },
  agent: { tool: "Agent" },
  web_fetch: { tool: "WebFetch" },
  web_search: { tool: "WebSearch" },
  tool_search: { tool: "ToolSearch" },
  exit_plan_mode: { tool: "ExitPlanMode" },
  ask_user_question: { tool: "AskUserQuestion" },
  task_create: { tool: "TaskCreate" },
  task_update: { tool: "TaskUpdate" },
  task_list: { tool: "TaskList" },
  task_stop: { tool: "TaskStop" },
  send_message: { tool: "SendMessage" },
  monitor: { tool: "Monitor" },
  workflow: { tool: "Workflow" },
  enter_worktree: { tool: "EnterWorktree" },
  exit_worktree: { tool: "ExitWorktree" },
};

/** The common name of one of Qwen Code's tools, and its parameters by their common names. */
export function qwenTool(name: string, input: StreamObject): { readonly tool: string; readonly parameters: StreamObject } {
  const common = lookUp(tools, name);
  return { tool: common?.tool ?? name, parameters: common?.rename === undefined ? input : renameKeys(input, common.rename) };
}

const natives: Readonly<Record<string, string>> = {
  Task: "agent",
  MultiEdit: "edit",
  ...Object.fromEntries(Object.entries(tools).map(([native, { tool }]) => [tool, native])),
};

/** A rule such as `Bash(git *)` with Qwen Code's own name of the tool: it does not know the common names in every place. */
export function qwenRule(rule: string): string {
  const trimmed = rule.trim();
  const nameEnd = trimmed.indexOf("(");
  const name = nameEnd < 0 ? trimmed : trimmed.slice(0, nameEnd);
  return `${lookUp(natives, name) ?? name}${nameEnd < 0 ? "" : trimmed.slice(nameEnd)}`;
}
