import type { LoadedExperiment } from "./loaded-experiment.ts";

const nothing = { template_sources: [], prompt_mutations: [], pre_run: [], post_run: [] };

/**
 * The built-in default experiment (formats.md 3.1), with the numbers of 0.8.2. Its agent and limits are the lowest layer of
 * every task; its post_run only counts when no other experiment is given.
 */
export const builtInExperiment: LoadedExperiment = {
  experimentId: "default",
  description: "Default experiment - provides baseline agent configuration",
  file: null,
  defaults: {
    ...nothing,
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
    path: ["defaults"],
  },
  variants: [{ ...nothing, variantId: "default", description: "", path: ["variants", 0] }],
  parsed: undefined,
  warnings: [],
};
