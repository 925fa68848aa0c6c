import { compareCodePoints } from "../../plan/code-points.ts";
import type { RunRow } from "../run-row.ts";
import type { NotRun } from "../run-summary-schema.ts";
import { type Cell, type Cells, cellsOf } from "./cells.ts";
import { compareVariants } from "./comparison.ts";
import type { ExperimentResult, TaskExperimentSummary } from "./experiment-schema.ts";
import { aggregateVariant } from "./variant-aggregate.ts";
import { variantFigures } from "./variant-figures.ts";
import { countedCategory, scoresOf, variantResultOf } from "./variant-result.ts";

export interface ExperimentInput {
  readonly experimentId: string;
  readonly description: string;
  /** Those that were to run, in the order of the experiment file; a row of another one adds it. */
  readonly variantIds: readonly string[];
  /** In resolved order. */
  readonly rows: readonly RunRow[];
  readonly notRun?: readonly NotRun[] | undefined;
  readonly durationSeconds: number;
}

/** `experiment.json` (formats.md 3.6) from the rows of a run alone. Pure. */
export function buildExperimentResult(run: ExperimentInput): ExperimentResult {
  const cells = cellsOf(run.rows, run.variantIds);
  const { variantIds } = cells;
  const tasks = cells.taskIds.map((taskId) => summarizeTask(taskId, cells));
  const byVariant = Map.groupBy(
    tasks.flatMap((task) => task.variant_results),
    (result) => result.variant_id,
  );
  const notRun = Map.groupBy(run.notRun ?? [], (entry) => entry.variant_id);
  return {
    experiment_id: run.experimentId,
    description: run.description,
    variant_ids: [...variantIds],
    task_summaries: tasks,
    // `fromEntries`, because an id may be `__proto__`.
    variant_aggregates: Object.fromEntries(
      variantIds.map((id) => [
        id,
        aggregateVariant(
          id,
          byVariant.get(id) ?? [],
          cellsIn(id, cells).map(({ rows }) => countedCategory(rows)),
        ),
      ]),
    ),
    total_duration_seconds: run.durationSeconds,
    per_replicate_scores: Object.fromEntries(variantIds.map((id) => [id, replicateScores(id, cells)])),
    evalbatch: {
      variants: variantIds.map((id) =>
        variantFigures(
          id,
          cellsIn(id, cells).map(({ rows }) => rows),
          byVariant.get(id) ?? [],
          notRun.get(id)?.length ?? 0,
        ),
      ),
      comparison: compareVariants(variantIds, tasks),
    },
  };
}

function summarizeTask(taskId: string, cells: Cells): TaskExperimentSummary {
  const results = cells.variantIds.flatMap((variantId) => {
    const cell = cells.at(taskId, variantId);
    return cell === undefined ? [] : [variantResultOf(cell)];
  });
  const scores = results.flatMap((result) => (result.weighted_score === null ? [] : [result.weighted_score]));
  const best = scores.length === 0 ? null : scores.reduce((most, score) => Math.max(most, score));
  const winners = results.filter((result) => result.weighted_score === best).map((result) => result.variant_id);
  return {
    task_id: taskId,
    variant_results: results,
    best_variant: greatest(winners),
    is_tie: best !== null && winners.length > 1,
    score_spread: best === null ? 0 : best - scores.reduce((least, score) => Math.min(least, score)),
    replicate_count: results.map((result) => result.replicate_count).reduce((least, count) => Math.min(least, count)),
  };
}

/** By code point, as Python compares: of equal scores the greatest id is named. */
function greatest(ids: readonly string[]): string | null {
  return [...ids].sort(compareCodePoints).at(-1) ?? null;
}

function replicateScores(variantId: string, cells: Cells): Record<string, number[]> {
  return Object.fromEntries(cellsIn(variantId, cells).map(({ taskId, rows }) => [taskId, scoresOf(rows)]));
}

function cellsIn(variantId: string, cells: Cells): Cell[] {
  return cells.taskIds.map((taskId) => cells.at(taskId, variantId)).filter((cell) => cell !== undefined);
}
