import type { CriterionAggregate, FailedSample, LabelDetails, SuiteRollup } from "../results/suites/suite-rollup-schema.ts";
import type { SuiteFile } from "../results/suites/write-suites.ts";
import { joinMarkdown, md, type SafeMarkdown, tableCell } from "../untrusted/markdown.ts";
import { blank, codeName, moreLines, text } from "./markdown-parts.ts";
import { fixed, percent } from "./number-text.ts";

// A data set may have as many labels as rows: beyond these a table is nothing that anybody reads.
const labelsInMatrix = 15;
const labelsListed = 50;
const metricsListed = 100;
const confusionsListed = 30;
const checksListed = 100;

/**
 * `suite.md`: the sections of coder_eval 0.8.2 with its words, columns and number formats (formats.md 7.2); what a suite gate failed
 * for comes first. Deviations: docs/formats.md.
 */
export function renderSuiteMarkdown(suite: SuiteRollup): SafeMarkdown {
  const aggregates = suite.criterion_aggregates;
  const checks = aggregates.some((aggregate) => aggregate.threshold_checks.length > 0);
  return joinMarkdown([
    ...header(suite),
    ...(suite.criterion_stats.length === 0 ? [] : statistics(suite)),
    ...aggregates.flatMap(aggregateSection),
    ...(checks ? [blank, md`**Suite gate**: ${gateWord(suite)}`] : []),
    ...samples(suite),
    blank,
  ]);
}

/** What is written of each suite. */
export function suiteFiles(rollups: readonly SuiteRollup[]): SuiteFile[] {
  return rollups.map((rollup) => ({ rollup, markdown: renderSuiteMarkdown(rollup) }));
}

function header(suite: SuiteRollup): SafeMarkdown[] {
  const { rows_total: total, rows_passed: passed, rows_failed: failed, rows_error: errors, rows_not_graded: ungraded } = suite;
  const others = [
    ...(ungraded > 0 ? [md`, ${ungraded} not graded`] : []),
    ...(suite.rows_not_run > 0 ? [md`, ${suite.rows_not_run} not run`] : []),
  ];
  const lines = [
    md`# Suite Rollup: ${text(suite.suite_id)}`,
    blank,
    // Two blanks at the end: a line end that is seen.
    md`**Variant**: ${codeName(suite.variant_id)}  `,
    md`**Rows**: ${total} total — ${passed} passed, ${failed} failed, ${errors} errored${joinMarkdown(others, blank)}  `,
    md`**Pass rate**: ${text(suite.rows_graded === 0 ? "N/A" : percent(suite.pass_rate))}  `,
  ];
  const average = suite.average_weighted_score;
  return average === null ? lines : [...lines, md`**Average weighted score**: ${text(fixed(average, 3))}`];
}

function statistics(suite: SuiteRollup): SafeMarkdown[] {
  const rows = suite.criterion_stats.map((entry) => [
    codeName(entry.criterion_type),
    md`${entry.rows_evaluated}`,
    text(fixed(entry.average_score, 3)),
    md`${entry.error_count}`,
  ]);
  return section(md`## Criterion stats`, plainTable([md`Criterion`, md`Rows`, md`Avg score`, md`Errors`], rows));
}

function gateWord({ passed, undecided }: { readonly passed: boolean; readonly undecided: boolean }): SafeMarkdown {
  return passed ? md`PASSED` : undecided ? md`NOT REACHED YET` : md`FAILED`;
}

function aggregateSection(aggregate: CriterionAggregate): SafeMarkdown[] {
  const lines = section(md`## Aggregate metrics — ${codeName(aggregate.criterion_type)} (${gateWord(aggregate)})`, [
    md`Criterion ${aggregate.index + 1}: ${text(aggregate.description)}`,
  ]);
  if (aggregate.error !== null) lines.push(blank, md`_Error: ${text(aggregate.error, 500)}_`);
  const { rows_total: total, rows_excluded: excluded } = aggregate;
  if (excluded > 0) {
    const counted = isLabelled(aggregate.details) ? md`as score 0 and as observed (error)` : md`as score 0`;
    lines.push(blank, md`_Denominator: ${total} rows, of which ${excluded} without a result count ${counted}_`);
  }
  lines.push(...metricTable(aggregate), ...thresholdTable(aggregate));
  return isLabelled(aggregate.details) ? [...lines, ...labelTable(aggregate.details), ...confusion(aggregate.details)] : lines;
}

function metricTable({ metrics, metrics_graded: graded }: CriterionAggregate): SafeMarkdown[] {
  const names = Object.keys(metrics).sort();
  if (names.length === 0) return [];
  const headers = [md`metric`, md`value`, ...(graded === null ? [] : [md`rows with a result`])];
  const rows = names.slice(0, metricsListed).map((name) => {
    return [name, metrics[name], ...(graded === null ? [] : [graded[name]])].map((cell) => {
      return typeof cell === "string" ? codeName(cell) : numberCell(cell);
    });
  });
  return [blank, ...plainTable(headers, rows), ...moreLines(names.length - rows.length, "metric", "suite.json")];
}

function thresholdTable({ threshold_checks: checks }: CriterionAggregate): SafeMarkdown[] {
  if (checks.length === 0) return [];
  const rows = checks
    .slice(0, checksListed)
    .map((check) => [codeName(check.metric), numberCell(check.min_value), numberCell(check.actual_value), check.passed ? md`✓` : md`✗`]);
  const table = plainTable([md`metric`, md`minimum`, md`actual`, md`passed`], rows);
  return [...section(md`### Thresholds`, table), ...moreLines(checks.length - rows.length, "threshold", "suite.json")];
}

function labelTable({ per_label: labels }: LabelDetails): SafeMarkdown[] {
  const rows = labels
    .slice(0, labelsListed)
    .map(({ label, precision, recall, f1, support }) => [
      codeName(label),
      numberCell(precision),
      numberCell(recall),
      numberCell(f1),
      md`${support}`,
    ]);
  const table = plainTable([md`label`, md`precision`, md`recall`, md`f1`, md`support`], rows);
  return [...section(md`### Per-label breakdown`, table), ...moreLines(labels.length - rows.length, "label", "suite.json")];
}

/** A square for a few labels, a list of what was taken for what for many. */
function confusion(details: LabelDetails): SafeMarkdown[] {
  const { labels, confusion: pairs } = details;
  if (labels.length > labelsInMatrix) {
    const wrong = pairs.filter(({ expected, observed }) => expected !== observed).sort((a, b) => b.count - a.count);
    const rows = wrong.slice(0, confusionsListed).map((pair) => [codeName(pair.expected), codeName(pair.observed), md`${pair.count}`]);
    const table = rows.length === 0 ? [md`Every row was seen as expected.`] : plainTable([md`expected`, md`observed`, md`rows`], rows);
    return [...section(md`### Confusions`, table), ...moreLines(wrong.length - rows.length, "pair", "suite.json")];
  }
  const counts = new Map(pairs.map(({ expected, observed, count }) => [JSON.stringify([expected, observed]), count]));
  const rows = labels.map((expected) => [
    codeName(expected),
    ...labels.map((observed) => md`${counts.get(JSON.stringify([expected, observed])) ?? 0}`),
  ]);
  return section(md`### Confusion matrix`, plainTable([md`expected \\\\ observed`, ...labels.map(codeName)], rows));
}

function samples(suite: SuiteRollup): SafeMarkdown[] {
  const shown = suite.failed_samples;
  if (shown.length === 0) return [];
  const missed = suite.rows_failed + suite.rows_error + suite.rows_not_graded;
  return [
    ...section(md`## Failed/errored samples (up to 20)`, []),
    ...shown.flatMap(sampleLines),
    ...moreLines(missed - shown.length, "row", "suite.json"),
  ];
}

function sampleLines(sample: FailedSample): SafeMarkdown[] {
  const replicate = sample.replicate_index > 0 ? md` replicate ${sample.replicate_index}` : blank;
  const lines = [blank, md`### ${codeName(sample.task_id)}${replicate} — ${text(sample.final_status)}`];
  if (sample.weighted_score !== null) lines.push(md`- score: ${text(fixed(sample.weighted_score, 3))}`);
  if (sample.error_message !== null) lines.push(md`- error: ${tableCell(sample.error_message, 1000)}`);
  for (const reason of sample.failure_reasons) lines.push(md`- ${tableCell(reason, 300)}`);
  if (sample.task_json_relpath !== null) lines.push(md`- ${codeName(sample.task_json_relpath)}`);
  return lines;
}

function isLabelled(details: CriterionAggregate["details"]): details is LabelDetails {
  return "labels" in details;
}

function section(heading: SafeMarkdown, lines: readonly SafeMarkdown[]): SafeMarkdown[] {
  return lines.length === 0 ? [blank, heading] : [blank, heading, blank, ...lines];
}

function numberCell(value: number | null | undefined): SafeMarkdown {
  return value === null || value === undefined ? md`—` : text(fixed(value, 3));
}

function plainTable(headers: readonly SafeMarkdown[], rows: readonly (readonly SafeMarkdown[])[]): SafeMarkdown[] {
  const line = (cells: readonly SafeMarkdown[]) => md`| ${joinMarkdown(cells, md` | `)} |`;
  return [
    line(headers),
    md`|${joinMarkdown(
      headers.map(() => md`---`),
      md`|`,
    )}|`,
    ...rows.map(line),
  ];
}
