import { countedOutcome } from "./counted-outcome.ts";
import { categoryOf } from "./final-status.ts";
import type { RunRow } from "./run-row.ts";
import type { RunSummary } from "./run-summary-schema.ts";

// Every published number of a run is computed here and nowhere else.

export interface RunCounts {
  readonly run: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly error: number;
  readonly notGraded: number;
  /** All but the ungraded: the denominator of the rates. */
  readonly graded: number;
  /** Rows with a score. */
  readonly measured: number;
  /** Part of `failed`. */
  readonly tokenBudget: number;
  /** Part of `failed`. */
  readonly costBudget: number;
}

/** Rows by category of their last attempt; `run` is their sum. What rates are made of: `countForRate`. */
export function countRows(rows: Iterable<RunRow>): RunCounts {
  const buckets = { succeeded: 0, failed: 0, error: 0, ungraded: 0 };
  let measured = 0;
  let tokenBudget = 0;
  let costBudget = 0;
  for (const row of rows) {
    buckets[categoryOf(row.status)] += 1;
    if (isNumber(row.weighted_score)) measured += 1;
    if (row.status === "TOKEN_BUDGET_EXCEEDED") tokenBudget += 1;
    if (row.status === "COST_BUDGET_EXCEEDED") costBudget += 1;
  }
  const { succeeded, failed, error, ungraded } = buckets;
  const graded = succeeded + failed + error;
  return { run: graded + ungraded, succeeded, failed, error, notGraded: ungraded, graded, measured, tokenBudget, costBudget };
}

/** Rows that a run was asked for; coder_eval writes no such number. */
export function plannedOf(summary: Pick<RunSummary, "tasks_planned" | "tasks_run" | "tasks_not_run">): number {
  return summary.tasks_planned ?? summary.tasks_run + summary.tasks_not_run;
}

export interface RateCounts {
  /** At the first attempt that was graded. */
  readonly succeeded: number;
  /** What `succeeded` is a share of. Errors are in it; so is a row that failed once and was not graded when it was retried. */
  readonly graded: number;
}

/** Rows by the attempt that counts (`countedOutcome`): a retry makes no success of a failure. `errors` are part of `graded`. */
export function countForRate(rows: Iterable<RunRow>): RateCounts & { readonly errors: number } {
  let succeeded = 0;
  let graded = 0;
  let errors = 0;
  for (const row of rows) {
    const category = categoryOf(countedOutcome(row).status);
    if (category === "succeeded") succeeded += 1;
    if (category === "error") errors += 1;
    if (category !== "ungraded") graded += 1;
  }
  return { succeeded, graded, errors };
}

/** Share (0 … 1) of the graded rows that succeeded. Errors are misses: a broken machine never raises the rate. Undefined without rows. */
export function passRate({ succeeded, graded }: RateCounts): number | undefined {
  return graded === 0 ? undefined : succeeded / graded;
}

type Counted = Pick<RunSummary, "tasks_succeeded" | "tasks_failed" | "tasks_error" | "tasks_not_graded" | "task_results">;

export interface PassRate {
  /** Succeeded at the first graded attempt. */
  readonly passed: number;
  readonly graded: number;
  /** Rows that were run and are in no rate. */
  readonly ungraded: number;
  /** `passed` of `graded`; undefined when nothing was graded. */
  readonly rate: number | undefined;
}

/**
 * The pass rate of a run, on every surface. It starts from the counts, which every version and tool wrote, whether or not their rows can be
 * read; rows that were retried after a failure are then counted by that failure.
 */
export function passRateOf(summary: Counted): PassRate {
  let passed = summary.tasks_succeeded;
  let ungraded = summary.tasks_not_graded;
  const run = summary.tasks_succeeded + summary.tasks_failed + summary.tasks_error + summary.tasks_not_graded;
  for (const row of summary.task_results) {
    if (row.earlier_attempts.length === 0) continue;
    const [last, counted] = [categoryOf(row.status), categoryOf(countedOutcome(row).status)];
    if (last === "succeeded" && counted !== last) passed -= 1;
    if (last === "ungraded" && counted !== last) ungraded -= 1;
  }
  const graded = run - ungraded;
  return { passed, graded, ungraded, rate: passRate({ succeeded: passed, graded }) };
}

/** Share (0 … 1) of the graded rows that ended in an error at last. */
export function errorShare(counts: Pick<RunCounts, "error" | "graded">): number | undefined {
  return counts.graded === 0 ? undefined : counts.error / counts.graded;
}

/** Mean of the scores that there are, of the attempts that count. */
export function averageScore(rows: readonly RunRow[]): number | undefined {
  return mean(rows.map((row) => countedOutcome(row).weighted_score));
}

/** Mean seconds per row; a row of 0 s was not timed and does not count. */
export function averageDuration(rows: readonly RunRow[]): number | undefined {
  return mean(rows.map((row) => (isNumber(row.duration) && row.duration > 0 ? row.duration : null)));
}

export function averageSimilarity(rows: readonly RunRow[]): number | undefined {
  return mean(rows.map((row) => row.reference_similarity));
}

/** Assistant turns of one row. */
export function assistantTurns(row: RunRow): number {
  return sum(row.iterations.map((turn) => turn.assistant_turn_count)) ?? 0;
}

/** Mean seconds per turn of one row; undefined without turns. */
export function averageTurnDuration(row: RunRow): number | undefined {
  return mean(row.iterations.map((turn) => turn.duration_seconds));
}

export interface CrashedPartials {
  readonly total: number;
  /** A later try of the same turn came through. */
  readonly recovered: number;
  readonly terminal: number;
}

export function crashedPartials(rows: readonly RunRow[]): CrashedPartials {
  let total = 0;
  let recovered = 0;
  for (const row of rows) {
    const fine = new Set(row.iterations.filter((turn) => !turn.crashed).map((turn) => turn.iteration));
    for (const turn of row.iterations) {
      if (!turn.crashed) continue;
      total += 1;
      if (fine.has(turn.iteration)) recovered += 1;
    }
  }
  return { total, recovered, terminal: total - recovered };
}

export interface RunCost {
  /** Rows that spent something which has no price. */
  readonly incomplete: number;
  readonly agent: number | undefined;
  /** Judges and simulator. */
  readonly overhead: number | undefined;
  readonly total: number | undefined;
}

/** USD, each undefined when no row has a price: unknown is not zero. */
export function runCost(rows: readonly RunRow[]): RunCost {
  return {
    incomplete: rows.filter((row) => !row.cost_complete).length,
    agent: sum(rows.map((row) => row.agent_cost_usd)),
    overhead: sum(rows.flatMap((row) => [row.judge_cost_usd, row.simulator_cost_usd])),
    total: sum(rows.map((row) => row.total_cost_usd)),
  };
}

export interface RunTokens {
  /** Rows that know their tokens. */
  readonly rows: number;
  readonly total: number;
  readonly uncachedInput: number;
  readonly output: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
}

export function runTokens(rows: readonly RunRow[]): RunTokens {
  const known = rows.filter((row) => row.total_tokens !== null);
  const add = (pick: (row: RunRow) => number | null) => sum(known.map(pick)) ?? 0;
  return {
    rows: known.length,
    total: add((row) => row.total_tokens),
    uncachedInput: add((row) => row.input_tokens),
    output: add((row) => row.output_tokens),
    cacheWrite: add((row) => row.cache_creation_input_tokens),
    cacheRead: add((row) => row.cache_read_input_tokens),
  };
}

type MaybeNumber = number | null | undefined;

function isNumber(value: MaybeNumber): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Sum of the finite numbers among the values; undefined when there is none. */
export function sum(values: Iterable<MaybeNumber>): number | undefined {
  let total: number | undefined;
  for (const value of values) if (isNumber(value)) total = (total ?? 0) + value;
  return total;
}

/** Mean of the finite numbers among the values; undefined when there is none. */
export function mean(values: readonly MaybeNumber[]): number | undefined {
  const known = values.filter(isNumber);
  const total = sum(known);
  return total === undefined ? undefined : total / known.length;
}
