import { createInterner } from "./intern.ts";
import type { KnownRow, KnownRows } from "./known-rows.ts";
import { parseTime } from "./prior-run.ts";
import { recoverResults } from "./recover.ts";
import { cutShortBy } from "./resume/cut-short.ts";
import { type AttemptFacts, mergeAttempts } from "./resume/merge-attempts.ts";
import type { SetAside } from "./resume/resume-facts.ts";
import { dirOfResult, replicateOf } from "./resume/row-place.ts";
import { type Located, locate, notPlanned, sameRow } from "./resume/stray-results.ts";
import type { RunRow } from "./run-row.ts";
import type { Unreadable } from "./run-summary-schema.ts";
import { createRunTotals, type RunTotals } from "./run-totals.ts";
import { unknownOrder } from "./suites/rebuilt-suites.ts";
import type { EvaluationResult } from "./task-result.ts";
import { toRunRow } from "./task-to-row.ts";
import type { AnyObject } from "./tolerant.ts";

export interface CollectOptions {
  readonly known: KnownRows;
  /** All rows that belong to the run; undefined where nobody knows. */
  readonly planned: ReadonlySet<string> | undefined;
  /** Results that ended before it were taken over from an earlier execution; undefined for a run that was never resumed. */
  readonly resumedAt: Date | undefined;
}

/** What the results of a run directory tell. */
export interface Collected {
  /** By row, as `rowKeyText` gives it, with the path of its `task.json`. */
  readonly found: ReadonlyMap<string, FoundRow>;
  readonly totals: RunTotals;
  readonly unreadable: readonly Unreadable[];
  /** Results that lost against another one of their row. */
  readonly copies: readonly Unreadable[];
  readonly notPlanned: readonly SetAside[];
  readonly warnings: readonly string[];
  /** Of the host of the first result. */
  readonly environment: AnyObject | undefined;
  /** From the first start to the last end, in milliseconds since 1970; infinite where nothing tells. */
  readonly span: { readonly start: number; readonly end: number };
}

export interface FoundRow {
  readonly row: RunRow;
  readonly path: string;
}

/**
 * Reads all results, one in memory at a time. Of several of one row the newest counts (`mergeAttempts`). Totals cannot be taken back: where
 * a result turns out to be outdone by a later one, all are read once more without those that lose, which is rare.
 */
export async function collectResults(runDir: string, options: CollectOptions): Promise<Collected> {
  const first = await readAll(runDir, options, new Map());
  if (first.losers.size === 0) return first;
  const second = await readAll(runDir, options, first.losers);
  return { ...second, copies: [...first.losers].map(([path, reason]) => ({ path, reason })) };
}

interface Pass extends Collected {
  /** Paths that must not count, each with the reason. */
  readonly losers: ReadonlyMap<string, string>;
}

async function readAll(runDir: string, options: CollectOptions, skip: ReadonlyMap<string, string>): Promise<Pass> {
  const totals = createRunTotals();
  const found = new Map<string, FoundRow>();
  const located: Located[] = [];
  const unreadable: Unreadable[] = [];
  const strangers: SetAside[] = [];
  const warnings: string[] = [];
  const intern = createInterner();
  const span = { start: Number.POSITIVE_INFINITY, end: Number.NEGATIVE_INFINITY };
  let environment: AnyObject | undefined;

  for await (const entry of recoverResults(runDir)) {
    if (entry.kind === "nested run") warnings.push(`${entry.path} is a run of its own and was left out`);
    else if (entry.kind === "problem") unreadable.push({ path: entry.path, reason: entry.reason });
    else if (!skip.has(entry.path)) take(entry.path, entry.result, entry.warning);
  }
  const { chosen, others } = mergeAttempts<Located>(located, (item): AttemptFacts => item);
  const losers = new Map(others.map(({ path, key }) => [path, sameRow(chosen.get(key)?.path ?? "another place")]));
  return { found, totals, unreadable, copies: [], notPlanned: strangers, warnings, environment, span, losers };

  function take(path: string, result: EvaluationResult, warning: string | undefined): void {
    const place = locate(path, result);
    if (options.planned !== undefined && !options.planned.has(place.key)) {
      strangers.push({ path, reason: notPlanned, moved_to: null });
      return;
    }
    located.push(place);
    if (found.has(place.key)) return;
    const known = options.known.find(place.key, result.task_id);
    const row = rowOf(path, result, known, options.resumedAt);
    row.agent_config = intern(row.agent_config);
    row.sdk_options = intern(row.sdk_options);
    found.set(place.key, { row, path });
    if (cutShortBy(result) !== undefined) warnings.push(`${path}: the attempt was cut short; a resume runs it again`);
    if (warning !== undefined) warnings.push(`${path}: ${warning}`);
    totals.add(result, row, known?.order ?? unknownOrder + found.size);
    widen(span, result);
    environment ??= ofTheHost(result);
  }
}

function rowOf(path: string, result: EvaluationResult, known: KnownRow | undefined, resumedAt: Date | undefined): RunRow {
  const facts = result.evalbatch;
  const resolvedTags = result.task_config?.resolved.tags;
  const ownTags = Array.isArray(resolvedTags) ? resolvedTags.filter((tag) => typeof tag === "string") : [];
  const ended = parseTime(result.completed_at) ?? parseTime(result.started_at);
  return toRunRow(result, {
    replicateIndex: replicateOf(path, result),
    variantId: result.variant_id,
    tags: known?.tags ?? (facts !== null && facts.tags.length > 0 ? facts.tags : ownTags),
    taskPath: known?.task_path ?? facts?.task_path ?? result.task_config?.source_file ?? null,
    resultDir: dirOfResult(path),
    kept: resumedAt !== undefined && ended !== undefined && ended < resumedAt,
  });
}

function ofTheHost(result: EvaluationResult): AnyObject {
  const { installed_tools: _installed, env_probe: _seen, ...host } = result.environment_info;
  return host;
}

function widen(span: { start: number; end: number }, result: EvaluationResult): void {
  const start = Date.parse(result.started_at);
  const end = result.completed_at === null ? Number.NaN : Date.parse(result.completed_at);
  if (start < span.start) span.start = start;
  if (end > span.end) span.end = end;
}
