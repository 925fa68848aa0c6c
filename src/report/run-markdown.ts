import type { RunSummary } from "../results/run-summary-schema.ts";
import type { RunTotals } from "../results/run-totals.ts";
import { joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { driftSection } from "./drift-section.ts";
import { gateLine } from "./gate-line.ts";
import { blank, codeName, createCells, type Section, text } from "./markdown-parts.ts";
import { resumeSection } from "./resume-lines.ts";
import { rowNames } from "./row-names.ts";
import { agentSettings, environment, installedTools } from "./run-markdown-environment.ts";
import { commandTelemetry, generationMetrics, tokenUsage } from "./run-markdown-metrics.ts";
import { failures, filesSetAside, notRun, skippedFiles, unplannedResults, unreadableResults, warnings } from "./run-markdown-misses.ts";
import { runTimeNotes, summaryLines, taskDetails } from "./run-markdown-tasks.ts";
import { suitesSection } from "./suites-section.ts";
import { variantsSection } from "./variants-section.ts";

/**
 * `run.md`: the sections of coder_eval 0.8.2 in its order, columns and number formats (formats.md 7.1), and ours between
 * "Summary" and "Task Details": what was taken over and has changed, what failed, what did not run, what could not be read. Deviations: docs/formats.md.
 * Without `totals` the section "Command Telemetry" is left out: its data stands in the `task.json` files only.
 */
export function renderRunMarkdown(summary: RunSummary, totals?: Pick<RunTotals, "telemetry">): SafeMarkdown {
  const rows = summary.task_results;
  const cells = createCells();
  const names = rowNames(summary);
  const sections: (Section | undefined)[] = [
    { heading: md`## Summary`, lines: summaryLines(summary), gap: 1 },
    resumeSection(summary),
    driftSection(summary),
    variantsSection(summary),
    suitesSection(summary),
    failures(summary),
    notRun(summary),
    skippedFiles(summary.skipped_tasks),
    unreadableResults(summary.unreadable),
    unplannedResults(summary.set_aside),
    filesSetAside(summary.set_aside),
    warnings(summary.warnings),
    taskDetails(rows, cells),
    runTimeNotes(rows, names),
    generationMetrics(rows, cells, names),
    tokenUsage(rows, cells, names),
    totals === undefined ? undefined : commandTelemetry(totals.telemetry),
    agentSettings(rows),
    installedTools(rows, names),
    environment(summary.environment_info),
  ];
  const lines: SafeMarkdown[] = header(summary);
  for (const section of sections) {
    if (section === undefined) continue;
    lines.push(...Array.from({ length: section.gap }, () => blank), section.heading, blank);
    for (const line of section.lines) lines.push(line);
  }
  return joinMarkdown(lines);
}

function header(summary: RunSummary): SafeMarkdown[] {
  const models = [...new Set(summary.task_results.flatMap((row) => (row.model_used === null ? [] : [row.model_used])))].sort();
  const lines = [
    md`# Evaluation Run Report`,
    blank,
    md`**Run ID**: ${codeName(summary.run_id)}`,
    md`**Date**: ${dateText(summary.start_time)}`,
    md`**Duration**: ${text(summary.total_duration_seconds.toFixed(2))}s`,
  ];
  if (models.length === 1) lines.push(md`**Model**: ${codeName(models[0] ?? "")}`);
  if (models.length > 1) lines.push(md`**Models**: ${joinMarkdown(models.slice(0, 50).map(codeName), md`, `)}`);
  if (summary.verdict !== null) {
    const reasons = summary.verdict_reasons.join("; ");
    lines.push(md`**Verdict**: ${text(summary.verdict)}${reasons === "" ? blank : md` (${text(reasons, 1000)})`}`);
  }
  const gate = gateLine(summary);
  if (gate !== undefined) lines.push(md`**Gate**: ${text(gate, 1000)}`);
  return lines;
}

/** `YYYY-MM-DD HH:MM:SS`: a time with a zone in UTC, one without (coder_eval's local time) as it is written. */
function dateText(time: string): SafeMarkdown {
  const parsed = new Date(time);
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(time) && !Number.isNaN(parsed.getTime());
  const clock = (zoned ? parsed.toISOString() : time).slice(0, 19).replace("T", " ");
  // In pieces: `:50:` within foreign text could be an emoji.
  const safe = joinMarkdown(
    clock.split(":", 3).map((part) => text(part)),
    md`:`,
  );
  return zoned ? md`${safe} UTC` : safe;
}
