import { experimentOf } from "../results/experiment/experiment-of.ts";
import type { VariantAggregate, VariantFigures, VariantResult } from "../results/experiment/experiment-schema.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank, createCells, labelled, type Section, table, text } from "./markdown-parts.ts";
import { percent, score, seconds, thousands } from "./number-text.ts";
import { type RowNames, rowNames } from "./row-names.ts";
import { agentSettings, environment, installedTools } from "./run-markdown-environment.ts";
import { generationMetrics, tokenUsage } from "./run-markdown-metrics.ts";
import { averageScoreText, costText, passedText, rateText, scoreIntervalText, timeText } from "./variant-text.ts";

const descriptionChars = 2000;

/** The part of a run that one variant is. */
export interface VariantRun {
  readonly variantId: string;
  readonly results: readonly VariantResult[];
  readonly rows: RunSummary["task_results"];
  /** Within the variant. */
  readonly names: RowNames;
}

/** `variant.md`: what coder_eval 0.8.2 tells there (formats.md 7.2), in a layout of ours. Deviations: docs/formats.md. */
export function renderVariantMarkdown(summary: RunSummary, { variantId, results, rows, names }: VariantRun): SafeMarkdown {
  const { result } = experimentOf(summary);
  const facts = summary.experiment?.variants.find(({ id }) => id === variantId);
  const cells = createCells();
  const sections: (Section | undefined)[] = [
    { heading: md`## Summary`, lines: summaryLines(summary, variantId), gap: 1 },
    results.length === 0 ? undefined : { heading: md`## Task Details`, lines: taskTable(results), gap: 1 },
    generationMetrics(rows, cells, names),
    tokenUsage(rows, cells, names),
    agentSettings(rows),
    installedTools(rows, names),
    environment(summary.environment_info),
  ];
  const head = [
    md`# Variant Report: ${text(variantId)}`,
    blank,
    md`**Experiment**: ${text(result.experiment_id)}  `,
    md`**Description**: ${text(facts?.description || result.description, descriptionChars)}`,
    ...(facts === undefined || facts.prompt === null ? [] : [md`\n**Prompt**: ${text(facts.prompt, descriptionChars)}`]),
  ];
  const body = sections.flatMap((section) =>
    section === undefined ? [] : [...Array.from({ length: section.gap }, () => blank), section.heading, blank, ...section.lines],
  );
  return joinMarkdown([...head, ...body]);
}

function summaryLines(summary: RunSummary, variantId: string): SafeMarkdown[] {
  const { result } = experimentOf(summary);
  const aggregate: VariantAggregate | undefined = result.variant_aggregates[variantId];
  const figures = result.evalbatch.variants.find((of) => of.variant_id === variantId);
  if (aggregate === undefined || figures === undefined) return [];
  const count = (value: number): SafeMarkdown => text(thousands(value));
  const budgets = [
    ...(aggregate.tasks_token_budget_exceeded > 0 ? [`${aggregate.tasks_token_budget_exceeded} token budget`] : []),
    ...(aggregate.tasks_cost_budget_exceeded > 0 ? [`${aggregate.tasks_cost_budget_exceeded} cost budget`] : []),
  ];
  return [
    labelled("Tasks Run", count(aggregate.tasks_run)),
    labelled("Succeeded", count(aggregate.tasks_succeeded)),
    labelled(
      "Failed",
      text(`${thousands(aggregate.tasks_failed)}${budgets.length === 0 ? "" : ` (incl. ${budgets.join(", ")} exceeded)`}`),
    ),
    labelled("Errors", count(aggregate.tasks_error)),
    ...(aggregate.tasks_not_graded > 0 ? [labelled("Not Graded", count(aggregate.tasks_not_graded))] : []),
    labelled("Success Rate", text(aggregate.pass_rate === null ? "N/A" : percent(aggregate.pass_rate))),
    labelled("Passed Replicates", text(`${passedText(figures)}, ${rateText(figures)}`)),
    ...(figures.passed_on_retry > 0
      ? [labelled("Passed on a Retry", text(`${thousands(figures.passed_on_retry)}, counted as missed`))]
      : []),
    ...triesLine(figures),
    ...(figures.not_run > 0 ? [labelled("Not Run", count(figures.not_run))] : []),
    labelled("Average Score", text(averageScoreText(aggregate, figures))),
    labelled("Score 95% CI", text(scoreIntervalText(figures))),
    labelled("Mean Time", text(timeText(figures))),
    labelled("Total Tokens", text(aggregate.total_tokens === null ? "N/A" : thousands(aggregate.total_tokens))),
    labelled("Total Cost", text(costText(figures))),
    labelled("Replicates/task", count(aggregate.replicate_count)),
  ];
}

/** Of as many tries as every task has. */
function triesLine({ pass_at_k: known }: VariantFigures): SafeMarkdown[] {
  const most = known.at(-1);
  if (most === undefined) return [];
  const { k, pass_at_k: any, pass_hat_k: all } = most;
  return [labelled(`Of ${k} Tries`, text(`at least one passes ${percent(any)}, all pass ${percent(all)}`))];
}

function taskTable(results: readonly VariantResult[]): SafeMarkdown[] {
  const repeated = results.some((result) => result.replicate_count > 1);
  const similar = results.some((result) => result.reference_similarity !== null);
  return table(
    ["Task", "Score", "Status", "Avg Duration", ...(repeated ? ["Reps"] : []), ...(similar ? ["Similarity"] : [])],
    results.map((result) => [
      text(result.task_id),
      text(score(result.weighted_score)),
      text(result.final_status),
      text(seconds(result.duration_seconds === 0 ? null : result.duration_seconds / result.replicate_count)),
      ...(repeated ? [md`${result.replicate_count}`] : []),
      ...(similar ? [text(score(result.reference_similarity))] : []),
    ]),
  );
}

/** Each variant of a run. */
export function variantRuns(summary: RunSummary): VariantRun[] {
  const { result } = experimentOf(summary);
  const rows = Map.groupBy(summary.task_results, (row) => row.variant_id ?? "default");
  const notRun = Map.groupBy(summary.not_run, (entry) => entry.variant_id);
  const results = Map.groupBy(
    result.task_summaries.flatMap((task) => task.variant_results),
    (of) => of.variant_id,
  );
  return result.variant_ids.map((variantId) => {
    const own = rows.get(variantId) ?? [];
    const part = { ...summary, task_results: own, not_run: notRun.get(variantId) ?? [], experiment: null };
    return { variantId, rows: own, names: rowNames(part), results: results.get(variantId) ?? [] };
  });
}
