import type { RunRow } from "../results/run-row.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { selectionLines } from "../results/selection.ts";
import {
  assistantTurns,
  averageDuration,
  averageScore,
  averageSimilarity,
  crashedPartials,
  passRateOf,
  plannedOf,
} from "../results/statistics.ts";
import { md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { attemptCell, hasHistory } from "./attempt-text.ts";
import { type Cells, labelled, type Section, table, text } from "./markdown-parts.ts";
import { fixed, percent, plural, score, seconds } from "./number-text.ts";
import type { RowNames } from "./row-names.ts";

/** The list below "Summary". Every bucket that is not empty has a line, so that the lines add up. */
export function summaryLines(summary: RunSummary): SafeMarkdown[] {
  const rows = summary.task_results;
  const { tasks_run: run, tasks_token_budget_exceeded: tokens, tasks_cost_budget_exceeded: cost } = summary;
  const lines = [labelled("Total Tasks", md`${run}`), labelled("Succeeded", md`${summary.tasks_succeeded}`)];
  const budgets = tokens + cost > 0 ? md` (incl. ${tokens} token budget, ${cost} cost budget exceeded)` : md``;
  lines.push(labelled("Failed", md`${summary.tasks_failed}${budgets}`), labelled("Errors", md`${summary.tasks_error}`));
  if (summary.tasks_not_graded > 0) lines.push(labelled("Not Graded", md`${summary.tasks_not_graded}`));
  if (summary.tasks_not_run > 0) lines.push(labelled("Not Run", md`${summary.tasks_not_run} of ${plannedOf(summary)} planned`));
  for (const line of selectionLines(summary.selection)) lines.push(labelled("Sample", md`only ${text(line)}`));
  lines.push(labelled("Success Rate", text(successRate(summary))));
  const average = averageScore(rows);
  if (average !== undefined) lines.push(labelled("Avg Reliability Score", text(fixed(average, 3))));
  const latency = averageDuration(rows);
  if (latency !== undefined) lines.push(labelled("Avg Generation Latency", text(seconds(latency))));
  const turns = rows.reduce((sum, row) => sum + assistantTurns(row), 0);
  if (turns > 0) lines.push(labelled("Total Assistant Turns", md`${turns}`));
  const crashed = crashedPartials(rows);
  if (crashed.total > 0) {
    lines.push(labelled("Crashed Partials", md`${crashed.total} (${crashed.recovered} recovered, ${crashed.terminal} terminal)`));
  }
  const similarity = averageSimilarity(rows);
  if (similarity !== undefined) lines.push(labelled("Avg Ground Truth Similarity", text(fixed(similarity, 3))));
  return lines;
}

/** Of the graded rows, errors included; files of 0.8.2 have no such number, so it is worked out from theirs. */
function successRate(summary: RunSummary): string {
  const { passed, graded, rate } = passRateOf(summary);
  if (rate === undefined) return "N/A";
  const errors = summary.tasks_error > 0 ? `, ${plural(summary.tasks_error, "error")} counted as misses` : "";
  return `${percent(rate)} (${passed}/${graded}${errors})`;
}

interface Column {
  readonly header: string;
  readonly cell: (row: RunRow) => string;
  /** Whether the column is there at all. */
  readonly when?: (rows: readonly RunRow[]) => boolean;
}

const columns: readonly Column[] = [
  { header: "Task ID", cell: (row) => row.task_id },
  { header: "Variant", cell: (row) => row.variant_id ?? "N/A", when: (rows) => new Set(rows.map((row) => row.variant_id)).size > 1 },
  {
    header: "Replicate",
    cell: (row) => String(row.replicate_index ?? "N/A"),
    when: (rows) => rows.some((row) => (row.replicate_index ?? 0) > 0),
  },
  { header: "Status", cell: (row) => row.status },
  { header: "Reliability Score", cell: (row) => score(row.weighted_score) },
  // A row of exactly 0 s was never timed.
  { header: "Latency", cell: (row) => seconds(row.duration === 0 ? null : row.duration) },
  { header: "Model", cell: (row) => row.model_used ?? "N/A", when: (rows) => rows.some((row) => row.model_used !== null) },
  { header: "Tags", cell: (row) => row.tags.join(", "), when: (rows) => rows.some((row) => row.tags.length > 0) },
  {
    header: "Similarity",
    cell: (row) => score(row.reference_similarity),
    when: (rows) => rows.some((row) => row.reference_similarity !== null),
  },
  { header: "Cmd Efficiency", cell: efficiency, when: (rows) => rows.some((row) => row.commands_efficiency !== null) },
  { header: "Attempt", cell: (row) => attemptCell(row, reasonChars), when: (rows) => rows.some(hasHistory) },
];

/** Of why an earlier attempt of a row was no success. */
const reasonChars = 60;

function efficiency(row: RunRow): string {
  if (row.commands_efficiency === null) return "N/A";
  const counts = row.expected_commands === null || row.actual_commands === null ? "" : ` (${row.expected_commands}/${row.actual_commands})`;
  return percent(row.commands_efficiency) + counts;
}

export function taskDetails(rows: readonly RunRow[], cells: Cells): Section {
  const shown = columns.filter((column) => column.when?.(rows) ?? true);
  const lines = table(
    shown.map((column) => column.header),
    rows.map((row) => shown.map((column) => cells(column.cell(row)))),
  );
  return { heading: md`## Task Details`, lines, gap: 1 };
}

export function runTimeNotes(rows: readonly RunRow[], { of: name }: RowNames): Section | undefined {
  const lines = rows.flatMap((row) => {
    const notes: SafeMarkdown[] = [];
    if (row.max_turns_exhausted) notes.push(md`> **WARNING:** [${text(name(row))}] max_turns exhausted`);
    const overage = row.expected_turns_overage;
    if (overage !== null) {
      notes.push(md`> **WARNING:** [${text(name(row))}] expected_turns exceeded: ${overage[0]}/${overage[1]} (visible turns)`);
    }
    return notes;
  });
  return lines.length === 0 ? undefined : { heading: md`## Run-time Notes`, lines, gap: 1 };
}
