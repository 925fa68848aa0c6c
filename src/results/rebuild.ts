import { basename, join, resolve } from "node:path";
import { EnvironmentError } from "../errors.ts";
import { compareCodePoints } from "../plan/code-points.ts";
import { collectResults } from "./collect-results.ts";
import { keyOfRow, knownRows } from "./known-rows.ts";
import { fileNames } from "./layout.ts";
import { noTaskList, readPriorRun } from "./prior-run.ts";
import type { SetAside } from "./resume/resume-facts.ts";
import { dirOfResult } from "./resume/row-place.ts";
import { setAside } from "./resume/set-aside.ts";
import { unreadableStranger } from "./resume/stray-results.ts";
import { rowsWithoutResult } from "./rows-without-result.ts";
import type { RunRow } from "./run-row.ts";
import { buildRunSummary } from "./run-summary.ts";
import type { NotRun, RunSummary, Unreadable } from "./run-summary-schema.ts";
import type { RunTotals } from "./run-totals.ts";
import { startedRows } from "./started-rows.ts";
import { addRowsWithoutResult } from "./suites/rebuilt-suites.ts";
import type { SuiteRollup } from "./suites/suite-rollup-schema.ts";
import { summarizeSuite } from "./suites/suite-summary.ts";
import { unreadableRow } from "./unreadable-row.ts";

export interface Rebuilt {
  readonly summary: RunSummary;
  readonly totals: RunTotals;
  readonly suites: readonly SuiteRollup[];
  /** `run.json` was there and broken: it must be moved aside before it is written again. */
  readonly brokenRunJson: boolean;
  /** The old `run.json` has results, and not one `task.json` is left: a summary written now would take the last that is known of them. */
  readonly allGone: boolean;
}

export interface RebuildDeps {
  readonly version: string;
  /** `interrupted`: it is known that nobody writes the run any more, so that one without a `run.json` was cut short. */
  readonly unfinished?: "interrupted" | undefined;
}

/**
 * Computes the summary of a run from its `task.json` files. What only `run.json` or `plan.json` know (tags, paths, skipped tasks,
 * times, rows not run, the policy of the gate, what was resumed) is carried over. A result that cannot be read becomes an ERROR row and an
 * entry of `unreadable`. Of several results of one row the newest counts, the others are listed; so are those that our plan does not have.
 */
export async function rebuildSummary(runDirectory: string, deps: RebuildDeps): Promise<Rebuilt> {
  const runDir = resolve(runDirectory);
  const prior = await readPriorRun(runDir);
  const known = knownRows(prior);
  const resumedAt = prior.resume === null ? undefined : prior.startTime;
  const { totals, span, ...collected } = await collectResults(runDir, { known, planned: prior.planned, resumedAt });
  const found = new Map(collected.found);
  const warnings = [...prior.warnings, ...collected.warnings];
  const unreadable: Unreadable[] = [];
  const strangers = [...collected.notPlanned];
  if (prior.planned !== undefined) strangers.push(...collected.copies.map((copy) => ({ ...copy, moved_to: null })));
  const errors: RunRow[] = [];
  for (const problem of collected.unreadable) {
    const row = basename(problem.path) === fileNames.task ? await unreadableRow(runDir, problem, known) : undefined;
    const key = row === undefined ? undefined : keyOfRow(row);
    if (key !== undefined && prior.planned?.has(key) === false) {
      strangers.push({ path: problem.path, reason: unreadableStranger(problem.reason), moved_to: null });
      continue;
    }
    unreadable.push(problem);
    if (row === undefined || key === undefined || found.has(key)) continue;
    found.set(key, { row, path: problem.path });
    errors.push(row);
  }
  const gone = await rowsWithoutResult(runDir, prior, found, warnings);
  const hasNoList = prior.plan === undefined && prior.rows.length === 0 && prior.notRun.length === 0;
  const notRun: NotRun[] = hasNoList ? rowsThatBegan(runDir, found, unreadable) : gone.notRun;
  if (prior.hasNoList) warnings.push(noTaskList);
  addRowsWithoutResult(totals.suites, prior, known, { errors: [...errors, ...gone.rows], notRun });
  const suites = totals.suites.rollups();
  const startTime = prior.startTime ?? timeOr(span.start, 0);
  const ofPrior = Object.keys(prior.environmentInfo).length > 0 ? prior.environmentInfo : undefined;
  const summary = buildRunSummary({
    runId: prior.runId ?? basename(runDir),
    startTime,
    endTime: prior.endTime ?? timeOr(span.end, startTime.getTime()),
    rows: known.sort([...[...found.values()].map((item) => item.row), ...gone.rows]),
    skippedTasks: prior.skippedTasks,
    notRun,
    maxParallel: prior.maxParallel ?? 1,
    frameworkVersion: prior.frameworkVersion ?? "unknown",
    evalbatchVersion: deps.version,
    environmentInfo: ofPrior ?? collected.environment ?? {},
    versions: totals.versions,
    interrupted: prior.interrupted || (deps.unfinished === "interrupted" && !prior.finished),
    // Where the plan tells what belongs to the run, a second result of a row is no riddle.
    unreadable: prior.planned === undefined ? [...unreadable, ...collected.copies] : unreadable,
    warnings,
    gate: prior.gate,
    redactions: prior.redactions,
    suites: suites.map(summarizeSuite),
    experiment: prior.experiment,
    selection: prior.selection,
    resume: prior.resume,
    drift: prior.drift,
    setAside: joinSetAside(prior.setAside, strangers),
  });
  const hadResults = prior.rows.some(({ errorRow }) => errorRow === undefined);
  const allGone = hadResults && found.size === 0 && strangers.length === 0;
  return { summary, totals, suites, brokenRunJson: prior.broken, allGone };
}

function rowsThatBegan(runDir: string, found: ReadonlyMap<string, { readonly path: string }>, unreadable: readonly Unreadable[]): NotRun[] {
  const dirs = new Set([...found.values(), ...unreadable].map(({ path }) => dirOfResult(path)));
  return startedRows(runDir, (dir) => dirs.has(dir));
}

/** What was known before, and what is seen now; of a file that lies in its place the present reason counts. */
function joinSetAside(before: readonly SetAside[], now: readonly SetAside[]): SetAside[] {
  const entries = new Map([...before, ...now].map((entry) => [entry.moved_to ?? entry.path, entry]));
  return [...entries.values()].sort((a, b) => compareCodePoints(a.path, b.path));
}

/**
 * Puts a broken `run.json` out of the way, never over it: its owner may want to look.
 * @throws EnvironmentError `cannot-write`
 */
export async function setAsideBrokenRun(runDir: string): Promise<void> {
  const { path, reason, moved_to: now } = await setAside(runDir, fileNames.run, "unreadable", "it cannot be read");
  if (now !== null) return;
  throw new EnvironmentError("cannot-write", `cannot replace ${join(runDir, path)}: ${reason}`, { hint: "move it away yourself" });
}

function timeOr(time: number, fallback: number): Date {
  return new Date(Number.isFinite(time) ? time : fallback);
}
