import { oneLine } from "./gate-text.ts";
import type { RunRow } from "./run-row.ts";

export interface CommonCause {
  /** One line, at most 300 characters; foreign. */
  readonly text: string;
  /** Rows that it holds for. */
  readonly rows: number;
}

/**
 * What most of these rows say went wrong. Messages that differ in names and numbers only are the same one; where all differ,
 * the most frequent error category stands for them. Undefined when no row says anything.
 */
export function commonCause(rows: readonly RunRow[]): CommonCause | undefined {
  const byMessage = largestGroup(rows, causeKey);
  if (byMessage !== undefined && (byMessage.rows > 1 || rows.length === 1))
    return { text: messageOf(byMessage.first), rows: byMessage.rows };
  const byCategory = largestGroup(rows, (row) => row.error_category ?? "");
  if (byCategory !== undefined && byCategory.rows > 1) {
    const message = messageOf(byCategory.first);
    const category = oneLine(byCategory.first.error_category ?? "", 60);
    return { text: message === "" ? category : oneLine(`${category}, e.g. ${message}`, maxText), rows: byCategory.rows };
  }
  return byMessage === undefined ? undefined : { text: messageOf(byMessage.first), rows: byMessage.rows };
}

const maxText = 300;

function messageOf(row: RunRow): string {
  return oneLine(row.failure?.reason || row.error_message || row.error_category || "", maxText);
}

/** The same for rows whose messages differ in names and numbers only; empty for a row that says nothing. */
export function causeKey(row: RunRow): string {
  return messageOf(row)
    .replaceAll(row.task_id, "")
    .replace(/\b[0-9a-f]{8,}\b|\d+/gi, "0");
}

/** The first of equally large ones; rows without a key are in none. */
function largestGroup(rows: readonly RunRow[], keyOf: (row: RunRow) => string): { first: RunRow; rows: number } | undefined {
  const groups = new Map<string, { first: RunRow; rows: number }>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === "") continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: row, rows: 1 });
    else group.rows += 1;
  }
  let largest: { first: RunRow; rows: number } | undefined;
  for (const group of groups.values()) if (largest === undefined || group.rows > largest.rows) largest = group;
  return largest;
}
