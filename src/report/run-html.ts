import { isUnplanned } from "../results/resume/stray-results.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import type { RunTotals } from "../results/run-totals.ts";
import { selectionLines } from "../results/selection.ts";
import { passRateOf, runCost, runTokens } from "../results/statistics.ts";
import { gateDiffers, gateLine } from "./gate-line.ts";
import { html, type SafeHtml } from "./html.ts";
import { duration, fixed, percent, plural, thousands } from "./number-text.ts";
import { pythonText } from "./python-repr.ts";
import { rowNames } from "./row-names.ts";
import { fileReason } from "./row-text.ts";
import { htmlDrift, htmlResume } from "./run-html-resume.ts";
import { htmlRows } from "./run-html-rows.ts";
import { styles } from "./run-html-style.ts";
import { htmlVariants } from "./run-html-variants.ts";
import { suitesHtml } from "./suites-section.ts";

const listed = 300;

/**
 * One self-contained page about a run: verdict, counts, every row with its criteria, what was not run or read. No scripts, nothing
 * loaded from elsewhere, all foreign text escaped; at most about 15 MB, rows that did not succeed first.
 */
export function renderRunHtml(summary: RunSummary, totals?: Pick<RunTotals, "details">): string {
  const names = rowNames(summary);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${summary.verdict ?? "run"}: ${summary.run_id}</title>
<style>${styles}</style>
</head>
<body>
<header>
<p class="kicker">Evaluation run</p>
<h1>${summary.run_id}</h1>
<p class="meta">${metaText(summary)}</p>
</header>
<main>
${verdictBox(summary)}
${tiles(summary)}
${htmlResume(summary)}
${htmlDrift(summary)}
${htmlVariants(summary)}
${suitesHtml(summary)}
${htmlRows(summary.task_results, names, totals?.details)}
${list(
  "Not run",
  summary.not_run.map((row) => ({
    name: names.of(row),
    text: row.reason,
  })),
)}
${list(
  "Skipped files",
  summary.skipped_tasks.map((task) => ({ name: task.path, text: fileReason(task.reason) })),
)}
${list(
  "Unreadable results",
  summary.unreadable.map((entry) => ({ name: entry.path, text: entry.reason })),
)}
${list(
  "Results not part of this plan",
  summary.set_aside.filter(isUnplanned).map(({ path, reason }) => ({ name: path, text: reason })),
)}
${list(
  "Files set aside",
  summary.set_aside
    .filter((entry) => !isUnplanned(entry))
    .map(({ path, reason, moved_to: now }) => ({ name: path, text: now === null ? reason : `${reason}; now ${now}` })),
)}
${list(
  "Only a sample ran",
  selectionLines(summary.selection).map((text) => ({ name: "", text })),
)}
${list(
  "Warnings",
  summary.warnings.map((text) => ({ name: "", text })),
)}
${environmentBox(summary)}
</main>
<footer>Written by evalbatch ${summary.evalbatch_version ?? ""}. The same as data: <code>run.json</code>, as text: <code>run.md</code>.</footer>
</body>
</html>
`;
  return page.markup;
}

function metaText(summary: RunSummary): string {
  const parts = [
    summary.start_time.slice(0, 16).replace("T", " "),
    duration(summary.total_duration_seconds),
    `${summary.max_parallel} at a time`,
  ];
  const models = new Set(summary.task_results.flatMap((row) => (row.model_used === null ? [] : [row.model_used])));
  if (models.size > 0) parts.push([...models].slice(0, 5).join(", ") + (models.size > 5 ? ", …" : ""));
  return parts.join(" · ");
}

function verdictBox(summary: RunSummary): SafeHtml {
  const verdict = summary.verdict ?? "unknown";
  const reasons = summary.verdict_reasons.map((reason) => html`<li>${reason}</li>`);
  const { tasks_succeeded: succeeded, tasks_run: run } = summary;
  // With a pass rate asked, a run may pass in which not every row did.
  const counts =
    succeeded === run
      ? html`<li>all ${plural(run, "task")} passed</li>`
      : html`<li>${thousands(succeeded)} of ${plural(run, "task")} passed</li>`;
  const gate = gateDiffers(summary) ? html`<li>gate: ${gateLine(summary) ?? ""}</li>` : html``;
  return html`<section class="verdict ${verdict}"><strong>${verdict}</strong><ul>${reasons}${verdict === "passed" ? counts : html``}${gate}</ul></section>`;
}

function tiles(summary: RunSummary): SafeHtml {
  const { passed, graded, rate } = passRateOf(summary);
  const counts: readonly (readonly [string, number, string])[] = [
    ["passed", summary.tasks_succeeded, "ok"],
    ["failed", summary.tasks_failed, "bad"],
    ["errors", summary.tasks_error, "err"],
    ["not graded", summary.tasks_not_graded, "open"],
    ["not run", summary.tasks_not_run, "open"],
  ];
  const shown = counts.filter(([, count], index) => index < 3 || count > 0);
  const bars = shown
    .filter(([, count]) => count > 0)
    .map(([name, count, kind]) => html`<i class="${kind}" style="flex:${count}" title="${count} ${name}"></i>`);
  return html`<section class="tiles">
<p class="tile"><b>${rate === undefined ? "–" : percent(rate)}</b><span>pass rate, ${thousands(passed)} of ${thousands(graded)}</span></p>
${shown.map(([name, count, kind]) => html`<p class="tile ${kind}"><b>${count}</b><span>${name}</span></p>`)}
${costTile(summary)}
</section>
<div class="bar" role="img" aria-label="share of each outcome">${bars}</div>`;
}

/** Nothing where nothing is known: unknown spend is not zero. */
function costTile(summary: RunSummary): SafeHtml {
  const tokens = runTokens(summary.task_results);
  const cost = runCost(summary.task_results);
  if (tokens.rows === 0 && cost.total === undefined) return html``;
  const price = cost.total === undefined ? "–" : `${cost.incomplete > 0 ? "≥ " : ""}$${fixed(cost.total, 2)}`;
  return html`<p class="tile"><b>${price}</b><span>${thousands(tokens.total)} tokens</span></p>`;
}

function list(title: string, entries: readonly { readonly name: string; readonly text: string }[]): SafeHtml {
  if (entries.length === 0) return html``;
  const items = entries
    .slice(0, listed)
    .map(({ name, text }) => html`<li>${name === "" ? html`` : html`<code>${name}</code> `}<span>${text.slice(0, 1000)}</span></li>`);
  const more = entries.length > listed ? html`<li>… and ${entries.length - listed} more, see run.json</li>` : html``;
  return html`<section class="list"><h2>${title} <small>${entries.length}</small></h2><ul>${items}${more}</ul></section>`;
}

function environmentBox(summary: RunSummary): SafeHtml {
  const entries = Object.entries(summary.environment_info).slice(0, 100);
  const items = entries.map(([key, value]) => html`<dt>${key}</dt><dd>${pythonText(value).slice(0, 500)}</dd>`);
  return html`<details class="environment"><summary>Environment</summary><dl><dt>framework_version</dt><dd>${summary.framework_version}</dd>${items}</dl></details>`;
}
