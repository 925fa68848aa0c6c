import type { DriftEntry } from "../results/fingerprint/drift-schema.ts";
import { driftCells, rowsBriefly, sortDrift } from "../results/fingerprint/drift-text.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { breakableCode, joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank, codeName, moreLines, type Section, table, text } from "./markdown-parts.ts";
import { plural } from "./number-text.ts";
import type { Level } from "./overview-level.ts";
import { benignLabel, driftIntro, driftPolicyText } from "./resume-text.ts";

/** In `run.md`. */
const entriesListed = 200;
const cellChars = 200;
const tasksChars = 200;

/** What differs between the results of a run, for its first page: a table, and in a line what has no effect on results. */
export function driftLines(summary: RunSummary, level: Level): SafeMarkdown[] {
  const { grave, benign } = sortDrift(summary.drift);
  const apart = benignLines(benign, level.names, { chars: level.cellChars, alone: grave.length === 0 });
  if (grave.length === 0) return apart.length === 0 ? [] : [blank, ...apart];
  return [
    blank,
    md`### ${text(plural(grave.length, "difference"))} between results`,
    blank,
    intro(summary),
    ...(level.drift === 0 ? [] : [blank, ...driftTable(grave.slice(0, level.drift), level.cellChars, rowsBriefly)]),
    ...moreLines(level.drift === 0 ? 0 : grave.length - level.drift, "difference", "run.md"),
    ...(apart.length === 0 ? [] : [blank, ...apart]),
  ];
}

/** The same where there is hardly any room. */
export function shortDriftLines(summary: RunSummary): SafeMarkdown[] {
  const { grave } = sortDrift(summary.drift);
  return grave.length === 0 ? [] : [md`- **${text(plural(grave.length, "difference"))} between results**`];
}

/** The same in `run.md`. */
export function driftSection(summary: RunSummary): Section | undefined {
  const { grave, benign } = sortDrift(summary.drift);
  if (grave.length + benign.length === 0) return undefined;
  const apart = benignLines(benign, entriesListed, { chars: cellChars, alone: grave.length === 0 });
  const lines =
    grave.length === 0
      ? apart
      : [
          intro(summary),
          blank,
          ...driftTable(grave.slice(0, entriesListed), cellChars, (entry) => driftCells(entry).rows),
          ...moreLines(grave.length - entriesListed, "difference", "run.json"),
          ...(apart.length === 0 ? [] : [blank, ...apart]),
        ];
  return { heading: md`## Differences Between Results`, lines, gap: 1 };
}

function intro(summary: RunSummary): SafeMarkdown {
  const policy = driftPolicyText(summary);
  const done = policy === undefined ? blank : md` ${text(policy.text)} (<code>${text(policy.setting)}</code>).`;
  return md`${text(driftIntro(summary).join(" "), 300)}${done}`;
}

/** Whom it concerns stands below what it is: a narrow screen has room for few columns. One that would be empty is left out. */
function driftTable(entries: readonly DriftEntry[], chars: number, tasksOf: (entry: DriftEntry) => string): SafeMarkdown[] {
  const withSetBy = entries.some(({ set_by: setBy }) => setBy !== null && setBy !== "");
  return table(
    ["What", "Before", "Now", ...(withSetBy ? ["Set by"] : [])],
    entries.map((entry) => {
      const { field, before, now, setBy } = driftCells(entry, chars);
      const tasks = tasksOf(entry);
      return [
        tasks === "" ? breakableCode(field, chars) : md`${breakableCode(field, chars)}<br>${text(tasks, tasksChars)}`,
        value(before, entry.before, chars),
        value(now, entry.now, chars),
        ...(withSetBy ? [text(setBy, chars)] : []),
      ];
    }),
  );
}

/** What is said of an absent value is no value. */
function value(shown: string, found: string | null, chars: number): SafeMarkdown {
  return found === null ? text(shown) : breakableCode(shown, chars);
}

/** Between texts that are read from right to left it would stand for the other direction. */
function arrow(around: string): SafeMarkdown {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(around) ? md`&lrm;→&lrm;` : md`→`;
}

/** In one line, never a reason to stop reading. */
function benignLines(
  benign: readonly DriftEntry[],
  limit: number,
  { chars, alone }: { readonly chars: number; readonly alone: boolean },
): SafeMarkdown[] {
  if (benign.length === 0) return [];
  const shown = benign.slice(0, limit).map((entry) => {
    const { field, before, now } = driftCells(entry, chars);
    return md`${codeName(field)} ${value(before, entry.before, chars)} ${arrow(before + now)} ${value(now, entry.now, chars)}`;
  });
  const more = benign.length - shown.length;
  return [
    md`${text(benignLabel(alone))}: ${joinMarkdown(shown, md`, `)}${more > 0 ? md` and ${text(plural(more, "more difference"))}` : blank}`,
  ];
}
