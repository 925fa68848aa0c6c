import { commonCause } from "../results/common-cause.ts";
import { type Category, categoryOf } from "../results/final-status.ts";
import { keyOfRow } from "../results/known-rows.ts";
import { fileNames } from "../results/layout.ts";
import type { RowFailure, RunRow } from "../results/run-row.ts";
import { codeBlock, details, inlineCode, joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank, codeName, text } from "./markdown-parts.ts";
import { plural, score } from "./number-text.ts";
import type { OverviewFacts } from "./overview-facts.ts";
import type { Level } from "./overview-level.ts";
import { artifactLink } from "./overview-links.ts";
import { reasonOf, rowName } from "./row-text.ts";

const nameChars = 200;
const messageChars = 300;

/** A broken machine gives hundreds of rows one reason. More than this many of them would hide what else there is. */
const rowsPerReason = 3;

/**
 * Rows that failed or ended in an error, the worst first: errors, then the lowest scores, then the order of the run. Rows whose
 * reason stands there often enough come behind all others.
 */
export function missedRows(rows: readonly RunRow[]): RunRow[] {
  const rank = { error: 0, failed: 1, ungraded: 2, succeeded: 2 } as const satisfies Record<Category, number>;
  const sorted = rows
    .filter((row) => rank[categoryOf(row.status)] < 2)
    .sort((a, b) => rank[categoryOf(a.status)] - rank[categoryOf(b.status)] || (a.weighted_score ?? 0) - (b.weighted_score ?? 0));
  const seen = new Map<string, number>();
  const [first, repeats]: [RunRow[], RunRow[]] = [[], []];
  for (const row of sorted) {
    const times = (seen.get(reasonOf(row)) ?? 0) + 1;
    seen.set(reasonOf(row), times);
    (times > rowsPerReason ? repeats : first).push(row);
  }
  return [...first, ...repeats];
}

/** The section of what failed: the first rows open, the next ones folded, then names, then a number. */
export function failureLines(facts: OverviewFacts, missed: readonly RunRow[], level: Level, elsewhere: SafeMarkdown): SafeMarkdown[] {
  if (missed.length === 0) return [];
  const isNew = new Set(facts.changes?.newlyFailing.map(keyOfRow));
  const show: Show = { facts, level, isNew: (row) => isNew.has(keyOfRow(row)) };
  const { open, folded, deep, listed } = level;
  const withLog = new Set(missed.slice(0, level.logs));
  const lines = [blank, md`### ${text(plural(missed.length, "failure"))}`, ...causeLines(missed)];
  for (const row of missed.slice(0, open)) lines.push(blank, openRow(row, show, withLog.has(row)));
  if (missed.length > open) lines.push(blank);
  for (const row of missed.slice(open, open + folded)) lines.push(foldedRow(row, show, withLog.has(row)));
  const rest = missed.slice(open + folded, open + folded + deep + listed);
  if (rest.length > 0) {
    const list = [
      ...rest.slice(0, deep).map((row) => foldedRow(row, show, withLog.has(row))),
      ...rest.slice(deep).map((row) => md`- ${signOf(row)} ${codeName(rowName(row))} ${briefly(row, show)}`),
    ];
    if (open + folded === 0) lines.push(...list);
    else lines.push(details(text(plural(rest.length, "more failure")), joinMarkdown(list)));
  }
  const unseen = missed.length - open - folded - rest.length;
  if (unseen > 0) lines.push(blank, md`… and ${text(plural(unseen, "more failure"))}: ${elsewhere}`);
  return lines;
}

interface Show {
  readonly facts: OverviewFacts;
  readonly level: Level;
  readonly isNew: (row: RunRow) => boolean;
}

const fewErrors = rowsPerReason;

/** A broken machine shows in many rows at once: said once, before them. */
function causeLines(missed: readonly RunRow[]): SafeMarkdown[] {
  const errors = missed.filter((row) => categoryOf(row.status) === "error");
  const cause = errors.length < fewErrors ? undefined : commonCause(errors);
  if (cause === undefined || cause.rows * 2 < errors.length) return [];
  return [blank, md`${cause.rows} of ${errors.length} errors have one cause: ${text(cause.text, messageChars)}`];
}

function signOf(row: RunRow): SafeMarkdown {
  return categoryOf(row.status) === "error" ? md`💥` : md`❌`;
}

/** Status, score and whether it passed before. */
function outcome(row: RunRow, show: Show): SafeMarkdown {
  const points = row.weighted_score === null ? blank : md`, score ${text(score(row.weighted_score))}`;
  return md`${text(row.status)}${points}${show.isNew(row) ? md`, newly failing` : blank}`;
}

function briefly(row: RunRow, show: Show): SafeMarkdown {
  const chars = show.level.reasonChars;
  return chars === 0 ? outcome(row, show) : md`${outcome(row, show)}: ${text(reasonOf(row), chars)}`;
}

function openRow(row: RunRow, show: Show, withLog: boolean): SafeMarkdown {
  const lines = [md`#### ${signOf(row)} ${codeName(rowName(row))} ${outcome(row, show)}`, blank, ...explanation(row, show)];
  const log = withLog ? logOf(row, show.level) : undefined;
  if (log !== undefined) lines.push(blank, details(md`Last lines of the log`, log));
  return joinMarkdown(lines);
}

/** Within the line of a fold, Markdown is not read: HTML only. */
function foldedRow(row: RunRow, show: Show, withLog: boolean): SafeMarkdown {
  const lines = explanation(row, show);
  const log = withLog ? logOf(row, show.level) : undefined;
  if (log !== undefined) lines.push(blank, md`Last lines of the log:`, log);
  return details(md`${signOf(row)} ${inlineCode(rowName(row), nameChars)} ${briefly(row, show)}`, joinMarkdown(lines));
}

function logOf(row: RunRow, level: Level): SafeMarkdown | undefined {
  const tail = row.failure?.log_tail?.trim() ?? "";
  return tail === "" ? undefined : codeBlock(tail, level.logBytes, "end");
}

/** Why, criterion by criterion, and where to read on. */
function explanation(row: RunRow, show: Show): SafeMarkdown[] {
  const criteria = row.failure === null ? [] : criterionLines(row.failure);
  // The reason of a row without an error is its first criterion once more.
  const isReasonNew = criteria.length === 0 || row.error_message !== null;
  const reason = isReasonNew ? [md`- ${text(reasonOf(row), messageChars + 100)}`] : [];
  return [...reason, ...criteria, ...placeLines(row, show.facts)];
}

function criterionLines(failure: RowFailure): SafeMarkdown[] {
  const lines = failure.criteria.map((criterion) => {
    const numbers = text(`scored ${score(criterion.score)}, needs ${score(criterion.pass_threshold)}`);
    const title = criterion.description === "" ? blank : md` **${text(criterion.description)}**`;
    return md`- Criterion ${criterion.index + 1}, ${codeName(criterion.type)}:${title} ${numbers}<br>${text(criterion.message, messageChars)}`;
  });
  const more = failure.criteria_missed - failure.criteria.length;
  return more > 0 ? [...lines, md`- … and ${text(plural(more, "more criterion", "more criteria"))}`] : lines;
}

function placeLines(row: RunRow, facts: OverviewFacts): SafeMarkdown[] {
  const file = row.task_path === null ? [] : [md`task file ${codeName(row.task_path)}`];
  const result = row.result_dir === null ? [] : [md`${artifactLink(codeName(`${row.result_dir}/${fileNames.task}`), facts)}`];
  const places = [...result, ...file];
  return places.length === 0 ? [] : [md`- Details: ${joinMarkdown(places, md` · `)}`];
}
