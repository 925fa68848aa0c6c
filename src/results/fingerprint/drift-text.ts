import { cut } from "../cut-text.ts";
import { thousands } from "../gate-text.ts";
import type { DriftEntry, DriftKind } from "./drift-schema.ts";
import { shownPair } from "./value-text.ts";

/** A difference as the cells of a table, in plain text. Foreign: settings and names of files say what they like. */
export interface DriftCells {
  readonly field: string;
  readonly before: string;
  readonly now: string;
  /** Empty where nobody is to be named. */
  readonly setBy: string;
  /** How many kept results it concerns, and the first of their tasks; empty where it is not about single ones. */
  readonly rows: string;
}

/** What is shown where there was, or is, nothing. */
const absent = "(none)";

const tasksNamed = 3;
const taskChars = 60;
const lineChars = 120;

/** @param maxChars of a cell: of long values what differs, of long names both ends */
export function driftCells(entry: DriftEntry, maxChars = Number.POSITIVE_INFINITY): DriftCells {
  const { before, now } = valuesOf(entry, maxChars);
  return { field: bothEnds(entry.field, maxChars), before, now, setBy: cut(entry.set_by ?? "", maxChars), rows: rowsText(entry) };
}

/** An entry without values stands for others that are not shown. */
function valuesOf({ before, now }: DriftEntry, maxChars: number): Pick<DriftCells, "before" | "now"> {
  if (before === null && now === null) return { before: "", now: "" };
  if (before === null || now === null) return { before: cut(before ?? absent, maxChars), now: cut(now ?? absent, maxChars) };
  return shownPair(before, now, maxChars);
}

/** Paths and settings are told apart by their ends. */
function bothEnds(name: string, maxChars: number): string {
  if (name.length <= maxChars) return name;
  const head = Math.floor((maxChars - 1) / 3);
  return `${name.slice(0, head).toWellFormed()}…${name.slice(name.length - (maxChars - 1 - head)).toWellFormed()}`.replaceAll("\ufffd", "");
}

/** `3 tasks: a, b, …`; replicates of a task count one by one, as in all reports. */
function rowsText({ rows, tasks }: DriftEntry): string {
  if (rows <= 0) return "";
  const named = [...new Set(tasks)].slice(0, tasksNamed).map((task) => cut(task, taskChars));
  const isAll = named.length === new Set(tasks).size && named.length >= rows;
  const names = named.length === 0 ? "" : `: ${named.join(", ")}${isAll ? "" : ", …"}`;
  return `${thousands(rows)} ${rows === 1 ? "task" : "tasks"}${names}`;
}

/** The same where there is little room: the name of a single task, or how many there are. */
export function rowsBriefly(entry: DriftEntry): string {
  return entry.rows > 1 ? `${thousands(entry.rows)} tasks` : rowsText(entry);
}

/** `run_limits.max_turns: 20 → 30, set by cli (--max-turns); 3 tasks: a, b, …`, each part bounded. For logs, annotations and errors. */
export function driftLine(entry: DriftEntry): string {
  const { field, before, now, setBy, rows } = driftCells(entry, lineChars);
  const values = before === "" && now === "" ? "" : `: ${before} → ${now}`;
  return `${field}${values}${setBy === "" ? "" : `, set by ${cut(setBy, taskChars)}`}${rows === "" ? "" : `; ${rows}`}`;
}

/** Settings and files of tasks explain a result best; rules of stamps only what could not be compared. */
const order: Readonly<Record<DriftKind, number>> = { config: 0, content: 1, versions: 2, environment: 3, algorithm: 4 };

export interface SortedDrift {
  /** What may have changed results, what matters most first. */
  readonly grave: readonly DriftEntry[];
  /** Without effect on results. */
  readonly benign: readonly DriftEntry[];
}

/** The differences of a run as reports show them, those of one kind in the order given. */
export function sortDrift(entries: readonly DriftEntry[]): SortedDrift {
  const sorted = [...entries].sort((a, b) => order[a.kind] - order[b.kind]);
  return { grave: sorted.filter(({ benign }) => !benign), benign: sorted.filter(({ benign }) => benign) };
}
