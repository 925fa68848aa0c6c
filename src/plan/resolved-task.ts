import type { Contribution } from "./layers/contributions.ts";
import type { AgentConfig, RunLimits, TaskDefinition } from "./schema/task-schema.ts";

/** Which layer gave a setting its value (formats.md 3.2). */
export type LineageSource = "default" | "experiment-defaults" | "task" | "variant" | "cli" | "mutation";

export interface LineageEntry {
  readonly value: unknown;
  readonly source: LineageSource;
  /** The flag of a `cli` entry, what was done to a prompt; null for the others (as 0.8.2 writes it, not as formats.md says). */
  readonly source_detail: string | null;
}

/** Keyed by dotted path, e.g. `run_limits.max_turns`; in the order in which the fields were first set. */
export type Lineage = Readonly<Record<string, LineageEntry>>;

/** A task with every layer applied: agent type and limits are known. */
export type ResolvedDefinition = Omit<TaskDefinition, "agent" | "run_limits"> & {
  agent: AgentConfig;
  run_limits: RunLimits;
};

/** Task × variant × replicate, ready to run. */
export interface ResolvedTask {
  /** `<variant>/<task_id>/<NN>`; also in logs and labels. */
  readonly key: string;
  readonly taskId: string;
  readonly variantId: string;
  readonly replicateIndex: number;
  readonly task: ResolvedDefinition;
  /** The task file, POSIX separators, relative to the working directory where it lies below it. */
  readonly taskFile: string;
  /** Absolute directory of the task file. */
  readonly taskDir: string;
  /** The file's text as it was read. */
  readonly sourceYaml: string;
  readonly lineage: Lineage;
  /** Where the results go, relative to the run directory: `<variant>/<task id, made safe>/<NN>`. */
  readonly resultDir: string;
  /** What it needs and is not executed yet; such a task is planned only to be looked at. */
  readonly notSupported: readonly string[];
  /** Every layer that sets a field of it, the highest first. */
  readonly contributions: (path: readonly string[]) => readonly Contribution[];
}
