import type { Shape } from "../results/experiment/experiment-of.ts";
import type { Comparison, VariantAggregate, VariantFigures } from "../results/experiment/experiment-schema.ts";
import type { TaskCell } from "../results/experiment/task-figures.ts";
import { duration, fixed, percent, plural, score, thousands, usd } from "./number-text.ts";

// Numbers of an experiment in words, the same in every report.

/** `8/10`: of what was graded. */
export function passedText({ passed, graded }: Pick<VariantFigures, "passed" | "graded">): string {
  return `${thousands(passed)}/${thousands(graded)}`;
}

/** `80.0% (49.0–94.3%)` with the interval of 95 %. */
export function rateText({ pass_rate: rate, pass_rate_low: low, pass_rate_high: high }: VariantFigures): string {
  if (rate === null) return "–";
  return low === null || high === null ? percent(rate) : `${percent(rate)} (${fixed(low * 100, 1)}–${percent(high)})`;
}

/** `$0.12`, `≥ $0.12` where something had no price, `–` where nothing had one. */
export function costText({ total_cost_usd: cost, cost_complete: complete }: VariantFigures): string {
  return cost === null ? "–" : `${complete ? "" : "≥ "}${usd(cost)}`;
}

export function tokensText({ total_tokens: tokens }: VariantFigures): string {
  return tokens === null ? "–" : thousands(tokens);
}

/** Mean time of an attempt. */
export function timeText({ average_duration: seconds }: VariantFigures): string {
  return seconds === null ? "–" : duration(seconds);
}

/** `0.708`: mean of the tasks' mean scores; a variant of which nothing was measured has none. */
export function meanScoreText(aggregate: VariantAggregate | undefined): string {
  return aggregate === undefined || aggregate.tasks_measured === 0 ? "N/A" : score(aggregate.average_score);
}

/** `0.708 ± 0.344`: mean and sample deviation of the tasks' mean scores. */
export function averageScoreText(aggregate: VariantAggregate | undefined, figures: VariantFigures | undefined): string {
  const deviation = figures?.score_deviation ?? null;
  return `${meanScoreText(aggregate)}${deviation === null ? "" : ` ± ${fixed(deviation, 3)}`}`;
}

/** `0.450–0.920`: the bootstrap interval of the mean score. */
export function scoreIntervalText(figures: VariantFigures | undefined): string {
  const { score_low: low = null, score_high: high = null } = figures ?? {};
  return low === null || high === null ? "N/A" : `${fixed(low, 3)}–${fixed(high, 3)}`;
}

export function fixedOrNone(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? "N/A" : fixed(value, digits);
}

/** `+0.167` */
export function signed(value: number): string {
  const text = fixed(Math.abs(value), 3);
  return Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
}

/**
 * What the comparison of two variants came to, behind their names: `mean score +0.167 over 40 tasks (95 % interval +0.050 to
 * +0.284): higher`.
 */
export function comparisonText(comparison: Comparison): string {
  const { pairs, mean_difference: difference, low, high, reading } = comparison;
  if (difference === null || reading === null) return "no task has a score in both";
  const interval = low === null || high === null ? "" : ` (95 % interval ${signed(low)} to ${signed(high)})`;
  return `mean score ${signed(difference)} over ${plural(pairs, "task")}${interval}: ${reading === "too few tasks differ" ? `${plural(comparison.pairs_different, "task differs", "tasks differ")}, too few to tell` : reading}`;
}

export type CellSign = "passed" | "flaky" | "failed" | "error" | "none";

export function signOfCell(cell: TaskCell | undefined): CellSign {
  if (cell === undefined || cell.graded === 0) return "none";
  if (cell.passed === cell.graded) return "passed";
  if (cell.flaky) return "flaky";
  return cell.errors === cell.graded ? "error" : "failed";
}

/** `2 of 3 · 0.833`: passed replicates where there are several, and the mean score; nothing where nothing was graded. */
export function cellWords(cell: TaskCell | undefined, replicates: number, withScore: boolean): string {
  if (cell === undefined || cell.graded === 0) return "";
  const parts = [
    ...(replicates > 1 ? [`${cell.passed} of ${cell.graded}`] : []),
    ...((withScore || replicates === 1) && cell.score !== undefined ? [score(cell.score)] : []),
  ];
  return parts.join(" · ");
}

/** `200 tasks × 2 variants × 3 replicates`; `200 tasks, 2 variants, up to 3 replicates` where they are no rectangle. */
export function shapeText({ tasks, variants, replicates, even }: Shape): string {
  const parts = [
    plural(tasks, "task"),
    ...(variants > 1 ? [plural(variants, "variant")] : []),
    ...(replicates > 1 ? [`${even ? "" : "up to "}${plural(replicates, "replicate")}`] : []),
  ];
  return parts.join(even ? " × " : ", ");
}
