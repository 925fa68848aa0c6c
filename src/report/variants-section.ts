import { cut } from "../results/cut-text.ts";
import { type Experiment, experimentOf, hasComparison, hasReplicates, hasVariants } from "../results/experiment/experiment-of.ts";
import { differingTasks, flakyTasks, type TaskCell, type TaskFigures } from "../results/experiment/task-figures.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { details, joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank, codeName, moreLines, type Section, table, text } from "./markdown-parts.ts";
import { plural } from "./number-text.ts";
import type { Level } from "./overview-level.ts";
import { variantColumns } from "./variant-columns.ts";
import { type CellSign, cellWords, comparisonText, shapeText, signOfCell } from "./variant-text.ts";

/** A table with more columns is no table any more on a small screen. */
const maxVariantColumns = 6;
const nameChars = 60;
const tasksListed = 500;
const variantsListed = 100;

/** The variants of a run side by side, in `run.md`; undefined for a run with one attempt per task. */
export function variantsSection(summary: RunSummary): Section | undefined {
  if (!hasComparison(summary)) return undefined;
  const experiment = experimentOf(summary);
  const differing = differingTasks(experiment.tasks);
  const lines = [
    text(shapeText(experiment.shape)),
    blank,
    ...variantTable(summary, experiment, variantsListed),
    ...comparisonLines(experiment),
    ...subsection("Tasks in which variants differ", differing.length, tasksTable(differing, experiment, tasksListed, "score")),
    ...(hasReplicates(summary)
      ? subsection("Passed replicates", experiment.tasks.length, tasksTable(experiment.tasks, experiment, tasksListed, "share"))
      : []),
  ];
  return { heading: hasVariants(summary) ? md`## Variants` : md`## Replicates`, lines, gap: 1 };
}

/** The same for the first page of a run: what differs and what is flaky is folded. */
export function variantLines(summary: RunSummary, level: Level): SafeMarkdown[] {
  if (!hasComparison(summary)) return [];
  const experiment = experimentOf(summary);
  const lines = [
    blank,
    hasVariants(summary) ? md`### Variants` : md`### Replicates`,
    blank,
    text(shapeText(experiment.shape)),
    blank,
    ...variantTable(summary, experiment, Math.max(level.names, fewestVariants)),
    ...comparisonLines(experiment),
  ];
  if (level.passed === 0) return lines;
  const differing = differingTasks(experiment.tasks);
  const flaky = flakyTasks(experiment.tasks);
  return [
    ...lines,
    ...fold(
      differing.length,
      plural(differing.length, "task in which variants differ", "tasks in which variants differ"),
      tasksTable(differing, experiment, level.names, "score"),
    ),
    ...fold(
      flaky.length,
      plural(flaky.length, "flaky task: some replicates passed, some did not", "flaky tasks: some replicates passed, some did not"),
      tasksTable(flaky, experiment, level.names, "share"),
    ),
  ];
}

/** Even where there is hardly any room. */
const fewestVariants = 3;

/** One row per variant. */
export function variantTable(summary: RunSummary, experiment: Experiment, listed: number): SafeMarkdown[] {
  const figures = experiment.result.evalbatch.variants;
  const columns = variantColumns(summary, experiment);
  const rows = figures.slice(0, listed).map((of) => [variantName(of.variant_id), ...columns.map((column) => text(column.cell(of)))]);
  return [...table(["Variant", ...columns.map((column) => column.header)], rows), ...moreLines(figures.length - rows.length, "variant")];
}

/** As a name in a table: an overlong one would be a column of its own. */
export function variantName(id: string): SafeMarkdown {
  return codeName(cut(id, nameChars));
}

/** Nothing unless there are exactly two variants. */
export function comparisonLines({ result }: Experiment): SafeMarkdown[] {
  const { comparison } = result.evalbatch;
  if (comparison === null) return [];
  const { baseline, variant } = comparison;
  return [blank, md`${variantName(variant)} against ${variantName(baseline)}: ${text(comparisonText(comparison), 300)}`];
}

const signs: Readonly<Record<CellSign, SafeMarkdown>> = {
  passed: md`✅`,
  flaky: md`⚠️`,
  failed: md`❌`,
  error: md`💥`,
  none: md`–`,
};

/** Tasks by variant. `share`: passed replicates; `score`: the mean score as well. With many variants only the best and the worst of them. */
export function tasksTable(
  tasks: readonly TaskFigures[],
  { result, shape }: Experiment,
  listed: number,
  show: "share" | "score",
): SafeMarkdown[] {
  const shown = tasks.slice(0, listed);
  const cell = (of: TaskCell | undefined): SafeMarkdown => cellText(of, shape.replicates, show);
  const variants = result.variant_ids;
  const lines =
    variants.length <= maxVariantColumns
      ? table(
          ["Task", ...variants.map((id) => cut(id, nameChars))],
          shown.map((task) => [codeName(task.taskId), ...task.cells.map(cell)]),
        )
      : table(
          ["Task", "Best", "Worst"],
          shown.map((task) => [codeName(task.taskId), ...extremesOf(task, variants, cell)]),
        );
  return [...lines, ...moreLines(tasks.length - shown.length, "task")];
}

function cellText(cell: TaskCell | undefined, replicates: number, show: "share" | "score"): SafeMarkdown {
  const words = cellWords(cell, replicates, show === "score");
  const sign = signs[signOfCell(cell)];
  return words === "" ? sign : md`${sign} ${text(words)}`;
}

function extremesOf(task: TaskFigures, variants: readonly string[], cell: (of: TaskCell | undefined) => SafeMarkdown): SafeMarkdown[] {
  const known = task.cells
    .map((of, index) => ({ of, name: variants[index] ?? "" }))
    .filter(({ of }) => of !== undefined && of.graded > 0)
    .sort((a, b) => rank(b.of) - rank(a.of));
  return [known[0], known.at(-1)].map((end) => (end === undefined ? md`–` : md`${cell(end.of)} ${variantName(end.name)}`));
}

function rank(cell: TaskCell | undefined): number {
  return cell === undefined || cell.graded === 0 ? -1 : cell.passed / cell.graded + (cell.score ?? 0);
}

function subsection(title: string, count: number, lines: readonly SafeMarkdown[]): SafeMarkdown[] {
  return count === 0 ? [] : [blank, md`### ${text(title)}`, blank, ...lines];
}

function fold(count: number, title: string, lines: readonly SafeMarkdown[]): SafeMarkdown[] {
  return count === 0 ? [] : [blank, details(text(title), joinMarkdown(lines))];
}
