import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { InterruptedError } from "../../errors.ts";
import { compareCodePoints } from "../../plan/code-points.ts";
import { storageError } from "../atomic-file.ts";
import { fileNames, rowKeyText } from "../layout.ts";
import { type ReadResult, readTaskResult } from "../read-task-result.ts";
import type { EvaluationResult } from "../task-result.ts";
import { readAttemptsFile } from "./attempts-file.ts";
import { attemptsSoFar, startsWithoutEnd } from "./attempts-so-far.ts";
import { noteUnreadable, retireAttempt } from "./begin-attempt.ts";
import { clearWay } from "./clear-way.ts";
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
 * Files at the places of rows that are no result of theirs are moved aside; results of other rows stay where they are and are listed. A
 * stale result is cleared away at once, so that it never counts for what its row is now. One bad file costs its row, never the resume.
 * @throws EnvironmentError `cannot-write`, `disk-full`; InterruptedError when the signal was given
 */
export async function partitionRows(rows: readonly PlannedPlace[], options: PartitionOptions): Promise<Partition> {
  const { runDir, signal } = options;
  const onTurn = (): void => {
    if (signal?.aborted === true) throw new InterruptedError("stopped while the earlier results were read");
  };
  const resultDirs = new Set(rows.map(({ resultDir }) => resultDir));
  const keys = new Set(rows.map(keyOf));
  const listed = await clearWay(runDir, resultDirs);
  const stray = await strayResults(runDir, { resultDirs, isPlanned: (key) => keys.has(key), onTurn });
  const context: Context = { ...options, stray: stray.byKey, listed, warnings: [...stray.warnings] };
  const decisions: RowDecision[] = [];
  for (const [index, row] of rows.entries()) {
    onTurn();
    if (index % rowsPerTurn === rowsPerTurn - 1) await setImmediate();
    decisions.push(await decide(index, row, context));
  }
  const all = [...listed, ...stray.listed].sort((a, b) => compareCodePoints(a.path, b.path));
  return { decisions, setAside: all, warnings: context.warnings };
}

interface Context extends PartitionOptions {
  readonly stray: ReadonlyMap<string, readonly Located[]>;
  readonly listed: SetAside[];
  readonly warnings: string[];
}

async function decide(index: number, row: PlannedPlace, context: Context): Promise<RowDecision> {
  const { runDir, listed } = context;
  const path = `${row.resultDir}/${fileNames.task}`;
  const found = readPlace(join(runDir, path), row);
  if (found?.kind === "unreadable" || found?.kind === "misplaced") {
    listed.push(await setAside(runDir, path, found.kind, found.reason));
    if (found.kind === "unreadable") await noteUnreadable(join(runDir, row.resultDir), found.reason);
  }
  const own = found?.kind === "result" ? { ...locate(path, found.result), key: keyOf(row) } : undefined;
  const { chosen, others } = mergeAttempts([...(own === undefined ? [] : [own]), ...(context.stray.get(keyOf(row)) ?? [])], (item) => item);
  const best = chosen.get(keyOf(row));
  const read: ReadResult | undefined =
    best === undefined ? undefined : best === own && found?.kind === "result" ? found : readTaskResult(join(runDir, best.path));
  if (best === undefined || read?.kind !== "result") {
    await warnOfLoop(row, context);
    return { kind: "run", reason: await reasonOfMissing(found?.kind, join(runDir, row.resultDir)), fallback: false };
  }
  const isStale = context.isStale(index, read.result);
  const reason = retryReason(read.result, context.retry, isStale);
  for (const other of others) if (other !== own || reason === undefined) list(other.path, best.path, listed);
  if (reason === undefined) {
    context.onKept(index, read.result);
    return { kind: "keep" };
  }
  if (best !== own) await bringHome(best, path, own !== undefined, context);
  if (reason === "interrupted") await warnOfLoop(row, context);
  if (isStale) await retireAttempt(join(runDir, row.resultDir));
  return { kind: "run", reason, fallback: !isStale };
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
async function bringHome(best: Located, path: string, isTaken: boolean, { runDir, listed }: Context): Promise<void> {
  if (isTaken) listed.push(await setAside(runDir, path, "unused", sameRow(best.path)));
  const target = join(runDir, path);
  try {
    await mkdir(join(target, ".."), { recursive: true });
    await rename(join(runDir, best.path), target);
  } catch (error) {
    throw storageError(error, target);
  }
}

async function reasonOfMissing(found: Place["kind"] | undefined, resultDir: string): Promise<RunReason> {
  if (found === "unreadable") return "unreadable";
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
