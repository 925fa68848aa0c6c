import { type Experiment, experimentOf, hasReplicates, hasVariants } from "../results/experiment/experiment-of.ts";
import type { ExperimentResult } from "../results/experiment/experiment-schema.ts";
import { differingTasks, flakyTasks, type TaskFigures } from "../results/experiment/task-figures.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank, table, text } from "./markdown-parts.ts";
import { percent, plural, thousands } from "./number-text.ts";
import { averageScoreText, fixedOrNone, scoreIntervalText, shapeText } from "./variant-text.ts";
import { comparisonLines, tasksTable, variantName, variantTable } from "./variants-section.ts";

const tasksListed = 5000;
const divergentListed = 20;
const variantsListed = 500;
const descriptionChars = 2000;

/** `experiment.md`: what coder_eval 0.8.2 tells there (formats.md 7.2), in a layout of ours. Deviations: docs/formats.md. */
export function renderExperimentMarkdown(summary: RunSummary): SafeMarkdown {
  const experiment = experimentOf(summary);
  const { result, tasks, shape } = experiment;
  const lines = [
    md`# Experiment Report: ${text(result.experiment_id)}`,
    blank,
    md`**Description**: ${text(result.description, descriptionChars)}  `,
    md`**Variants**: ${joinMarkdown(result.variant_ids.slice(0, variantsListed).map(variantName), md`, `)}  `,
    md`**Run**: ${text(shapeText(shape))}  `,
    md`**Total Duration**: ${text(result.total_duration_seconds.toFixed(1))}s`,
    ...section("Prompt Configuration", promptLines(summary)),
    ...section("Aggregate Metrics", [
      ...variantTable(summary, experiment, variantsListed),
      blank,
      ...taskMetrics(result),
      ...comparisonLines(experiment),
    ]),
    ...section("Win Rates", hasVariants(summary) ? winRates(result) : []),
    ...section("Per-Task Comparison", tasks.length === 0 ? [] : tasksTable(tasks, experiment, tasksListed, "score")),
    ...list("Most Divergent Tasks", differingTasks(tasks), experiment),
    ...(hasReplicates(summary) ? list("Flaky Tasks", flakyTasks(tasks), experiment) : []),
  ];
  return joinMarkdown(lines);
}

function section(title: string, lines: readonly SafeMarkdown[]): SafeMarkdown[] {
  return lines.length === 0 ? [] : [blank, md`## ${text(title)}`, blank, ...lines];
}

function list(title: string, tasks: readonly TaskFigures[], experiment: Experiment): SafeMarkdown[] {
  return section(title, tasks.length === 0 ? [] : tasksTable(tasks, experiment, divergentListed, "score"));
}

/** What each variant is, as far as the run knows. */
function promptLines({ experiment }: RunSummary): SafeMarkdown[] {
  const variants = experiment?.variants ?? [];
  return variants
    .filter(({ prompt, description }) => prompt !== null || description !== "")
    .slice(0, variantsListed)
    .map(({ id, prompt, description }) => {
      const parts = [
        ...(prompt === null ? [] : [text(prompt, descriptionChars)]),
        ...(description === "" ? [] : [text(description, descriptionChars)]),
      ];
      return md`- ${variantName(id)}: ${joinMarkdown(parts, md` · `)}`;
    });
}

/** Each task once, whatever its replicates: one that failed once has failed. */
function taskMetrics({ variant_ids: ids, variant_aggregates: aggregates, evalbatch }: ExperimentResult): SafeMarkdown[] {
  const figures = new Map(evalbatch.variants.map((of) => [of.variant_id, of]));
  const count = (value: number | undefined) => text(thousands(value ?? 0));
  const rows = ids.slice(0, variantsListed).map((id) => {
    const of = aggregates[id];
    const more = figures.get(id);
    return [
      variantName(id),
      count(of?.tasks_run),
      count(of?.tasks_succeeded),
      count(of?.tasks_failed),
      count(of?.tasks_token_budget_exceeded),
      count(of?.tasks_cost_budget_exceeded),
      count(of?.tasks_error),
      count(of?.tasks_not_graded),
      text(of?.pass_rate === null || of?.pass_rate === undefined ? "N/A" : percent(of.pass_rate)),
      text(averageScoreText(of, more)),
      text(scoreIntervalText(more)),
      text(fixedOrNone(more?.average_assistant_turns, 1)),
      count(of?.replicate_count),
    ];
  });
  return table(
    [
      "Variant",
      "Tasks Run",
      "Succeeded",
      "Failed",
      "Token Budget",
      "Cost Budget",
      "Errors",
      "Not Graded",
      "Success Rate",
      "Score",
      "Score 95 %",
      "Assistant Turns",
      "Replicates/task",
    ],
    rows,
  );
}

function winRates({ variant_ids: ids, task_summaries: tasks }: ExperimentResult): SafeMarkdown[] {
  const total = tasks.length;
  if (total === 0) return [];
  const line = (name: SafeMarkdown, won: number) => md`- ${name}: ${won}/${text(plural(total, "task"))} (${text(percent(won / total))})`;
  const wins = Map.groupBy(tasks, (task) => (task.is_tie ? null : task.best_variant));
  const ties = wins.get(null)?.length ?? 0;
  const lines = ids.slice(0, variantsListed).map((id) => line(variantName(id), wins.get(id)?.length ?? 0));
  return ties === 0 ? lines : [...lines, line(md`**Ties**`, ties)];
}
