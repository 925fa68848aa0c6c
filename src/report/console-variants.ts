import { experimentOf, hasComparison, hasVariants } from "../results/experiment/experiment-of.ts";
import type { ExperimentResult, VariantFigures } from "../results/experiment/experiment-schema.ts";
import { flakyTasks } from "../results/experiment/task-figures.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { fitted } from "./console-lines.ts";
import { plural } from "./number-text.ts";
import { comparisonText, costText, meanScoreText, passedText, rateText, shapeText, timeText } from "./variant-text.ts";

const variantsShown = 20;
const flakyShown = 5;

/** The variants of a run, one line each; nothing for a run with one attempt per task. */
export function consoleVariants(summary: RunSummary, width: number, bold: (text: string) => string): string[] {
  if (!hasComparison(summary)) return [];
  const { result, tasks, shape } = experimentOf(summary);
  const figures = result.evalbatch.variants;
  const shown = figures.slice(0, variantsShown);
  const title = hasVariants(summary) ? "Variants" : "Replicates";
  const lines = ["", bold(`${title} (${shapeText(shape)})`)];
  for (const of of shown) lines.push(...fitted(variantText(of, result), "  - ", width));
  if (figures.length > shown.length) lines.push(`  … and ${plural(figures.length - shown.length, "more variant")}`);
  const { comparison } = result.evalbatch;
  if (comparison !== null) {
    lines.push(...fitted(`${comparison.variant} against ${comparison.baseline}:`, "  - ", width), `    ${comparisonText(comparison)}`);
  }
  const flaky = flakyTasks(tasks).map((task) => task.taskId);
  const rest = flaky.length > flakyShown ? ", …" : "";
  if (flaky.length > 0)
    lines.push(...fitted(`${plural(flaky.length, "flaky task")}: ${flaky.slice(0, flakyShown).join(", ")}${rest}`, "  - ", width));
  return lines;
}

/** Numbers first: a name may be longer than the line. */
function variantText(of: VariantFigures, result: ExperimentResult): string {
  const average = meanScoreText(result.variant_aggregates[of.variant_id]);
  const parts = [
    `${passedText(of)} passed`,
    rateText(of),
    `score ${average}`,
    plural(of.errors, "error"),
    ...(of.not_run > 0 ? [`${of.not_run} not run`] : []),
    ...(of.total_cost_usd === null ? [] : [costText(of)]),
    `${timeText(of)} each`,
  ];
  return `${of.variant_id}: ${parts.join(", ")}`;
}
