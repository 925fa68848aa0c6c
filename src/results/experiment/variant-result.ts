import { countedOutcome } from "../counted-outcome.ts";
import { type Category, categoryOf, type FinalStatus } from "../final-status.ts";
import { roundHalfEven } from "../intervals.ts";
import type { RunRow } from "../run-row.ts";
import { assistantTurns, mean, sum } from "../statistics.ts";
import type { Cell } from "./cells.ts";
import type { VariantResult } from "./experiment-schema.ts";

const worstFirst: readonly Category[] = ["error", "failed", "ungraded", "succeeded"];

/** The replicates of one task in one variant as one result (formats.md 3.6). */
export function variantResultOf({ variantId, taskId, rows }: Cell): VariantResult {
  return {
    variant_id: variantId,
    task_id: taskId,
    weighted_score: mean(scoresOf(rows)) ?? null,
    final_status: worstStatus(rows),
    duration_seconds: sum(rows.map((row) => (categoryOf(row.status) === "error" ? 0 : row.duration))) ?? 0,
    total_tokens: sum(rows.map((row) => row.total_tokens)) ?? null,
    iteration_count: rounded(mean(rows.map((row) => row.iteration_count))),
    // A row without turns has no number of them.
    total_assistant_turns: rounded(mean(rows.map((row) => (row.iterations.length === 0 ? null : assistantTurns(row))))),
    reference_similarity: mean(rows.map((row) => row.reference_similarity)) ?? null,
    replicate_index: 0,
    replicate_count: rows.length,
  };
}

/** Of what was graded, by the attempts that count: what broke before it had a score has none, which is 0. */
export function scoresOf(rows: readonly RunRow[]): number[] {
  return rows
    .map(countedOutcome)
    .filter((counted) => counted.weighted_score !== null || categoryOf(counted.status) !== "ungraded")
    .map((counted) => counted.weighted_score ?? 0);
}

/** All replicates as one, by the attempts that count in rates: the worst category among them. */
export function countedCategory(rows: readonly RunRow[]): Category {
  const found = new Set(rows.map((row) => categoryOf(countedOutcome(row).status)));
  return worstFirst.find((category) => found.has(category)) ?? "ungraded";
}

function worstStatus(rows: readonly RunRow[]): FinalStatus {
  for (const category of worstFirst) {
    const found = rows.find((row) => categoryOf(row.status) === category);
    if (found !== undefined) return found.status;
  }
  return "NOT_GRADED";
}

function rounded(value: number | undefined): number | null {
  return value === undefined ? null : roundHalfEven(value);
}
