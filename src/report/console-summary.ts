import { join } from "node:path";
import { categoryOf } from "../results/final-status.ts";
import { fileNames } from "../results/layout.ts";
import { isUnplanned } from "../results/resume/stray-results.ts";
import type { RunRow } from "../results/run-row.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { selectionLines } from "../results/selection.ts";
import { passRateOf, plannedOf } from "../results/statistics.ts";
import { logLines } from "../untrusted/log.ts";
import { attemptCell, hasHistory } from "./attempt-text.ts";
import { fitted } from "./console-lines.ts";
import { consoleDrift, consoleResume } from "./console-resume.ts";
import { consoleVariants } from "./console-variants.ts";
import { gateDiffers, gateLine } from "./gate-line.ts";
import { duration, fixed, percent, plural, thousands } from "./number-text.ts";
import { groupName, groupReplicates, missedText } from "./replicate-groups.ts";
import { rowNames } from "./row-names.ts";
import { reasonOf } from "./row-text.ts";
import { suiteTexts } from "./suites-section.ts";

export interface ConsoleOptions {
  /** Where the files of the run lie, as the reader can open it. */
  readonly runDir: string;
  /** Characters per line; longer lines are cut. */
  readonly columns: number;
  readonly colour: boolean;
}

const failuresShown = 20;
const othersShown = 10;
const minColumns = 40;

const colours = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const;
type Paint = (text: string, colour: keyof typeof colours) => string;

/** The end of a run for a terminal or a job log: what failed and why, counts that add up, and where the report is. Ends with a line end. */
export function renderConsoleSummary(summary: RunSummary, options: ConsoleOptions): string {
  const width = Math.max(minColumns, options.columns);
  const paint: Paint = (text, colour) => (options.colour ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text);
  const bold = (text: string): string => paint(text, "bold");
  const names = rowNames(summary);
  const lines = [
    ...failureLines(summary, options.runDir, width, paint),
    ...otherLines(
      "Not run",
      summary.not_run.map((entry) => `${names.of(entry)}: ${entry.reason}`),
      width,
      paint,
    ),
    ...otherLines(
      "Skipped files",
      summary.skipped_tasks.map((task) => `${task.path}: ${task.reason}`),
      width,
      paint,
    ),
    ...otherLines(
      "Unreadable results",
      summary.unreadable.map((entry) => `${entry.path}: ${entry.reason}`),
      width,
      paint,
    ),
    ...otherLines(
      "Results not part of this plan",
      summary.set_aside.filter(isUnplanned).map(({ path, reason }) => `${path}: ${reason}`),
      width,
      paint,
    ),
    ...otherLines(
      "Files set aside",
      summary.set_aside
        .filter((entry) => !isUnplanned(entry))
        .map(({ path, reason, moved_to: now }) => `${path}: ${reason}${now === null ? "" : `; now ${now}`}`),
      width,
      paint,
    ),
    ...otherLines("Suites", suiteTexts(summary), width, paint),
    ...otherLines("Only", selectionLines(summary.selection), width, paint),
    ...otherLines("Warnings", summary.warnings, width, paint),
    ...consoleVariants(summary, width, bold),
    ...consoleDrift(summary, width, bold),
    ...consoleResume(summary, width, bold),
    "",
    ...countLines(summary),
    ...logLines(verdictText(summary), "Verdict: ").map((line) => paint(line, verdictColour(summary))),
    ...(gateDiffers(summary) ? logLines(gateLine(summary) ?? "", "Gate: ") : []),
    ...logLines(join(options.runDir, fileNames.html), "Report: "),
  ];
  return `${lines.join("\n")}\n`;
}

function failureLines(summary: RunSummary, runDir: string, width: number, paint: Paint): string[] {
  const rows = summary.task_results.filter((row) => ["failed", "error"].includes(categoryOf(row.status)));
  const missed = groupReplicates(rows, summary.task_results);
  if (missed.length === 0) return [];
  const shown = missed.slice(0, failuresShown);
  const names = rowNames(summary);
  const statusWidth = Math.max(...shown.map(({ row }) => row.status.length));
  const lines = ["", paint(`Failures (${rows.length} of ${summary.tasks_run})`, "bold")];
  for (const group of shown) {
    const { row } = group;
    const share = missedText(group) === "" ? "" : `  ${missedText(group)}`;
    const label = `  ${row.status.padEnd(statusWidth)}  `;
    const score = row.weighted_score === null ? "" : `  score ${fixed(row.weighted_score, 3)}`;
    lines.push(
      ...fitted(`${groupName(group, names)}${share}${score}`, label, width).map((line) =>
        line.replace(row.status, () => paint(row.status, "red")),
      ),
    );
    const indent = " ".repeat(label.length - 2);
    lines.push(...fitted(reasonOf(row), `${indent}- `, width));
    if (hasHistory(row)) lines.push(...fitted(`attempt ${attemptCell(row, width)}`, `${indent}- `, width));
    if (row.result_dir !== null)
      lines.push(...logLines(join(runDir, row.result_dir, logName(row)), `${indent}> `).map((line) => paint(line, "dim")));
  }
  if (missed.length > shown.length)
    lines.push(`  … and ${plural(missed.length - shown.length, missed.length < rows.length ? "more task" : "more row")}`);
  return lines;
}

/** Where the trouble is told: the build's log for a failed build. */
function logName(row: RunRow): string {
  return row.status === "BUILD_FAILED" ? fileNames.dockerLog : fileNames.taskLog;
}

function otherLines(title: string, entries: readonly string[], width: number, paint: Paint): string[] {
  if (entries.length === 0) return [];
  const lines = ["", paint(`${title} (${entries.length})`, "bold")];
  for (const entry of entries.slice(0, othersShown)) lines.push(...fitted(entry, "  - ", width));
  if (entries.length > othersShown) lines.push(`  … and ${entries.length - othersShown} more`);
  return lines;
}

function countLines(summary: RunSummary): string[] {
  const { tasks_run: run, tasks_succeeded: succeeded, tasks_failed: failed, tasks_error: error, tasks_not_graded: ungraded } = summary;
  const parts = [`${thousands(succeeded)} passed`, `${thousands(failed)} failed`, plural(error, "error")];
  if (ungraded > 0) parts.push(`${thousands(ungraded)} not graded`);
  const { passed, graded, rate } = passRateOf(summary);
  const share =
    rate === undefined ? "no pass rate: nothing was graded" : `pass rate ${percent(rate)} (${thousands(passed)}/${thousands(graded)})`;
  const lines = [`${plural(run, "task")} run: ${parts.join(", ")}; ${share}; took ${duration(summary.total_duration_seconds)}`];
  if (summary.tasks_not_run > 0)
    lines.push(`${thousands(plannedOf(summary))} planned: ${thousands(run)} run, ${thousands(summary.tasks_not_run)} not run`);
  return lines;
}

function verdictText(summary: RunSummary): string {
  const verdict = summary.verdict ?? "none";
  return summary.verdict_reasons.length === 0 ? verdict : `${verdict} (${summary.verdict_reasons.join("; ")})`;
}

function verdictColour(summary: RunSummary): keyof typeof colours {
  return summary.verdict === "passed" ? "green" : summary.verdict === "failed" ? "red" : "yellow";
}
