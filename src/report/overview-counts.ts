import type { RunRow } from "../results/run-row.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { selectionLines } from "../results/selection.ts";
import { averageScore, passRateOf, plannedOf, runCost } from "../results/statistics.ts";
import { joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { codeName, text } from "./markdown-parts.ts";
import { duration, fixed, percent, plural, thousands, usd } from "./number-text.ts";
import { rowNames } from "./row-names.ts";

/** The numbers of a run in list items: tasks, in parts that add up; rate; price and time; files that gave no task. */
export function countLines(summary: RunSummary): SafeMarkdown[] {
  const lines = [md`- ${taskCounts(summary)}`, md`- ${text(rates(summary))}`, md`- ${text(spent(summary))}`];
  lines.push(...selectionLines(summary.selection).map((line) => md`- Only ${text(line)}`));
  const files = filesLeftOut(summary);
  return files.length === 0 ? lines : [...lines, md`- ${joinMarkdown(files, md`, `)}`];
}

/** `12 tasks planned: 10 run (8 passed, 1 failed, 1 error), 2 not run`. */
function taskCounts(summary: RunSummary): SafeMarkdown {
  const { tasks_run: run, tasks_succeeded: passed, tasks_failed: failed, tasks_error: error, tasks_not_graded: ungraded } = summary;
  if (plannedOf(summary) === 0) return text(plural(run, "task run", "tasks run"));
  const parts = [bold(passed, "passed")];
  if (failed > 0) parts.push(bold(failed, "failed"));
  if (error > 0) parts.push(bold(error, error === 1 ? "error" : "errors"));
  if (ungraded > 0) parts.push(bold(ungraded, "not graded"));
  const buckets = joinMarkdown(parts, md`, `);
  if (summary.tasks_not_run === 0) return md`${text(plural(run, "task"))} run: ${buckets}`;
  const planned = text(plural(plannedOf(summary), "task"));
  return md`${planned} planned: ${text(thousands(run))} run (${buckets}), ${bold(summary.tasks_not_run, "not run")}`;
}

function bold(count: number, what: string): SafeMarkdown {
  const words = text(`${thousands(count)} ${what}`);
  return count === 0 ? words : md`**${words}**`;
}

function rates(summary: RunSummary): string {
  const { passed, graded, rate } = passRateOf(summary);
  if (rate === undefined) return "No pass rate: nothing was graded";
  const score = averageScore(summary.task_results);
  const isPlain = graded === plannedOf(summary) && passed === summary.tasks_succeeded;
  const of = isPlain ? "" : ` (${thousands(passed)} of ${thousands(graded)} graded)`;
  const share = `Pass rate ${percent(rate)}${of}`;
  return score === undefined ? share : `${share} · average score ${fixed(score, 3)}`;
}

/** Of a run that did the rest of another one, the price is of all its results, the time of this attempt alone. */
function spent(summary: RunSummary): string {
  const { resume, task_results: rows } = summary;
  const time = `took ${duration(summary.total_duration_seconds)}${resume === null ? "" : " in this attempt"}`;
  const { total, incomplete } = runCost(rows);
  if (total === undefined) return incomplete > 0 ? `Cost not known · ${time}` : `T${time.slice(1)}`;
  const now = rows.some((row) => row.kept) ? runCost(rows.filter((row) => !row.kept)).total : undefined;
  const part = now === undefined ? "" : ` (${usd(now)} of it in this attempt)`;
  return `Cost ${incomplete > 0 ? "at least " : ""}${usd(total)}${part} · ${time}`;
}

/** What kept the run from passing in bold, as the counts are. */
function filesLeftOut(summary: RunSummary): SafeMarkdown[] {
  const { skipped_tasks: skipped, unreadable } = summary;
  const invalid = skipped.filter((task) => task.kind === "invalid").length;
  const parts: SafeMarkdown[] = [];
  if (invalid > 0) parts.push(md`**${text(plural(invalid, "task file"))} could not be loaded**`);
  if (unreadable.length > 0) parts.push(md`**${text(plural(unreadable.length, "result"))} could not be used**`);
  if (skipped.length > invalid) parts.push(md`${text(plural(skipped.length - invalid, "task file"))} skipped`);
  return parts;
}

const fewRows = 5;
/** What takes less time is not worth a look. */
const slowSeconds = 10;

/** Which tasks took the most time and money; nothing for a run in which that is plain to see. */
export function extremes(summary: RunSummary): SafeMarkdown[] {
  const rows = summary.task_results;
  const names = rowNames(summary);
  if (rows.length < fewRows) return [];
  const parts: SafeMarkdown[] = [];
  const slowest = greatest(rows, (row) => row.duration);
  if (slowest !== undefined && slowest.value >= slowSeconds)
    parts.push(md`Slowest: ${codeName(names.of(slowest.row))} (${text(duration(slowest.value))})`);
  const dearest = greatest(rows, (row) => row.total_cost_usd);
  if (dearest !== undefined)
    parts.push(md`${parts.length === 0 ? md`Most` : md`most`} expensive: ${codeName(names.of(dearest.row))} (${text(usd(dearest.value))})`);
  return parts.length === 0 ? [] : [md`- ${joinMarkdown(parts, md` · `)}`];
}

function greatest(rows: readonly RunRow[], pick: (row: RunRow) => number | null): { row: RunRow; value: number } | undefined {
  let found: { row: RunRow; value: number } | undefined;
  for (const row of rows) {
    const value = pick(row);
    if (value !== null && value > (found?.value ?? 0)) found = { row, value };
  }
  return found;
}
