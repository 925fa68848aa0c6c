import type { Criterion } from "../../criteria/criterion-schema.ts";
import type { SimulationConfig, TaskDefinition } from "../schema/task-schema.ts";

/**
 * What becomes of a field of a task: `settings`, one by one and with their layers; `part`, a digest of its own; `left out`, since no result
 * depends on it, or since another one holds the same.
 */
export type FieldUse = { readonly use: "settings" | "part" } | { readonly use: "left out"; readonly why: string };

const leftOut = (why: string): FieldUse => ({ use: "left out", why });
const part: FieldUse = { use: "part" };
const settings: FieldUse = { use: "settings" };

/** Every field of a task file. A new one does not compile before somebody has decided on it. */
export const taskFieldUses: Readonly<Record<keyof TaskDefinition, FieldUse>> = {
  task_id: leftOut("says which row it is"),
  description: leftOut("is for people"),
  initial_prompt: part,
  initial_prompt_file: leftOut("its text is the initial_prompt"),
  tags: leftOut("choose tasks, and change none"),
  skip: leftOut("chooses tasks, and changes none"),
  agent: settings,
  sandbox: settings,
  success_criteria: part,
  run_limits: settings,
  reference: part,
  expected_commands: part,
  pre_run: part,
  post_run: part,
  dataset: leftOut("what a row of it says stands in the prompt and in the criteria"),
  suite_id: leftOut("is part of the task_id"),
  row_id: leftOut("is part of the task_id"),
  simulation: part,
  checker_context: part,
};

/** Settings that change no result, by dotted path. Every other one of the schema is stamped. */
export const settingsLeftOut: Readonly<Record<string, string>> = {
  "run_limits.expected_turns": "is a note of the reports",
  "sandbox.limits.max_disk_mb": "is not enforced",
};

type Keys<Type> = Type extends unknown ? keyof Type : never;

/** Fields of criteria that change no score and no verdict of a task. Every other one is stamped. */
export const criterionFieldsLeftOut: Readonly<Partial<Record<Keys<Criterion>, string>>> = {
  description: "is for people",
  suite_thresholds: "suites are judged anew at the end of every run",
  capture_transcript: "says what is recorded of a judge",
  max_transcript_chars: "says what is recorded of a judge",
};

/** Fields of a dialog that change no result of it. */
export const simulationFieldsLeftOut: Readonly<Partial<Record<keyof SimulationConfig, string>>> = {
  n_trials: "is the number of replicates",
  parallel_trials: "is read by nobody",
};

/** Settings whose lists have no order: they are stamped sorted, each item once. */
export const unorderedSettings: ReadonlySet<string> = new Set([
  "agent.allowed_tools",
  "agent.disallowed_tools",
  "agent.ignore_patterns",
  "agent.setting_sources",
  "sandbox.ignore_patterns",
  "sandbox.docker.env_passthrough",
  "sandbox.docker.env_passthrough_extra",
]);
