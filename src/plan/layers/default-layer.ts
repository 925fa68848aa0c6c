import type { PostRunCommand } from "../schema/task-schema.ts";
import type { Fields } from "./merge.ts";

/** The built-in default experiment (formats.md 3.1): what holds where no task and no flag says otherwise. */
export const defaultExperiment: {
  readonly agent: Fields;
  readonly run_limits: Fields;
  readonly post_run: readonly PostRunCommand[];
} = {
  agent: {
    type: "claude-code",
    permission_mode: "acceptEdits",
    model: "claude-sonnet-4-6",
    allowed_tools: ["Bash", "Read", "Write", "Edit", "Glob", "Grep", "Skill"],
    plugins: null,
    ignore_patterns: [],
  },
  run_limits: { max_turns: 20, task_timeout: 600, turn_timeout: 300 },
  post_run: [{ command: "rm -rf node_modules .npm-prefix", timeout: 30 }],
};
