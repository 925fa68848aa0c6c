import type { DriftEntry } from "../results/fingerprint/drift-schema.ts";
import { driftCells, driftLine, rowsBriefly, sortDrift } from "../results/fingerprint/drift-text.ts";
import { resumeCounts } from "../results/resume/resume-counts.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { visibleText } from "../untrusted/characters.ts";
import { fitted } from "./console-lines.ts";
import { plural } from "./number-text.ts";
import { benignLabel, driftIntro, driftPolicyText, earlierText, keptText, laterPassesText, retryText } from "./resume-text.ts";
import { renderColumns } from "./text-columns.ts";

const shown = 20;
const benignShown = 5;
/** Columns of less than this cannot be told apart any more. */
const fewestTableColumns = 70;
/** Of a cell: more of it is on no screen. */
const cellChars = 120;
const indent = "| ";

type Bold = (text: string) => string;

/** What a run took over, and what passed too late to count; nothing for a run from scratch. */
export function consoleResume(summary: RunSummary, width: number, bold: Bold): string[] {
  const { resume } = summary;
  const counts = resumeCounts(summary);
  const late = laterPassesText(summary);
  const lines: string[] = [];
  if (resume !== null && counts !== undefined) {
    const artifact = resume.source.artifact === null ? "" : ` (artifact ${resume.source.artifact})`;
    lines.push("", ...fitted(`${earlierText(resume)}${artifact}`, "Continued from ", width).map(bold));
    lines.push(...fitted(keptText(resume, counts), "  - ", width));
    lines.push(...fitted(`retried were ${retryText(resume)} (retry: ${resume.retry})`, "  - ", width));
  }
  if (late === undefined) return lines;
  return [...lines, ...(lines.length === 0 ? [""] : []), ...fitted(late, "  - ", width)];
}

/** What differs between the results of a run, as a table where the line is long enough. */
export function consoleDrift(summary: RunSummary, width: number, bold: Bold): string[] {
  const { grave, benign } = sortDrift(summary.drift);
  if (grave.length + benign.length === 0) return [];
  const lines = [""];
  if (grave.length > 0) {
    const policy = driftPolicyText(summary);
    lines.push(bold(`Differences between results (${grave.length})`), ...driftIntro(summary).map((sentence) => `  ${sentence}`));
    if (policy !== undefined) lines.push(`  ${policy.text} (${policy.setting}).`);
    const listed = grave.slice(0, shown);
    lines.push(
      ...(width < fewestTableColumns ? listed.flatMap((entry) => fitted(driftLine(entry), "  - ", width)) : tableLines(listed, width)),
    );
    if (grave.length > shown) lines.push(`  … and ${plural(grave.length - shown, "more difference")}`);
  }
  return [...lines, ...benignLines(benign, grave.length === 0, width)];
}

function tableLines(entries: readonly DriftEntry[], width: number): string[] {
  const rows = entries.map((entry) => {
    const { field, before, now, setBy } = driftCells(entry, cellChars);
    return [field, before, now, setBy, rowsBriefly(entry)].map((cell) => visibleText(cell).replace(/\s+/gu, " ").trim());
  });
  const table = [["WHAT", "BEFORE", "NOW", "SET BY", "TASKS"], ...rows];
  const used = table[0]?.flatMap((_head, column) => (rows.some((row) => row[column] !== "") ? [column] : [])) ?? [];
  const cells = table.map((row) => used.map((column) => row[column] ?? ""));
  return renderColumns(cells, width - indent.length, [used.length - 1]).flatMap((line) => fitted(line, indent, width));
}

function benignLines(benign: readonly DriftEntry[], alone: boolean, width: number): string[] {
  if (benign.length === 0) return [];
  const listed = benign.slice(0, benignShown).map((entry) => {
    const { field, before, now } = driftCells(entry, cellChars);
    return `${field} ${before} → ${now}`;
  });
  const rest = benign.length > listed.length ? `, and ${plural(benign.length - listed.length, "more difference")}` : "";
  return fitted(`${listed.join(", ")}${rest}`, `  ${benignLabel(alone)}: `, width);
}
