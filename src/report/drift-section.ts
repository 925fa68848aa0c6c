import type { DriftEntry } from "../results/fingerprint/drift-schema.ts";
import { driftCells, sortDrift } from "../results/fingerprint/drift-text.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { inlineCode, joinMarkdown, md, type SafeMarkdown, tableCell } from "../untrusted/markdown.ts";
import { blank, codeName, moreLines, type Section, table, text } from "./markdown-parts.ts";
import { plural } from "./number-text.ts";
import type { Level } from "./overview-level.ts";
import { driftIntro, driftPolicyText } from "./resume-text.ts";

/** In `run.md`. */
const entriesListed = 200;
const cellChars = 200;
const tasksChars = 200;

/** What differs between the results of a run, for its first page: a table, and in a line what has no effect on results. */
export function driftLines(summary: RunSummary, level: Level): SafeMarkdown[] {
  const { grave, benign } = sortDrift(summary.drift);
  const apart = benignLines(benign, level.names, level.cellChars);
  if (grave.length === 0) return apart.length === 0 ? [] : [blank, ...apart];
  return [
    blank,
    md`### ${text(plural(grave.length, "difference"))} between results`,
    blank,
    intro(summary),
    ...(level.drift === 0 ? [] : [blank, ...driftTable(grave.slice(0, level.drift), level.cellChars)]),
    ...moreLines(level.drift === 0 ? 0 : grave.length - level.drift, "difference", "run.md"),
    ...(apart.length === 0 ? [] : [blank, ...apart]),
  ];
}

/** The same in `run.md`. */
export function driftSection(summary: RunSummary): Section | undefined {
  const { grave, benign } = sortDrift(summary.drift);
  if (grave.length + benign.length === 0) return undefined;
  const apart = benignLines(benign, entriesListed, cellChars);
  const lines =
    grave.length === 0
      ? apart
      : [
          intro(summary),
          blank,
          ...driftTable(grave.slice(0, entriesListed), cellChars),
          ...moreLines(grave.length - entriesListed, "difference", "run.json"),
          ...(apart.length === 0 ? [] : [blank, ...apart]),
        ];
  return { heading: md`## Differences Between Results`, lines, gap: 1 };
}

function intro(summary: RunSummary): SafeMarkdown {
  const policy = driftPolicyText(summary);
  const done = policy === undefined ? blank : md` ${text(upperFirst(policy.text))} (<code>${text(policy.setting)}</code>).`;
  return md`${text(driftIntro(summary), 300)}${done}`;
}

const upperFirst = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;

/** A column that would be empty throughout is left out: a narrow screen has no room for it. */
function driftTable(entries: readonly DriftEntry[], chars: number): SafeMarkdown[] {
  const cells = entries.map((entry) => driftCells(entry, chars));
  const withTasks = cells.some(({ rows }) => rows !== "");
  const withSetBy = cells.some(({ setBy }) => setBy !== "");
  return table(
    ["What", "Before", "Now", ...(withSetBy ? ["Set by"] : []), ...(withTasks ? ["Tasks"] : [])],
    cells.map(({ field, before, now, setBy, rows }, index) => [
      inlineCode(field, chars),
      value(before, entries[index]?.before, chars),
      value(now, entries[index]?.now, chars),
      ...(withSetBy ? [tableCell(setBy, chars)] : []),
      ...(withTasks ? [tableCell(rows, tasksChars)] : []),
    ]),
  );
}

/** What is said of an absent value is no value. */
function value(shown: string, found: string | null | undefined, chars: number): SafeMarkdown {
  return found === null || found === undefined ? text(shown) : inlineCode(shown, chars);
}

/** In one line, never a reason to stop reading. */
function benignLines(benign: readonly DriftEntry[], limit: number, chars: number): SafeMarkdown[] {
  if (benign.length === 0) return [];
  const shown = benign.slice(0, limit).map((entry) => {
    const { field, before, now } = driftCells(entry, chars);
    return md`${codeName(field)} ${value(before, entry.before, chars)} → ${value(now, entry.now, chars)}`;
  });
  const more = benign.length - shown.length;
  return [
    md`Also different, without effect on results: ${joinMarkdown(shown, md`, `)}${more > 0 ? md` and ${text(plural(more, "more difference"))}` : blank}`,
  ];
}
