import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { makePlan, type PlanOptions } from "../../../src/plan/plan.ts";
import { planOptions } from "./task-folder.ts";

// Real task files and experiments of all versions, and what two releases of the Python tool make of them. They lie beside
// the repository; none of the releases loads them all, and ours takes what any of them does.

export const shared = resolve(process.env.EVALBATCH_SHARED ?? join(import.meta.dirname, "../../../../shared"));
const expectedFile = (name: string) => join(shared, `corpus-expected/${name}.json`);
export const skip = existsSync(expectedFile("tasks")) ? false : `no corpus at ${shared} (EVALBATCH_SHARED)`;

/** The only variable that was set for the Python tool. */
export const corpusEnv = { SKILLS_REPO_PATH: "/skills" };
/** With what the mounts of the experiments name: they were only read, and to us a variable that is not set is an error. */
export const experimentEnv = { ...corpusEnv, HOME: "/home/me", SG_UIPATH_HOME: "/uipath", SG_EMPTY_SKILLS: "/empty" };

export type Version = "0.8.2" | "0.12.16";
export const versions: readonly Version[] = ["0.8.2", "0.12.16"];
const suffixes: Readonly<Record<Version, string>> = { "0.8.2": "", "0.12.16": "-0.12.16" };

const tree = z.record(z.string(), z.unknown());
const taskFactsSchema = z.object({
  file: z.string(),
  load: z.enum(["ok", "error"]),
  error: z.object({ class: z.string(), message: z.string() }).optional(),
  resolved_tasks: z.number().optional(),
  skipped: z.array(z.string()).optional(),
  dataset: tree.nullish(),
  after_layering: tree.nullish(),
});
export type TaskFacts = z.infer<typeof taskFactsSchema> & Readonly<Record<string, unknown>>;

function readExpected(name: string, version: Version): unknown {
  return JSON.parse(readFileSync(expectedFile(`${name}${suffixes[version]}`), "utf8"));
}

/** What a version made of each task file, all fields as they were recorded. */
export function readTaskFacts(version: Version): readonly TaskFacts[] {
  return z.object({ tasks: z.array(taskFactsSchema.loose()) }).parse(readExpected("tasks", version)).tasks;
}

const runSchema = z.object({
  flags: z.string(),
  resolved: z.number(),
  by_variant: z.record(z.string(), z.number()),
  by_replicate: z.record(z.string(), z.number()),
  skipped: z.number(),
  skipped_paths: z.array(z.string()),
  first_ten: z.array(z.tuple([z.string(), z.string(), z.number()])),
  task_ids: z.array(z.string()).nullable(),
});
export type RunFacts = z.infer<typeof runSchema>;

const resolvedFactsSchema = z.object({
  task_id: z.string(),
  variant_id: z.string(),
  replicate_index: z.number(),
  suite_id: z.string().nullable(),
  row_id: z.string().nullable(),
  resolved: tree,
  lineage: tree,
});
const experimentFactsSchema = z.object({
  file: z.string(),
  load: z.enum(["ok", "error"]),
  runs: z.array(runSchema).optional(),
  selected: z.array(z.object({ file: z.string(), count: z.number(), tasks: z.array(resolvedFactsSchema) })).optional(),
});
export type ExperimentFacts = z.infer<typeof experimentFactsSchema>;

/** What a version made of each experiment that it loads. */
export function readExperimentFacts(version: Version): readonly ExperimentFacts[] {
  const { experiments } = z.object({ experiments: z.array(experimentFactsSchema) }).parse(readExpected("experiments", version));
  return experiments.filter(({ load }) => load === "ok");
}

/** As the facts name it; nothing for the packaged one. */
export function experimentOption(file: string): string | undefined {
  return file.startsWith("(") ? undefined : file;
}

export function planCorpus(more: Partial<PlanOptions> = {}) {
  return makePlan(planOptions(shared, { patterns: ["corpus/tasks"], env: corpusEnv, unsupported: "note", ...more }));
}

/** A value as the facts write it: paths relative to the folder of the corpus. */
export function asRecorded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(`${shared}/`, ""));
}

/** Fields that came after 0.8.2, as they are when nobody sets them, and one that is gone since. */
const laterDefaults: readonly (readonly [field: string, value: unknown])[] = [
  ["context_window", null],
  ["system_prompt_mode", "append"],
  ["stop_early", null],
  ["stop_early_gate_threshold", 1],
  ["record_cli", null],
  ["read_only", false],
  ["checker_context", { api_route: null }],
  ["parallel_trials", true],
  // Of simulated users and judges; null stands for the same model.
  ["model", "anthropic.claude-sonnet-4-6"],
  ["model", null],
];

/** What two versions must agree about: without what only one of them has, under the older name of the image. */
export function inCommon(value: unknown): unknown {
  if (value === "coder-eval-agent:0.12.16") return "coder-eval-agent:0.8.2";
  if (Array.isArray(value)) return value.map(inCommon);
  if (typeof value !== "object" || value === null) return value;
  const isDefault = (name: string, inner: unknown) =>
    laterDefaults.some(([field, unset]) => field === name && isDeepStrictEqual(inner, unset));
  const kept = Object.entries(value).filter(([name, inner]) => !isDefault(name, inner) && name !== "env_passthrough");
  return Object.fromEntries(kept.map(([name, inner]) => [name, inCommon(inner)]));
}
