import { createPlainProgress, finishedLine, type RenderFinished, rowText } from "../progress/plain-progress.ts";
import type { CriterionOutcome, Progress, RowDetails, Screen } from "../progress/progress.ts";
import { logLines } from "../untrusted/log.ts";
import { groupLines } from "./commands.ts";

/** What one task may show of an output: its end, where the reason of a failure stands. */
const tailLines = 40;
const tailChars = 8 * 1024;
/** What all tasks together may: a browser does not open a log of thousands of failures with their outputs. */
const allTailsChars = 4 * 1024 * 1024;
const criteriaShown = 40;
const messageLines = 10;
const messageChars = 2 * 1024;

const margin = "| ";
const inner = "|     ";

/**
 * The progress of a batch in the log of a job: plain lines, and a foldable group for each finished task that has
 * something to tell. A group is one write: tasks end in parallel, and nothing may come between its lines.
 */
export function createJobProgress(screen: Screen, monotonicMs: () => number): Progress {
  let charsLeft = allTailsChars;
  const renderFinished: RenderFinished = (row, counts) => {
    const { details } = row;
    const body = details === undefined ? [] : [...criteriaLines(details), ...(row.status === "SUCCESS" ? [] : reasons(details))];
    return body.length === 0 ? finishedLine(row, counts) : groupLines(`${counts}${rowText(row)}`, body);
  };
  const reasons = (details: RowDetails): string[] => [
    ...(details.error === undefined ? [] : block("error:", details.error, { lines: messageLines, chars: messageChars })),
    ...tail("last lines of the agent's output:", details.agentOutput),
    ...tail("last lines of the log:", details.logTail),
  ];
  const tail = (title: string, text: string | undefined): string[] => {
    if (text === undefined || text.trim() === "") return [];
    if (charsLeft <= 0) return logLines(`${title} not shown, this log is long enough; see the results`, margin);
    const lines = block(title, text, { lines: tailLines, chars: tailChars, keep: "end" });
    charsLeft -= lines.reduce((sum, line) => sum + line.length, 0);
    return lines;
  };
  return createPlainProgress(screen, monotonicMs, renderFinished);
}

function criteriaLines({ criteria }: RowDetails): string[] {
  // The place in the file says more than the outcome, until there are so many that the missed ones would be cut away.
  const shown = criteria.length <= criteriaShown ? criteria : criteria.toSorted((a, b) => rank(a) - rank(b)).slice(0, criteriaShown);
  const more = criteria.length - shown.length;
  return [...shown.flatMap(criterionLines), ...(more > 0 ? logLines(`… and ${more} more criteria`, margin) : [])];
}

const rank = ({ outcome }: CriterionOutcome): number => (outcome === "missed" ? 0 : 1);

function criterionLines({ outcome, type, description, score, threshold, message }: CriterionOutcome): string[] {
  const numbers = outcome === "skipped" ? "  –  " : `${score.toFixed(3)} of ${threshold.toFixed(3)}`;
  const head = logLines(oneLine(`${outcome.padEnd(7)} ${numbers}  ${type}: ${description}`).slice(0, 400), margin);
  if (outcome === "passed" || message === undefined) return head;
  return [...head, ...bounded(message, { lines: messageLines, chars: messageChars })];
}

const oneLine = (text: string): string => text.replace(/[\n\r\u0085\u2028\u2029]+/gu, " ");

interface Bounds {
  readonly lines: number;
  readonly chars: number;
  readonly keep?: "start" | "end";
}

function block(title: string, text: string, bounds: Bounds): string[] {
  return [...logLines(title, margin), ...bounded(text, bounds)];
}

/** The start of a text, or its end, with a sign where something is missing. */
function bounded(text: string, { lines: maxLines, chars, keep = "start" }: Bounds): string[] {
  const trimmed = text.trimEnd();
  const part = keep === "start" ? trimmed.slice(0, chars) : trimmed.slice(-chars);
  const lines = logLines(part, inner);
  const kept = keep === "start" ? lines.slice(0, maxLines) : lines.slice(-maxLines);
  if (part.length === trimmed.length && kept.length === lines.length) return kept;
  return keep === "start" ? [...kept, `${inner}…`] : [`${inner}…`, ...kept];
}
