import { countForRate, mean } from "../statistics.ts";
import type { Cell, Cells } from "./cells.ts";
import { noDifference } from "./comparison.ts";
import { isFlaky } from "./variant-figures.ts";
import { scoresOf } from "./variant-result.ts";

/** One task in one variant: how many of its replicates passed, of those that were graded, by the attempts that count. */
export interface TaskCell {
  readonly passed: number;
  /** Passed, failed and errors. */
  readonly graded: number;
  readonly errors: number;
  /** Mean; undefined where nothing was graded. */
  readonly score: number | undefined;
  /** Some passed, some did not; retries count here too. */
  readonly flaky: boolean;
}

/** One task in all variants. */
export interface TaskFigures {
  readonly taskId: string;
  /** By variant, in their order; undefined where the task did not run. */
  readonly cells: readonly (TaskCell | undefined)[];
  /** Greatest distance of two variants in their share of passed replicates or in their mean score, 0 … 1. */
  readonly spread: number;
  /** Of the mean scores alone. */
  readonly scoreSpread: number;
}

export function taskFigures(cells: Cells): TaskFigures[] {
  return cells.taskIds.map((taskId) => {
    const found = cells.variantIds.map((variantId) => figuresOf(cells.at(taskId, variantId)));
    const known = found.filter((cell) => cell !== undefined && cell.graded > 0);
    const scoreSpread = distance(known.map((cell) => cell?.score));
    const spread = Math.max(scoreSpread, distance(known.map((cell) => (cell === undefined ? undefined : cell.passed / cell.graded))));
    return { taskId, cells: found, spread: spread < noDifference ? 0 : spread, scoreSpread };
  });
}

function figuresOf(cell: Cell | undefined): TaskCell | undefined {
  if (cell === undefined) return undefined;
  const { succeeded, graded, errors } = countForRate(cell.rows);
  return { passed: succeeded, graded, errors, score: mean(scoresOf(cell.rows)), flaky: isFlaky(cell.rows) };
}

function distance(values: readonly (number | undefined)[]): number {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return 0;
  return known.reduce((most, value) => Math.max(most, value)) - known.reduce((least, value) => Math.min(least, value));
}

/** Tasks in which the variants differ, the largest spread first, else in the order of the run. */
export function differingTasks(tasks: readonly TaskFigures[]): TaskFigures[] {
  return tasks.filter((task) => task.spread > 0).sort((a, b) => b.spread - a.spread || b.scoreSpread - a.scoreSpread);
}

/** Tasks that are flaky in at least one variant, in the order of the run. */
export function flakyTasks(tasks: readonly TaskFigures[]): TaskFigures[] {
  return tasks.filter((task) => task.cells.some((cell) => cell?.flaky === true));
}
