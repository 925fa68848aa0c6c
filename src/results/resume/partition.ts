import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { InterruptedError } from "../../errors.ts";
import { compareCodePoints } from "../../plan/code-points.ts";
import { storageError } from "../atomic-file.ts";
import { isCountedFailure } from "../counted-outcome.ts";
import { fileNames, rowKeyText } from "../layout.ts";
import { type ReadResult, readTaskResult } from "../read-task-result.ts";
import type { EvaluationResult } from "../task-result.ts";
import { readAttemptsFile } from "./attempts-file.ts";
import { attemptsSoFar, joinSources, startsWithoutEnd } from "./attempts-so-far.ts";
import { noteUnreadable, retireAttempt } from "./begin-attempt.ts";
import { clearWay, findInTheWay, isCutOff } from "./clear-way.ts";
import { retryReason } from "./judge-result.ts";
import { mergeAttempts } from "./merge-attempts.ts";
import type { RetryPolicy, RunReason, SetAside } from "./resume-facts.ts";
import { setAside } from "./set-aside.ts";
import { statOf } from "./stat-of.ts";
import { type Located, locate, sameRow, strayResults } from "./stray-results.ts";

/** A row of the plan and where its result belongs. */
export interface PlannedPlace {
  readonly variantId: string;
  readonly taskId: string;
  readonly replicateIndex: number;
  /** Relative to the run directory. */
  readonly resultDir: string;
}

export interface PartitionOptions {
  /** Absolute. */
  readonly runDir: string;
  readonly retry: RetryPolicy;
  /** Its settings or its content changed, and such rows are to run again. `index`: of the row in the plan. */
  readonly isStale: (index: number, result: EvaluationResult) => boolean;
  /** Takes each kept result, one in memory at a time, in plan order. */
  readonly onKept: (index: number, result: EvaluationResult) => void;
  /**
   * Told what was decided before anything in the directory is touched; may throw, and then nothing is.
   * @param counted rows that run again and of which an attempt before counts in the pass rate all the same, by index
   */
  readonly approve?: ((decisions: readonly RowDecision[], counted: ReadonlySet<number>) => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type RowDecision =
  | { readonly kind: "keep" }
  | {
      readonly kind: "run";
      readonly reason: RunReason;
      /** There is an old result at its place, which stays if the row is never started again. */
      readonly fallback: boolean;
    };

export interface Partition {
  /** One per row, in plan order. */
  readonly decisions: readonly RowDecision[];
  /** Files that were not used, by path. */
  readonly setAside: readonly SetAside[];
  readonly warnings: readonly string[];
}

const rowsPerTurn = 64;
/** From so many starts on without an end, somebody should look (B59). */
const manyStarts = 3;

/**
 * Which rows of a plan have a result in a run directory that counts, and which must run (formats.md 8.3, docs/decisions/0012-resume.md).
 * Nothing is touched before all was read and `approve` had its say. Then files at the places of rows that are no result of theirs are moved
 * aside; results of other rows stay where they are and are listed. A stale result is cleared away at once, so that it never counts for what
 * its row is now. One bad file costs its row, never the resume.
 * @throws EnvironmentError `cannot-write`, `disk-full`; InterruptedError when the signal was given
 */
export async function partitionRows(rows: readonly PlannedPlace[], options: PartitionOptions): Promise<Partition> {
  const { runDir, signal } = options;
  const onTurn = (when = "while the earlier results were read; nothing was touched"): void => {
    if (signal?.aborted === true) throw new InterruptedError(`stopped ${when}`);
  };
  const resultDirs = new Set(rows.map(({ resultDir }) => resultDir));
  const keys = new Set(rows.map(keyOf));
  const inTheWay = findInTheWay(runDir, resultDirs);
  const isInTheWay = (path: string): boolean => inTheWay.has(path);
  const stray = await strayResults(runDir, { resultDirs, isInTheWay, isPlanned: (key) => keys.has(key), onTurn: () => onTurn() });
  const listed: SetAside[] = [];
  const counted = new Set<number>();
  const context: Context = { ...options, inTheWay, stray: stray.byKey, listed, warnings: [...stray.warnings], changes: [], counted };
  const decisions: RowDecision[] = [];
  for (const [index, row] of rows.entries()) {
    onTurn();
    if (index % rowsPerTurn === rowsPerTurn - 1) await setImmediate();
    decisions.push(await decide(index, row, context));
  }
  await options.approve?.(decisions, counted);
  listed.push(...(await clearWay(runDir, inTheWay)));
  for (const change of context.changes) {
    onTurn("before anything was run, while earlier results were made ready for it; resume again to go on");
    await makeChange(change, context);
  }
  const all = [...listed, ...stray.listed].sort((a, b) => compareCodePoints(a.path, b.path));
  return { decisions, setAside: all, warnings: context.warnings };
}

interface Context extends PartitionOptions {
  readonly inTheWay: ReadonlyMap<string, string>;
  readonly stray: ReadonlyMap<string, readonly Located[]>;
  readonly listed: SetAside[];
  readonly warnings: string[];
  readonly changes: Change[];
  readonly counted: Set<number>;
}

/** What is to happen to the files of a row that runs; small, since there may be one for each of many rows. */
interface Change {
  readonly row: PlannedPlace;
  /** What stands at its place and is no result of it. */
  readonly wrong?: { readonly kind: "unreadable" | "misplaced"; readonly reason: string } | undefined;
  /** Its result lies elsewhere; at its own place `isTaken` by an older one. */
  readonly home?: { readonly from: string; readonly isTaken: boolean } | undefined;
  readonly isRetired?: boolean;
  /** It has no end, and may never come to one. */
  readonly mayLoop?: boolean;
}

async function decide(index: number, row: PlannedPlace, context: Context): Promise<RowDecision> {
  const { runDir, listed, changes } = context;
  const path = `${row.resultDir}/${fileNames.task}`;
  const found = isCutOff(row.resultDir, context.inTheWay) ? undefined : readPlace(join(runDir, path), row);
  const wrong = found === undefined || found.kind === "result" ? undefined : { kind: found.kind, reason: found.reason };
  const own = found?.kind === "result" ? { ...locate(path, found.result), key: keyOf(row) } : undefined;
  const { chosen, others } = mergeAttempts([...(own === undefined ? [] : [own]), ...(context.stray.get(keyOf(row)) ?? [])], (item) => item);
  const best = chosen.get(keyOf(row));
  const read: ReadResult | undefined =
    best === undefined ? undefined : best === own && found?.kind === "result" ? found : readTaskResult(join(runDir, best.path));
  if (best === undefined || read?.kind !== "result") {
    changes.push({ row, wrong, mayLoop: true });
    await noteCounted(index, row, undefined, context);
    return { kind: "run", reason: await reasonOfMissing(row, wrong?.kind, context), fallback: false };
  }
  const isStale = context.isStale(index, read.result);
  const reason = retryReason(read.result, context.retry, isStale);
  for (const other of others) if (other !== own || reason === undefined) list(other.path, best.path, listed);
  if (reason === undefined) {
    context.onKept(index, read.result);
    if (wrong !== undefined) changes.push({ row, wrong });
    return { kind: "keep" };
  }
  if (!isStale) await noteCounted(index, row, read, context);
  const home = best === own ? undefined : { from: best.path, isTaken: own !== undefined };
  const mayLoop = reason === "interrupted";
  if (wrong !== undefined || home !== undefined || mayLoop || isStale) changes.push({ row, wrong, home, mayLoop, isRetired: isStale });
  return { kind: "run", reason, fallback: !isStale };
}

/** An attempt that failed stays a miss of its row, whatever comes now: what it was made with is of interest still. */
async function noteCounted(index: number, row: PlannedPlace, read: ReadResult | undefined, { runDir, inTheWay, counted }: Context) {
  if (isCutOff(row.resultDir, inTheWay)) return;
  const { earlier } = joinSources(await readAttemptsFile(join(runDir, row.resultDir)), read);
  if (earlier.some(isCountedFailure)) counted.add(index);
}

async function makeChange({ row, wrong, home, isRetired, mayLoop }: Change, context: Context): Promise<void> {
  const { runDir, listed } = context;
  const path = `${row.resultDir}/${fileNames.task}`;
  if (wrong !== undefined) {
    listed.push(await setAside(runDir, path, wrong.kind, wrong.reason));
    if (wrong.kind === "unreadable") await noteUnreadable(join(runDir, row.resultDir), wrong.reason);
  }
  if (home !== undefined) await bringHome(home, path, context);
  if (mayLoop === true) await warnOfLoop(row, context);
  if (isRetired === true) await retireAttempt(join(runDir, row.resultDir));
}

function list(path: string, chosen: string, listed: SetAside[]): void {
  listed.push({ path, reason: sameRow(chosen), moved_to: null });
}

type Place = ReadResult | { readonly kind: "misplaced"; readonly reason: string };

/** What stands at the place of a row; undefined for nothing. */
function readPlace(path: string, row: PlannedPlace): Place | undefined {
  const found = statOf(path);
  if (found === undefined) return undefined;
  if (!found.isFile()) return { kind: "unreadable", reason: "not a regular file" };
  const read = readTaskResult(path);
  if (read.kind === "unreadable") return read;
  const { variant_id, task_id, evalbatch } = read.result;
  const replicate = evalbatch?.replicate_index ?? row.replicateIndex;
  if (rowKeyText(variant_id, task_id, replicate) === keyOf(row)) return read;
  const of = `${variant_id}/${task_id}${replicate === row.replicateIndex ? "" : `, replicate ${replicate}`}`;
  return { kind: "misplaced", reason: `it is the result of another row: ${of}` };
}

/** A result that lies elsewhere and is not final goes to the place of its row, so that the next attempt knows of it. */
async function bringHome({ from, isTaken }: NonNullable<Change["home"]>, path: string, { runDir, listed }: Context): Promise<void> {
  if (isTaken) listed.push(await setAside(runDir, path, "unused", sameRow(from)));
  const target = join(runDir, path);
  try {
    await mkdir(join(target, ".."), { recursive: true });
    await rename(join(runDir, from), target);
  } catch (error) {
    throw storageError(error, target);
  }
}

async function reasonOfMissing(row: PlannedPlace, wrong: Place["kind"] | undefined, { runDir, inTheWay }: Context): Promise<RunReason> {
  if (wrong === "unreadable") return "unreadable";
  if (isCutOff(row.resultDir, inTheWay)) return "missing";
  const resultDir = join(runDir, row.resultDir);
  const attempts = await readAttemptsFile(resultDir);
  if (attempts !== undefined) return attempts.earlier.some(({ attempt }) => attempt === attempts.attempt) ? "missing" : "interrupted";
  // Nobody else's attempt leaves more than a log (formats.md 5.8).
  return statOf(join(resultDir, fileNames.taskLog)) === undefined ? "missing" : "interrupted";
}

async function warnOfLoop({ resultDir }: PlannedPlace, { runDir, warnings }: Context): Promise<void> {
  const starts = startsWithoutEnd((await attemptsSoFar(join(runDir, resultDir))).earlier);
  if (starts >= manyStarts)
    warnings.push(`${resultDir} was started ${starts} times and never came to an end: see its log before it is started for ever`);
}

function keyOf(row: PlannedPlace): string {
  return rowKeyText(row.variantId, row.taskId, row.replicateIndex);
}
