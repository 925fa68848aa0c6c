import type { RunRow } from "../results/run-row.ts";
import { assistantTurns, averageTurnDuration, runCost, runTokens } from "../results/statistics.ts";
import type { TelemetryTotals } from "../results/telemetry-totals.ts";
import { md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank, type Cells, codeName, labelled, type Section, table, text } from "./markdown-parts.ts";
import { fixed, percent, plural, seconds, thousands } from "./number-text.ts";
import { pythonRepr } from "./python-repr.ts";
import type { RowNames } from "./row-names.ts";

const parameterChars = 50;

export function generationMetrics(rows: readonly RunRow[], cells: Cells, { of: name }: RowNames): Section | undefined {
  if (!rows.some((row) => row.iterations.length > 0)) return undefined;
  const lines = table(
    ["Task ID", "Total Latency", "Turns", "Asst Turns", "Avg Turn Latency"],
    rows.map((row) => [
      cells(name(row)),
      cells(seconds(row.duration === 0 ? null : row.duration)),
      md`${row.iterations.length}`,
      md`${assistantTurns(row)}`,
      cells(seconds(averageTurnDuration(row))),
    ]),
  );
  return { heading: md`## Generation Metrics`, lines, gap: 2 };
}

export function tokenUsage(rows: readonly RunRow[], cells: Cells, { of: name }: RowNames): Section | undefined {
  const tokens = runTokens(rows);
  if (tokens.rows === 0) return undefined;
  const cost = runCost(rows);
  const lines = [
    md`**Total Tokens**: ${text(thousands(tokens.total))} (input: ${text(thousands(tokens.uncachedInput))}, output: ${text(thousands(tokens.output))})`,
  ];
  if (tokens.cacheWrite > 0 || tokens.cacheRead > 0) {
    lines.push(md`**Cache Tokens**: write: ${text(thousands(tokens.cacheWrite))}, read: ${text(thousands(tokens.cacheRead))}`);
  }
  if (cost.total !== undefined) {
    const gap = cost.incomplete > 0 ? md` (at least: ${text(plural(cost.incomplete, "task"))} with spend that has no price)` : blank;
    lines.push(md`**Total Cost**: $${text(fixed(cost.total, 4))}${gap}`);
  }
  lines.push(md`**Avg Tokens/Task**: ${text(thousands(Math.floor(tokens.total / tokens.rows)))}`, blank);
  const count = (value: number | null) => cells(value === null ? "N/A" : thousands(value));
  const priced = rows.filter((row) => row.total_tokens !== null);
  const tableLines = table(
    ["Task ID", "Input (uncached)", "Output", "Cache Write", "Cache Read", "Total", "Cost"],
    priced.map((row) => [
      cells(name(row)),
      count(row.input_tokens),
      count(row.output_tokens),
      count(row.cache_creation_input_tokens),
      count(row.cache_read_input_tokens),
      count(row.total_tokens),
      row.total_cost_usd === null ? md`N/A` : md`${text(row.cost_complete ? "" : "≥ ")}$${cells(fixed(row.total_cost_usd, 4))}`,
    ]),
  );
  return { heading: md`## Token Usage`, lines: [...lines, ...tableLines], gap: 2 };
}

export function commandTelemetry(telemetry: TelemetryTotals): Section | undefined {
  const { total, successful, timed, timeMs } = telemetry;
  if (total === 0) return undefined;
  const lines: SafeMarkdown[] = [
    md`**Total Commands**: ${total}`,
    md`**Success Rate**: ${successful}/${total} (${text(percent(successful / total))})`,
    blank,
    md`### Commands by Tool`,
    blank,
    ...table(
      ["Tool", "Count", "%"],
      telemetry.byTool().map(({ tool, count }) => [text(tool), md`${count}`, text(percent(count / total))]),
    ),
  ];
  if (timed > 0 && timeMs > 0) {
    lines.push(blank, md`### Performance`, blank);
    lines.push(labelled("Average Command Time", text(`${fixed(timeMs / timed, 1)}ms`)));
    lines.push(labelled("Total Command Time", text(`${fixed(timeMs / 1000, 2)}s`)));
  }
  const slowest = telemetry.slowest();
  if (slowest.length > 0) {
    lines.push(
      blank,
      md`### Slowest Commands`,
      blank,
      ...table(
        ["Tool", "Duration", "Parameters"],
        slowest.map((command) => [
          text(command.tool),
          text(`${fixed(command.durationMs, 0)}ms`),
          text(shortParameters(command.parameters)),
        ]),
      ),
    );
  }
  const sequence = telemetry.mostCommonSequence();
  if (sequence !== undefined) lines.push(blank, md`**Most Common Pattern**: ${codeName(sequence)}`);
  if (telemetry.skills > 0) lines.push(blank, md`**Skill Tool Invoked**: ${telemetry.skills} time(s)`);
  return { heading: md`## Command Telemetry`, lines, gap: 2 };
}

function shortParameters(parameters: Readonly<Record<string, unknown>>): string {
  const repr = pythonRepr(parameters);
  return repr.length > parameterChars ? `${repr.slice(0, parameterChars)}...` : repr;
}
