import { compareCodePoints } from "../../plan/code-points.ts";
import { cut } from "../cut-text.ts";
import type { DriftEntry } from "./drift-schema.ts";
import { sortDrift } from "./drift-text.ts";

/** More than that nobody reads. */
const maxEntries = 200;
const maxTasks = 5;
const maxFieldChars = 300;
const maxTaskChars = 200;

/** Rows of which something is to be said together. */
export interface RowGroup {
  rows: number;
  /** The first of their tasks. */
  readonly tasks: string[];
}

export const noRows: RowGroup = { rows: 0, tasks: [] };

export function addRow(group: RowGroup, taskId: string): void {
  group.rows += 1;
  if (group.tasks.length >= maxTasks) return;
  const name = cut(taskId, maxTaskChars);
  if (!group.tasks.includes(name)) group.tasks.push(name);
}

/** An entry with its defaults. */
export function driftEntry(entry: Pick<DriftEntry, "kind" | "field"> & Partial<DriftEntry>, group: RowGroup = noRows): DriftEntry {
  const { kind, field, before = null, now = null, set_by = null, benign = false } = entry;
  return { kind, field: cut(field.toWellFormed(), maxFieldChars), before, now, set_by, benign, rows: group.rows, tasks: [...group.tasks] };
}

/** In the order in which people read them. Of very many the rest is counted, but whether stamps can be compared at all is always told. */
export function driftList(found: readonly DriftEntry[]): DriftEntry[] {
  const byField = [...found].sort((left, right) => compareCodePoints(left.field, right.field) || compareRest(left, right));
  const { grave, benign } = sortDrift(byField);
  const all = [...grave, ...benign];
  if (all.length <= maxEntries) return all;
  const rules = all.find(({ kind }) => kind === "algorithm");
  const others = all.filter((entry) => entry !== rules);
  const shown = others.slice(0, maxEntries - (rules === undefined ? 1 : 2));
  const [first, ...rest] = others.slice(shown.length);
  if (first === undefined) return all;
  const more = driftEntry({ kind: first.kind, field: `… and ${rest.length + 1} more`, benign: first.benign });
  return [...shown, more, ...(rules === undefined ? [] : [rules])];
}

/** What concerns most rows first. */
function compareRest(left: DriftEntry, right: DriftEntry): number {
  const textOf = ({ before, now, set_by }: DriftEntry): string => JSON.stringify([before, now, set_by]);
  return right.rows - left.rows || compareCodePoints(textOf(left), textOf(right));
}
