import { compareCodePoints } from "../plan/code-points.ts";
import { escapeInvisible } from "../plan/found-text.ts";
import { renderColumns } from "../report/text-columns.ts";
import type { Comparison } from "../results/fingerprint/compare-fingerprints.ts";
import type { DriftEntry } from "../results/fingerprint/drift-schema.ts";
import { driftCells, sortDrift } from "../results/fingerprint/drift-text.ts";
import type { Fingerprint } from "../results/fingerprint/fingerprint.ts";
import { shortDigest, shownPair, valueText } from "../results/fingerprint/value-text.ts";
import { thousands } from "../results/gate-text.ts";
import type { CheckedResults, StampCheck } from "./check-stamps.ts";
import type { FoundFingerprint } from "./fingerprint.ts";
import { countsOf } from "./fingerprint-json.ts";

const minCellChars = 20;

/** A fingerprint for people: how much it tells, then the run's keys, what somebody set, and the environment. */
export function renderFingerprint(found: FoundFingerprint, check: StampCheck | undefined, columns: number): string {
  const { run, own } = found.fingerprint;
  const blocks = [
    [escapeInvisible(found.path), ...table(headOf(found.fingerprint), columns), ...resultLines(check)],
    block(
      "Run",
      Object.keys(run).map((key) => [key, bounded(valueText(run[key], key))]),
      columns,
    ),
    block("Settings that somebody set", settingRows(found.fingerprint), columns),
    block(
      "Environment",
      Object.entries(own?.madeIn.environment ?? {})
        .sort(([left], [right]) => compareCodePoints(left, right))
        .map(([name, value]) => [name, shortDigest(value)]),
      columns,
    ),
  ];
  return textOf(blocks);
}

function headOf(fingerprint: Fingerprint): string[][] {
  const counts = countsOf(fingerprint);
  if (counts === null) return [["written by", "coder_eval: it records the keys of the run, and nothing of single rows"]];
  const { version, rows, tasks, stamps, settingsProfiles, rowsOfEarlierAttempts: earlier } = counts;
  return [
    ["fingerprint version", String(version)],
    ["rows", `${thousands(rows)} of ${counted(tasks, "task")}`],
    ["stamps", `${thousands(stamps)} with ${counted(settingsProfiles, "settings profile")}`],
    ...(earlier === 0 ? [] : [["kept", `${counted(earlier, "row")} of earlier attempts`]]),
  ];
}

function resultLines(check: StampCheck | undefined): string[] {
  if (check === undefined) return [];
  const line = (results: CheckedResults, text: string): string[] => {
    if (results.count === 0) return [];
    const more = results.count > results.paths.length ? ", …" : "";
    return [`  ${counted(results.count, "result")} ${text}: ${results.paths.map(escapeInvisible).join(", ")}${more}`];
  };
  return [
    `  ${counted(check.matching.count, "result")} made with the stamp recorded here`,
    ...line(check.differing, "made with another stamp than the one recorded here"),
    ...line(check.unknown, "without a stamp on one side"),
    ...line(check.unreadable, "that cannot be read"),
  ];
}

interface Shown {
  readonly values: Set<string>;
  readonly sources: Set<string>;
}

/** Defaults are left out, they are many. Where profiles differ, how many values there are. */
function settingRows({ own }: Fingerprint): string[][] {
  const byPath = new Map<string, Shown>();
  for (const settings of new Set([...(own?.rows.values() ?? [])].map(({ stamp }) => stamp.settings))) {
    for (const [path, { value, source, detail }] of Object.entries(settings)) {
      const shown = byPath.get(path) ?? { values: new Set(), sources: new Set() };
      byPath.set(path, shown);
      shown.values.add(valueText(value, path));
      shown.sources.add(detail === null ? source : `${source} (${detail})`);
    }
  }
  return [...byPath]
    .filter(([, { sources }]) => [...sources].some((source) => source !== "default"))
    .map(([path, { values, sources }]) => [path, oneOf(values, "values"), oneOf(sources, "sources")]);
}

function oneOf(texts: ReadonlySet<string>, word: string): string {
  const [only = ""] = texts;
  return texts.size === 1 ? bounded(only) : `${texts.size} ${word}`;
}

/** What differs between two fingerprints, for people. */
export function renderComparison(before: FoundFingerprint, now: FoundFingerprint, comparison: Comparison, columns: number): string {
  const { grave, benign } = sortDrift(comparison.entries);
  const sides = [
    ["before", before.path, sideText(before.fingerprint)],
    ["now", now.path, sideText(now.fingerprint)],
  ];
  return textOf([
    renderColumns(
      sides.map((row) => row.map(escapeInvisible)),
      columns,
      [1],
    ),
    driftTable(grave, columns),
    benign.length === 0 ? [] : ["Without effect on results:", ...driftTable(benign, columns)],
    [conclusion(comparison)],
  ]);
}

function sideText(fingerprint: Fingerprint): string {
  const counts = countsOf(fingerprint);
  return counts === null ? "coder_eval" : `fingerprint version ${counts.version}, ${counted(counts.rows, "row")}`;
}

/** Without the columns in which nothing stands. */
function driftTable(entries: readonly DriftEntry[], columns: number): string[] {
  if (entries.length === 0) return [];
  // Of long values the parts that differ, rather than their ends.
  const maxChars = Math.max(minCellChars, Math.floor(columns / 3));
  const rows = entries.map((entry) => {
    const { field, before, now, setBy, rows: concerned } = driftCells(entry, maxChars);
    return [field, before, now, setBy, concerned];
  });
  const all = [["WHAT", "BEFORE", "NOW", "SET BY", "TASKS"], ...rows];
  const kept = [0, 1, 2, 3, 4].filter((column) => rows.some((row) => row[column] !== ""));
  const cells = all.map((row) => kept.map((column) => escapeInvisible(row[column] ?? "")));
  return renderColumns(cells, columns, kept.length > 3 ? [kept.length - 1] : []);
}

function conclusion({ entries, comparedRows, changedRows }: Comparison): string {
  const rows = comparedRows === 0 ? "no row stands in both" : `${counted(comparedRows, "row")} compared`;
  const changed = changedRows.size === 0 ? "" : `, of which ${thousands(changedRows.size)} ran with other settings or files`;
  if (entries.length === 0) return `Nothing differs of what both tell; ${rows}.`;
  return `${counted(entries.length, "difference")}; ${rows}${changed}.`;
}

function block(title: string, rows: readonly (readonly string[])[], columns: number): string[] {
  return rows.length === 0 ? [] : [title, ...table(rows, columns)];
}

function table(rows: readonly (readonly string[])[], columns: number): string[] {
  return renderColumns(
    rows.map((row) => row.map(escapeInvisible)),
    columns - 2,
    [1],
  ).map((line) => `  ${line}`);
}

function textOf(blocks: readonly (readonly string[])[]): string {
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function bounded(text: string): string {
  return shownPair(text, "").before;
}

function counted(count: number, word: string): string {
  return `${thousands(count)} ${word}${count === 1 ? "" : "s"}`;
}
