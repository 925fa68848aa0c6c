import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { EnvironmentError, errorMessage } from "../errors.ts";
import { systemCode } from "./atomic-file.ts";
import { type ExperimentFacts, experimentFactsSchema, factsOfExperimentFile } from "./experiment/experiment-facts.ts";
import { type DriftEntry, driftEntrySchema } from "./fingerprint/drift-schema.ts";
import { type GatePolicy, gatePolicySchema, policyOf } from "./gate-policy.ts";
import { parseJsonText, syntaxMessage } from "./json-text.ts";
import { fileNames, rowKeyText } from "./layout.ts";
import { type PlanFile, planFileSchema } from "./plan-file.ts";
import { type ResumeFacts, resumeOrNull, type SetAside, setAsideSchema } from "./resume/resume-facts.ts";
import type { RunOrigin } from "./resume/run-origin.ts";
import { splitRunJson } from "./run-json-rows.ts";
import { type RunRow, runRowSchema } from "./run-row.ts";
import { type NotRun, notRunSchema, type SkippedTask, skippedTaskSchema } from "./run-summary-schema.ts";
import { type Selection, selectionSchema } from "./selection.ts";
import { fittingOrNull, flagOr, isObject, listOf, numberOr, numberOrNull, objectOrEmpty, textOrNull } from "./tolerant.ts";

const anyList = listOf(z.unknown());

/** `run.json` read piece by piece: what is broken in it must not cost the rest. */
const priorSchema = z.object({
  run_id: textOrNull,
  start_time: textOrNull,
  end_time: textOrNull,
  max_parallel: numberOrNull,
  framework_version: textOrNull,
  environment_info: objectOrEmpty,
  interrupted: flagOr(false),
  skipped_tasks: anyList,
  not_run: anyList,
  gate: fittingOrNull(gatePolicySchema),
  redactions: numberOr(0),
  experiment: fittingOrNull(experimentFactsSchema),
  selection: fittingOrNull(selectionSchema),
  resume: resumeOrNull,
  drift: listOf(driftEntrySchema),
  set_aside: listOf(setAsideSchema),
  warnings: listOf(z.string()),
});

/** Of a run that neither `run.json` nor `plan.json` tells of; a `run.json` that was made anew of such a run keeps it. */
export const noTaskList = "neither run.json nor plan.json tells what was to run: tasks that never started are not known";

/** What counts of a row of the old `run.json`. The rest is let go at once: it may be as large as all results together. */
export interface PriorRow {
  readonly task_id: string;
  readonly variant_id: string | null;
  readonly replicate_index: number | null;
  readonly tags: readonly string[];
  readonly task_path: string | null;
  readonly status: string;
  /** The whole row of an ERROR or BUILD_FAILED, which may have no `task.json` (formats.md 8.1). */
  readonly errorRow: RunRow | undefined;
}

/** What an earlier `run.json` and `plan.json` know that no `task.json` does. */
export interface PriorRun {
  readonly runId: string | null;
  readonly startTime: Date | undefined;
  readonly endTime: Date | undefined;
  readonly maxParallel: number | null;
  readonly frameworkVersion: string | null;
  readonly environmentInfo: Readonly<Record<string, unknown>>;
  readonly interrupted: boolean;
  readonly skippedTasks: readonly SkippedTask[];
  readonly rows: readonly PriorRow[];
  readonly notRun: readonly NotRun[];
  readonly plan: PlanFile | undefined;
  /** What was asked of the run. */
  readonly gate: GatePolicy | undefined;
  readonly redactions: number;
  readonly experiment: ExperimentFacts | null;
  readonly selection: Selection | null;
  readonly resume: ResumeFacts | null;
  /** As far as it was known before all results were read. */
  readonly drift: readonly DriftEntry[];
  readonly setAside: readonly SetAside[];
  /** The job that made it. */
  readonly origin: RunOrigin | null;
  /** `rows` tell of the execution before the one that the plan is of. */
  readonly ofEarlierExecution: boolean;
  /** All rows that belong to the run, as `rowKeyText` gives them; undefined where nobody knows. */
  readonly planned: ReadonlySet<string> | undefined;
  /** Nothing tells what was to run, or told it when `run.json` was made anew. */
  readonly hasNoList: boolean;
  /** `run.json` is there and can be read: the run came to its end, or was interrupted and said so. */
  readonly finished: boolean;
  /** `run.json` is there and cannot be read at all. */
  readonly broken: boolean;
  readonly warnings: readonly string[];
}

/**
 * Reads `run.json` and `plan.json` of a run directory, as far as they are there and whole. Where the run was resumed after `run.json` had been
 * written, and did not come to its end, that tells of the execution before: only what holds for both is taken from it.
 */
export async function readPriorRun(runDir: string): Promise<PriorRun> {
  const warnings: string[] = [];
  const rows: PriorRow[] = [];
  const run = await readJson(join(runDir, fileNames.run), warnings, (text) => {
    const { rest, rows: items } = splitRunJson(text);
    for (const item of items) rows.push(...priorRow(item, rows.length, warnings));
    return rest;
  });
  const planned = await readJson(join(runDir, fileNames.plan), warnings, (text) => parseJsonText(text).value);
  const plan = planFileSchema.safeParse(planned.value);
  const parsed = priorSchema.safeParse(run.value);
  const known = plan.success ? plan.data : undefined;
  const written = parsed.success ? parsed.data : priorSchema.parse({});
  const age = ageOf(parseTime(written.start_time), parseTime(known?.start_time));
  const prior = age === "outdated" ? priorSchema.parse({}) : written;
  const isPlanned = known !== undefined && age !== "newer than the plan";
  const gate = known?.gate ?? written.gate;
  const skipped = fitting(prior.skipped_tasks, skippedTaskSchema, "skipped_tasks", warnings);
  const isRead = run.value !== undefined && age !== "outdated";
  return {
    runId: written.run_id ?? known?.run_id ?? null,
    startTime: parseTime(prior.start_time) ?? parseTime(known?.start_time),
    endTime: parseTime(prior.end_time),
    maxParallel: prior.max_parallel ?? known?.max_parallel ?? null,
    frameworkVersion: prior.framework_version ?? known?.framework_version ?? null,
    environmentInfo: Object.keys(prior.environment_info).length > 0 ? prior.environment_info : (known?.environment_info ?? {}),
    interrupted: prior.interrupted,
    skippedTasks: isRead ? skipped : (known?.skipped_tasks ?? []),
    rows,
    notRun: fitting(prior.not_run, notRunSchema, "not_run", warnings),
    plan: known,
    gate: gate === null ? undefined : policyOf(gate),
    redactions: written.redactions,
    selection: known?.selection ?? written.selection,
    experiment: known?.experiment ?? (isPlanned ? null : (written.experiment ?? (await experimentFileOf(runDir)))),
    resume: isRead ? prior.resume : (known?.resume ?? null),
    // Which versions the tasks saw is computed from them.
    drift: isRead ? prior.drift.filter(({ kind }) => kind !== "versions") : (known?.drift ?? []),
    setAside: [...(known?.set_aside ?? []), ...prior.set_aside],
    origin: known?.origin ?? null,
    ofEarlierExecution: age === "outdated",
    planned: isPlanned ? plannedKeys(known, planned.value) : undefined,
    hasNoList: known === undefined && (run.value === undefined || prior.warnings.includes(noTaskList)),
    finished: isRead && parsed.success,
    broken: run.broken || (run.value !== undefined && !parsed.success),
    warnings,
  };
}

/**
 * `run.json` of an earlier execution is older than the plan of the one that followed. Newer than the plan it is where a tool that writes no
 * plan resumed the run.
 */
function ageOf(run: Date | undefined, plan: Date | undefined): "outdated" | "newer than the plan" | "of the plan" {
  if (run === undefined || plan === undefined || run.getTime() === plan.getTime()) return "of the plan";
  return run < plan ? "outdated" : "newer than the plan";
}

/** Undefined for a plan without rows, and for one of which a row could not be read: it would exclude what belongs to the run. */
function plannedKeys({ tasks }: PlanFile, written: unknown): ReadonlySet<string> | undefined {
  const rows = isObject(written) && Array.isArray(written.tasks) ? written.tasks.length : 0;
  if (tasks.length === 0 || tasks.length < rows) return undefined;
  return new Set(tasks.map((row) => rowKeyText(row.variant_id, row.task_id, row.replicate_index)));
}

async function readJson(path: string, warnings: string[], parse: (text: string) => unknown): Promise<{ value: unknown; broken: boolean }> {
  try {
    // Decoded at once: given an encoding, `readFile` decodes piece by piece, which takes several times as long.
    return { value: parse((await readFile(path)).toString("utf8")), broken: false };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { value: undefined, broken: false };
    if (systemCode(error) !== undefined) throw unreadable(error, path);
    warnings.push(`${path} is not valid JSON (${syntaxMessage(error)}) and was left out of account`);
    return { value: undefined, broken: true };
  }
}

function unreadable(error: unknown, path: string): EnvironmentError {
  const hint = "check that it is a file and belongs to you";
  return new EnvironmentError("cannot-read", `cannot read ${path}: ${errorMessage(error)}`, { cause: error, hint });
}

/** Of a run of coder_eval, whose `run.json` does not name its experiment. One that cannot be read is made anew and needs no warning. */
async function experimentFileOf(runDir: string): Promise<ExperimentFacts | null> {
  const read = readJson(join(runDir, fileNames.experiment), [], (text) => parseJsonText(text).value);
  return factsOfExperimentFile((await read.catch(() => undefined))?.value) ?? null;
}

function priorRow(item: unknown, index: number, warnings: string[]): PriorRow[] {
  const row = isObject(item) ? item : {};
  if (typeof row.task_id !== "string") {
    warnings.push(unknownForm("task_results", index, item));
    return [];
  }
  return [
    {
      task_id: row.task_id,
      variant_id: typeof row.variant_id === "string" ? row.variant_id : null,
      replicate_index: typeof row.replicate_index === "number" ? row.replicate_index : null,
      tags: Array.isArray(row.tags) ? row.tags.filter((tag) => typeof tag === "string") : [],
      task_path: typeof row.task_path === "string" ? row.task_path : null,
      status: typeof row.status === "string" ? row.status : "a row",
      errorRow: row.status === "ERROR" || row.status === "BUILD_FAILED" ? runRowSchema.safeParse(item).data : undefined,
    },
  ];
}

function unknownForm(name: string, index: number, item: unknown): string {
  return `${name}[${index}] of the old run.json has an unknown form and was left out: ${shortJson(item)}`;
}

function fitting<Schema extends z.ZodType>(
  items: readonly unknown[],
  schema: Schema,
  name: string,
  warnings: string[],
): z.output<Schema>[] {
  return items.flatMap((item, index) => {
    const read = schema.safeParse(item);
    if (read.success) return [read.data];
    warnings.push(unknownForm(name, index, item));
    return [];
  });
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}

/** A time of any writer: with a zone, or local without one. */
export function parseTime(text: string | null | undefined): Date | undefined {
  if (text === null || text === undefined) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
