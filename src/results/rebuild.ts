import { rename } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { createInterner, type Intern } from "./intern.ts";
import { type KnownRow, keyOfRow, knownRows } from "./known-rows.ts";
import { fileNames, rowKeyText } from "./layout.ts";
import { type PriorRun, readPriorRun } from "./prior-run.ts";
import { readTaskResult } from "./read-task-result.ts";
import { recoverResults, replicateIndexOf } from "./recover.ts";
import type { RunRow } from "./run-row.ts";
import { buildRunSummary } from "./run-summary.ts";
import type { NotRun, RunSummary, Unreadable } from "./run-summary-schema.ts";
import { createRunTotals, type RunTotals } from "./run-totals.ts";
import { addRowsWithoutResult, unknownOrder } from "./suites/rebuilt-suites.ts";
import type { SuiteRollup } from "./suites/suite-rollup-schema.ts";
import { summarizeSuite } from "./suites/suite-summary.ts";
import type { EvaluationResult } from "./task-result.ts";
import { toRunRow } from "./task-to-row.ts";
import type { AnyObject } from "./tolerant.ts";
import { unreadableRow } from "./unreadable-row.ts";

export interface Rebuilt {
  readonly summary: RunSummary;
  readonly totals: RunTotals;
  readonly suites: readonly SuiteRollup[];
  /** `run.json` was there and broken: it must be moved aside before it is written again. */
  readonly brokenRunJson: boolean;
}

export interface RebuildDeps {
  readonly version: string;
  /** `interrupted`: it is known that nobody writes the run any more, so that one without a `run.json` was cut short. */
  readonly unfinished?: "interrupted" | undefined;
}

/**
 * Computes the summary of a run from its `task.json` files. What only `run.json` or `plan.json` know (tags, paths, skipped tasks,
 * times, rows not run, the policy of the gate) is carried over. A result that cannot be read becomes an ERROR row and an entry of `unreadable`; of two
 * results of one row the one counts that lies where its content says, else the first, and the other is listed.
 */
export async function rebuildSummary(runDirectory: string, deps: RebuildDeps): Promise<Rebuilt> {
  const runDir = resolve(runDirectory);
  const prior = await readPriorRun(runDir);
  const known = knownRows(prior);
  const totals = createRunTotals();
  const found = new Map<string, { readonly row: RunRow; readonly path: string }>();
  const misplaced: string[] = [];
  const unreadable: Unreadable[] = [];
  const copies: Unreadable[] = [];
  const withoutResult: RunRow[] = [];
  const warnings = [...prior.warnings];
  const intern = createInterner();
  let environment: AnyObject | undefined = Object.keys(prior.environmentInfo).length > 0 ? prior.environmentInfo : undefined;
  const span = { start: Number.POSITIVE_INFINITY, end: Number.NEGATIVE_INFINITY };

  function take(path: string, result: EvaluationResult, warning: string | undefined): void {
    const replicateIndex = replicateIndexOf(path);
    const key = rowKeyText(result.variant_id, result.task_id, replicateIndex);
    const other = found.get(key);
    if (other !== undefined) {
      copies.push({ path, reason: `the same row stands in ${other.path}` });
      return;
    }
    const knownRow = known.find(key, result.task_id);
    const row = rowOf(result, path, replicateIndex, knownRow, intern);
    found.set(key, { row, path });
    if (warning !== undefined) warnings.push(`${path}: ${warning}`);
    totals.add(result, row, knownRow?.order ?? unknownOrder + found.size);
    widen(span, result);
    environment ??= ofTheHost(result);
  }

  for await (const entry of recoverResults(runDir)) {
    if (entry.kind === "nested run") warnings.push(`${entry.path} is a run of its own and was left out`);
    else if (entry.kind === "problem") unreadable.push({ path: entry.path, reason: entry.reason });
    else if (entry.path.startsWith(`${entry.result.variant_id}/${entry.result.task_id}/`)) take(entry.path, entry.result, entry.warning);
    else misplaced.push(entry.path);
  }
  for (const path of misplaced) {
    const read = readTaskResult(join(runDir, path));
    if (read.kind === "result") take(path, read.result, read.warning);
  }
  for (const problem of unreadable) {
    if (basename(problem.path) !== fileNames.task) continue;
    const row = unreadableRow(problem, replicateIndexOf(problem.path), known);
    if (found.has(keyOfRow(row))) continue;
    found.set(keyOfRow(row), { row, path: problem.path });
    withoutResult.push(row);
  }

  const gone = rowsWithoutResult(prior, found, warnings);
  addRowsWithoutResult(totals.suites, prior, known, { errors: [...withoutResult, ...gone.rows], notRun: gone.notRun });
  const suites = totals.suites.rollups();
  const startTime = prior.startTime ?? timeOr(span.start, 0);
  const summary = buildRunSummary({
    runId: prior.runId ?? basename(runDir),
    startTime,
    endTime: prior.endTime ?? timeOr(span.end, startTime.getTime()),
    rows: known.sort([...[...found.values()].map((item) => item.row), ...gone.rows]),
    skippedTasks: prior.skippedTasks,
    notRun: gone.notRun,
    maxParallel: prior.maxParallel ?? 1,
    frameworkVersion: prior.frameworkVersion ?? "unknown",
    evalbatchVersion: deps.version,
    environmentInfo: environment ?? {},
    versions: totals.versions,
    interrupted: prior.interrupted || (deps.unfinished === "interrupted" && !prior.finished),
    unreadable: [...unreadable, ...copies],
    warnings,
    gate: prior.gate,
    redactions: prior.redactions,
    suites: suites.map(summarizeSuite),
    experiment: prior.experiment,
    selection: prior.selection,
  });
  return { summary, totals, suites, brokenRunJson: prior.broken };
}

/** Puts a broken `run.json` out of the way, never over it: its owner may want to look. */
export async function setAsideBrokenRun(runDir: string): Promise<void> {
  await rename(join(runDir, fileNames.run), join(runDir, `${fileNames.run}.unreadable`));
}

function rowOf(result: EvaluationResult, path: string, replicateIndex: number, known: KnownRow | undefined, intern: Intern): RunRow {
  const facts = result.evalbatch;
  const resolvedTags = result.task_config?.resolved.tags;
  const ownTags = Array.isArray(resolvedTags) ? resolvedTags.filter((tag) => typeof tag === "string") : [];
  const made = toRunRow(result, {
    replicateIndex,
    variantId: result.variant_id,
    tags: known?.tags ?? (facts !== null && facts.tags.length > 0 ? facts.tags : ownTags),
    taskPath: known?.task_path ?? facts?.task_path ?? result.task_config?.source_file ?? null,
    resultDir: path.slice(0, -fileNames.task.length - 1),
  });
  made.agent_config = intern(made.agent_config);
  made.sdk_options = intern(made.sdk_options);
  return made;
}

function ofTheHost(result: EvaluationResult): AnyObject {
  const { installed_tools: _ofTheTask, ...host } = result.environment_info;
  return host;
}

/** Rows that have no `task.json`: an error without one stands in `run.json` only and stays; all others count as not run. */
function rowsWithoutResult(prior: PriorRun, found: ReadonlyMap<string, unknown>, warnings: string[]): { rows: RunRow[]; notRun: NotRun[] } {
  const rows: RunRow[] = [];
  const notRun = new Map<string, NotRun>();
  const missing = (key: string) => !found.has(key);
  for (const row of prior.plan?.tasks ?? []) {
    const key = rowKeyText(row.variant_id, row.task_id, row.replicate_index);
    const { task_id, variant_id, replicate_index } = row;
    if (missing(key)) notRun.set(key, { task_id, variant_id, replicate_index, reason: "no result found" });
  }
  for (const entry of prior.notRun) {
    const key = rowKeyText(entry.variant_id, entry.task_id, entry.replicate_index);
    if (missing(key)) notRun.set(key, entry);
  }
  for (const old of prior.rows) {
    const key = keyOfRow(old);
    if (!missing(key)) continue;
    if (old.errorRow !== undefined) {
      notRun.delete(key);
      rows.push(old.errorRow);
      continue;
    }
    const variantId = old.variant_id ?? "default";
    notRun.set(key, {
      task_id: old.task_id,
      variant_id: variantId,
      replicate_index: old.replicate_index ?? 0,
      reason: "its task.json is gone",
    });
    warnings.push(`${variantId}/${old.task_id}: the old run.json has ${old.status}, but there is no task.json any more`);
  }
  return { rows, notRun: [...notRun.values()] };
}

function widen(span: { start: number; end: number }, result: EvaluationResult): void {
  const start = Date.parse(result.started_at);
  const end = result.completed_at === null ? Number.NaN : Date.parse(result.completed_at);
  if (start < span.start) span.start = start;
  if (end > span.end) span.end = end;
}

function timeOr(time: number, fallback: number): Date {
  return new Date(Number.isFinite(time) ? time : fallback);
}
