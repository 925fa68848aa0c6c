import { cut } from "../results/cut-text.ts";
import type { EarlierAttempt } from "../results/resume/attempt-history.ts";
import type { RunRow } from "../results/run-row.ts";

/** Of the attempts before; more are rarely read. */
const shown = 4;

type Tried = Pick<RunRow, "attempt" | "earlier_attempts" | "kept">;

/** Whether there is more to tell of a row than that it ran once, now. */
export function hasHistory({ attempt, earlier_attempts: earlier, kept }: Tried): boolean {
  return attempt > 1 || earlier.length > 0 || kept;
}

/**
 * `3; before: INTERRUPTED, ERROR (no space left on device)`, `1, kept`, `1` for a row that ran once, now: behind the word "attempt", or the cell
 * of a table. Foreign text.
 * @param reasonChars of each reason
 */
export function attemptCell({ attempt, earlier_attempts: earlier, kept }: Tried, reasonChars: number): string {
  const number = `${attempt}${kept ? ", kept" : ""}`;
  if (earlier.length === 0) return number;
  const groups = inARow(earlier, reasonChars);
  const told = groups.slice(-shown);
  return `${number}; before: ${groups.length > shown ? "…, " : ""}${told.join(", ")}`;
}

/** Attempts that ended alike one after the other are told once. A long history has a gap, in which others may have been. */
function inARow(earlier: readonly EarlierAttempt[], reasonChars: number): string[] {
  const groups: { text: string; times: number; hasGap: boolean }[] = [];
  for (const [index, entry] of earlier.entries()) {
    const text = endOf(entry, reasonChars);
    const last = groups.at(-1);
    const isAfterGap = entry.attempt - (earlier[index - 1]?.attempt ?? entry.attempt) > 1;
    if (last?.text === text) {
      last.times += 1;
      last.hasGap ||= isAfterGap;
      continue;
    }
    if (isAfterGap) groups.push({ text: "…", times: 1, hasGap: false });
    groups.push({ text, times: 1, hasGap: false });
  }
  return groups.map(({ text, times, hasGap }) => (times === 1 ? text : `${times}${hasGap ? " or more" : ""} × ${text}`));
}

/** That it was cut short says it all; what cut it short is in its files. */
function endOf({ status, reason }: EarlierAttempt, reasonChars: number): string {
  return reason === null || reason === "" || status === "INTERRUPTED" ? status : `${status} (${cut(reason, reasonChars)})`;
}
