import { cut } from "../results/cut-text.ts";
import { type Experiment, experimentOf, hasComparison, hasReplicates, hasVariants } from "../results/experiment/experiment-of.ts";
import { differingTasks, type TaskCell, type TaskFigures } from "../results/experiment/task-figures.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { html, type SafeHtml } from "./html.ts";
import { plural } from "./number-text.ts";
import { variantColumns } from "./variant-columns.ts";
import { type CellSign, cellWords, comparisonText, shapeText, signOfCell } from "./variant-text.ts";

const tasksListed = 500;
const variantsListed = 100;
const descriptionChars = 500;
const nameChars = 100;
/** More are folded: the list of all tasks must not be far. */
const fewTasks = 10;

/** The variants of a run side by side; nothing for a run with one attempt per task. */
export function htmlVariants(summary: RunSummary): SafeHtml {
  if (!hasComparison(summary)) return html``;
  const experiment = experimentOf(summary);
  const { tasks, shape } = experiment;
  const differing = differingTasks(tasks);
  const title = hasVariants(summary) ? "Variants" : "Replicates";
  return html`<section class="variants"><h2>${title} <small>${shapeText(shape)}</small></h2>
${headLine(summary)}
${variantTable(summary, experiment)}
${comparisonLine(experiment)}
${taskBlock("Tasks in which variants differ", differing, experiment, true)}
${hasReplicates(summary) ? taskBlock("Passed replicates", tasks, experiment, false) : html``}</section>`;
}

function headLine({ experiment }: RunSummary): SafeHtml {
  if (experiment === null) return html``;
  const description = experiment.description === "" ? html`` : html`: ${experiment.description.slice(0, descriptionChars)}`;
  return html`<p>Experiment <code>${experiment.id}</code>${description}</p>`;
}

function variantTable(summary: RunSummary, experiment: Experiment): SafeHtml {
  const figures = experiment.result.evalbatch.variants;
  const columns = variantColumns(summary, experiment);
  const descriptions = new Map(summary.experiment?.variants.map(({ id, description }) => [id, description]));
  const rows = figures.slice(0, variantsListed).map((of) => {
    const description = descriptions.get(of.variant_id) ?? "";
    const about = description === "" ? html`` : html`<small>${description.slice(0, descriptionChars)}</small>`;
    return html`<tr><th scope="row">${cut(of.variant_id, nameChars)}${about}</th>${columns.map((column) => html`<td>${column.cell(of)}</td>`)}</tr>`;
  });
  const head = html`<tr><th>Variant</th>${columns.map(({ header }) => html`<th>${header}</th>`)}</tr>`;
  return html`<div class="wide"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>${more(figures.length - rows.length, "variant")}`;
}

function comparisonLine({ result }: Experiment): SafeHtml {
  const { comparison } = result.evalbatch;
  if (comparison === null) return html``;
  return html`<p><b>${comparison.variant}</b> against <b>${comparison.baseline}</b>: ${comparisonText(comparison)}</p>`;
}

function taskBlock(title: string, tasks: readonly TaskFigures[], { result, shape }: Experiment, withScore: boolean): SafeHtml {
  if (tasks.length === 0) return html``;
  const head = html`<tr><th>Task</th>${result.variant_ids.map((id) => html`<th>${cut(id, nameChars)}</th>`)}</tr>`;
  const rows = tasks.slice(0, tasksListed).map((task) => {
    return html`<tr><th scope="row">${cut(task.taskId, 2 * nameChars)}</th>${task.cells.map((cell) => taskCell(cell, shape.replicates, withScore))}</tr>`;
  });
  return html`<details${withScore && tasks.length <= fewTasks ? html` open` : html``}><summary>${title} <small>${tasks.length}</small></summary><div class="wide"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>${more(tasks.length - rows.length, "task")}</details>`;
}

const signs: Readonly<Record<CellSign, readonly [kind: string, sign: string, words: string]>> = {
  passed: ["ok", "✓", "passed"],
  flaky: ["err", "~", "flaky: some replicates passed, some did not"],
  failed: ["bad", "✗", "failed"],
  error: ["err", "!", "error"],
  none: ["open", "–", "not graded"],
};

function taskCell(cell: TaskCell | undefined, replicates: number, withScore: boolean): SafeHtml {
  const [kind, sign, words] = signs[signOfCell(cell)];
  return html`<td class="${kind}" title="${words}"><b>${sign}</b> ${cellWords(cell, replicates, withScore)}</td>`;
}

function more(count: number, one: string): SafeHtml {
  return count > 0 ? html`<p class="more">… and ${plural(count, `more ${one}`)}: see experiment.json</p>` : html``;
}
