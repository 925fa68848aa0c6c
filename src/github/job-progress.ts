import { countNotStarted } from "../progress/count-not-started.ts";
import { createPlainProgress, finishedLine, type RenderFinished, rowText } from "../progress/plain-progress.ts";
import type { CriterionOutcome, Progress, RowDetails, Screen } from "../progress/progress.ts";
import { score as scoreText } from "../report/number-text.ts";
import { startAndEnd } from "../results/cut-text.ts";
import { logLines } from "../untrusted/log.ts";
import { groupLines } from "./commands.ts";

/** What one task may show of an output: its end, where the reason of a failure stands. */
const tailLines = 40;
const tailChars = 8 * 1024;
/** What all tasks together may: a browser does not open a log of thousands of failures with their outputs. */
const allTailsChars = 4 * 1024 * 1024;
const criteriaShown = 40;
/** A criterion's message: what it is about stands at its start, what a command said of the failure at its end. */
const messageLines = { start: 4, end: 20 };
const messageChars = 4 * 1024;
/** What the line of a finished row holds; said once more only where it was cut. */
const reasonChars = 160;

const margin = "| ";
const inner = "|     ";

/**
 * The progress of a batch in the log of a job: plain lines, and a foldable group for each finished task that has
 * something to tell. A group is one write: tasks end in parallel, and nothing may come between its lines.
 */
export function createJobProgress(screen: Screen, monotonicMs: () => number): Progress {
  let charsLeft = allTailsChars;
  const renderFinished: RenderFinished = (row, name, counts) => {
    const { details } = row;
    const body = details === undefined ? [] : [...criteriaLines(details), ...(row.status === "SUCCESS" ? [] : reasons(details))];
    return body.length === 0 ? finishedLine(row, name, counts) : groupLines(`${counts}${rowText(row, name)}`, body);
  };
  const reasons = (details: RowDetails): string[] => [
    ...(isInTitle(details.error) ? [] : [...logLines("error:", margin), ...messageText(details.error)]),
    ...tail("last lines of the agent's output:", details.agentOutput),
    ...tail("last lines of the log:", details.logTail),
  ];
  const tail = (title: string, text: string | undefined): string[] => {
    if (text === undefined || text.trim() === "") return [];
    if (charsLeft <= 0) return logLines(`${title} not shown, this log is long enough; see the results`, margin);
    const lines = [...logLines(title, margin), ...lastOf(text)];
    charsLeft -= lines.reduce((sum, line) => sum + line.length, 0);
    return lines;
  };
  return countNotStarted(createPlainProgress(screen, monotonicMs, renderFinished));
}

function criteriaLines({ criteria }: RowDetails): string[] {
  // The place in the file says more than the outcome, until there are so many that the missed ones would be cut away.
  const shown = criteria.length <= criteriaShown ? criteria : criteria.toSorted((a, b) => rank(a) - rank(b)).slice(0, criteriaShown);
  const more = criteria.length - shown.length;
  return [...shown.flatMap(criterionLines), ...(more > 0 ? logLines(`… and ${more} more criteria`, margin) : [])];
}

const rank = ({ outcome }: CriterionOutcome): number => (outcome === "missed" ? 0 : 1);

function criterionLines({ outcome, type, description, score, threshold, message }: CriterionOutcome): string[] {
  const numbers = outcome === "skipped" ? "  –  " : `${scoreText(score)} of ${scoreText(threshold)}`;
  const head = logLines(oneLine(`${outcome.padEnd(7)} ${numbers}  ${type}: ${description}`).slice(0, 400), margin);
  if (outcome === "passed" || message === undefined) return head;
  return [...head, ...messageText(message)];
}

function isInTitle(error: string | undefined): error is undefined {
  return error === undefined || (error.length <= reasonChars && !/[\n\r\u0085\u2028\u2029]/u.test(error));
}

/** A message in lines, with a sign where something is missing. */
function messageText(message: string): string[] {
  const lines = logLines(startAndEnd(message, messageChars), inner);
  const { start, end } = messageLines;
  if (lines.length > start + end) lines.splice(start, lines.length - start - end, `${inner}…`);
  return lines;
}

const oneLine = (text: string): string => text.replace(/[\n\r\u0085\u2028\u2029]+/gu, " ");

/** The end of an output, with a sign where something is missing. */
function lastOf(text: string): string[] {
  const trimmed = text.trimEnd();
  const part = trimmed.slice(-tailChars);
  const lines = logLines(part, inner);
  const kept = lines.slice(-tailLines);
  return part.length === trimmed.length && kept.length === lines.length ? kept : [`${inner}…`, ...kept];
}
