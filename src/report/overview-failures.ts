import { commonCause } from "../results/common-cause.ts";
import { hasVariants } from "../results/experiment/experiment-of.ts";
import { keyOfCell } from "../results/known-rows.ts";
import { fileNames } from "../results/layout.ts";
import type { RowFailure, RunRow } from "../results/run-row.ts";
import { codeBlock, details, inlineCode, joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { attemptCell, hasHistory } from "./attempt-text.ts";
import { blank, codeName, text } from "./markdown-parts.ts";
import { plural, score, thousands } from "./number-text.ts";
import type { OverviewFacts } from "./overview-facts.ts";
import type { Level } from "./overview-level.ts";
import { artifactLink } from "./overview-links.ts";
import { nameList } from "./overview-lists.ts";
import { countMissed, type Miss, tasksPerReason } from "./overview-misses.ts";
import { groupName, missedText, replicateNumbers } from "./replicate-groups.ts";
import { type RowNames, rowNames } from "./row-names.ts";
import { reasonOf } from "./row-text.ts";
import { isError } from "./worst-first.ts";

const nameChars = 200;
const messageChars = 300;
const messageBytes = 1000;
const reasonsOfReplicates = 3;
const attemptReasonChars = 100;
const attemptChars = 500;

/** The section of what failed: the first rows open, the next ones folded, then names, then a number. */
export function failureLines(facts: OverviewFacts, missed: readonly Miss[], level: Level, elsewhere: SafeMarkdown): SafeMarkdown[] {
  if (missed.length === 0) return [];
  const isNew = new Set(facts.changes?.newlyFailing.map(keyOfCell));
  const show: Show = { facts, level, names: rowNames(facts.summary), isNew: (row) => isNew.has(keyOfCell(row)) };
  const { open, folded, deep, listed } = level;
  const withLog = new Set(missed.slice(0, level.logs));
  const lines = [blank, md`### ${text(heading(missed))}`, ...causeLines(missed)];
  for (const miss of missed.slice(0, open)) lines.push(blank, openRow(miss, show, withLog.has(miss)));
  if (missed.length > open) lines.push(blank);
  for (const miss of missed.slice(open, open + folded)) lines.push(foldedRow(miss, show, withLog.has(miss)));
  const rest = missed.slice(open + folded, open + folded + deep + listed);
  if (rest.length > 0) {
    const list = [
      ...rest.slice(0, deep).map((miss) => foldedRow(miss, show, withLog.has(miss))),
      ...rest
        .slice(deep)
        .map((miss) => md`- ${signOf(miss.row)} ${codeName(groupName(miss, show.names))}${andMore(miss)} ${briefly(miss, show)}`),
    ];
    if (open + folded === 0) lines.push(...list);
    else lines.push(details(text(plural(countMissed(rest), "more failure")), joinMarkdown(list)));
  }
  const unseen = countMissed(missed.slice(open + folded + rest.length));
  if (unseen > 0) lines.push(blank, md`… and ${text(plural(unseen, "more failure"))}: ${elsewhere}`);
  return lines;
}

/** With replicates, a failure is not a task. */
function heading(missed: readonly Miss[]): string {
  const failures = plural(countMissed(missed), "failure");
  return missed.some(({ again }) => again.length > 0) ? `${failures}, the replicates of a task together` : failures;
}

interface Show {
  readonly facts: OverviewFacts;
  readonly level: Level;
  readonly names: RowNames;
  readonly isNew: (row: RunRow) => boolean;
}

const fewErrors = tasksPerReason;

/** A broken machine shows in many rows at once: said once, before them, where their messages differ too much to be one miss. */
function causeLines(missed: readonly Miss[]): SafeMarkdown[] {
  if (missed.some(({ others }) => others.length > 0)) return [];
  const errors = missed.map(({ row }) => row).filter(isError);
  const cause = errors.length < fewErrors ? undefined : commonCause(errors);
  if (cause === undefined || cause.rows * 2 < errors.length) return [];
  return [blank, md`${cause.rows} of ${errors.length} errors have one cause: ${text(cause.text, messageChars)}`];
}

function signOf(row: RunRow): SafeMarkdown {
  return isError(row) ? md`💥` : md`❌`;
}

/** Tasks, as the list of their names. */
function andMore({ row, others }: Miss): SafeMarkdown {
  const tasks = new Set([row, ...others].map(keyOfCell)).size - 1;
  return tasks === 0 ? blank : md` and ${text(thousands(tasks))} more:`;
}

/** Status, score (of an error it says nothing) and whether it passed before. */
function outcome(miss: Miss, show: Show): SafeMarkdown {
  const { row, others } = miss;
  const share = missedText(miss);
  const points = isError(row) || row.weighted_score === null ? blank : md`, score ${text(score(row.weighted_score))}`;
  return md`${share === "" ? blank : md`${text(share)}, `}${text(row.status)}${points}${[row, ...others].every(show.isNew) ? md`, newly failing` : blank}`;
}

function briefly(miss: Miss, show: Show): SafeMarkdown {
  const chars = show.level.reasonChars;
  return chars === 0 ? outcome(miss, show) : md`${outcome(miss, show)}: ${text(reasonOf(miss.row), chars)}`;
}

function openRow(miss: Miss, show: Show, withLog: boolean): SafeMarkdown {
  const { row } = miss;
  const lines = [
    md`#### ${signOf(row)} ${codeName(groupName(miss, show.names))}${andMore(miss)} ${outcome(miss, show)}`,
    blank,
    ...explanation(miss, show),
  ];
  const log = withLog ? logOf(row, show.level) : undefined;
  if (log !== undefined) lines.push(blank, details(md`Last lines of the log`, log));
  return joinMarkdown(lines);
}

/** Within the line of a fold, Markdown is not read: HTML only. */
function foldedRow(miss: Miss, show: Show, withLog: boolean): SafeMarkdown {
  const { row } = miss;
  const lines = explanation(miss, show);
  const log = withLog ? logOf(row, show.level) : undefined;
  if (log !== undefined) lines.push(blank, md`Last lines of the log:`, log);
  return details(
    md`${signOf(row)} ${inlineCode(groupName(miss, show.names), nameChars)}${andMore(miss)} ${briefly(miss, show)}`,
    joinMarkdown(lines),
  );
}

function logOf(row: RunRow, level: Level): SafeMarkdown | undefined {
  const tail = row.failure?.log_tail?.trim() ?? "";
  return tail === "" ? undefined : codeBlock(tail, level.logBytes, "end");
}

/** Why, criterion by criterion, and where to read on. */
function explanation({ row, others, again }: Miss, show: Show): SafeMarkdown[] {
  const criteria = row.failure === null ? [] : criterionLines(row.failure);
  // The reason of a row without an error is its first criterion once more.
  const isReasonNew = criteria.length === 0 || row.error_message !== null;
  const reason = isReasonNew ? [md`- ${text(reasonOf(row), messageChars + 100)}`] : [];
  const same = others.length === 0 ? [] : [md`- The same in ${nameList(namesOf(row, others, show.names), show.level.names)}`];
  return [...reason, ...criteria, ...attemptLine(row), ...same, ...otherReplicates(row, again), ...placeLines(row, show.facts)];
}

/** Of a row that ran before, or that an earlier execution of the run made. */
function attemptLine(row: RunRow): SafeMarkdown[] {
  return hasHistory(row) ? [md`- Attempt ${text(attemptCell(row, attemptReasonChars), attemptChars)}`] : [];
}

/** Of other tasks, each once. */
function namesOf(row: RunRow, others: readonly RunRow[], names: RowNames): string[] {
  const own = names.ofTask(row);
  return [...new Set(others.map(names.ofTask))].filter((name) => name !== own);
}

/** What the other replicates of the task failed of, where it was something else. */
function otherReplicates(row: RunRow, again: readonly RunRow[]): SafeMarkdown[] {
  const reasons = Map.groupBy(again, reasonOf);
  reasons.delete(reasonOf(row));
  return [...reasons].slice(0, reasonsOfReplicates).map(([reason, same]) => {
    return md`- Replicate ${text(replicateNumbers(same))}: ${text(reason, messageChars)}`;
  });
}

function criterionLines(failure: RowFailure): SafeMarkdown[] {
  const lines = failure.criteria.map((criterion) => {
    const numbers = text(`score ${score(criterion.score)}, needs ${score(criterion.pass_threshold)}`);
    const place = md`riterion ${criterion.index + 1}, ${codeName(criterion.type)}`;
    const title = criterion.description === "" ? md`C${place}` : md`**${text(criterion.description)}** (c${place})`;
    const message = criterion.message.includes("\n")
      ? codeBlock(criterion.message, messageBytes, "end")
      : md`<br>${text(criterion.message, messageChars)}`;
    return md`- ${title}: ${numbers}${message}`;
  });
  const more = failure.criteria_missed - failure.criteria.length;
  return more > 0 ? [...lines, md`- … and ${text(plural(more, "more criterion", "more criteria"))}`] : lines;
}

/** Where the whole log is, and how to run the task once more; a path that a shell would read otherwise is only named. */
function placeLines(row: RunRow, facts: OverviewFacts): SafeMarkdown[] {
  const { result_dir: dir, task_path: file } = row;
  const log = row.status === "BUILD_FAILED" ? fileNames.dockerLog : fileNames.taskLog;
  const lines = dir === null ? [] : [md`- Log: ${artifactLink(codeName(`${dir}/${log}`), facts)}`];
  if (file === null) return lines;
  const variant = row.variant_id ?? "default";
  const own = hasVariants(facts.summary) ? [`--variant ${variant}`] : undefined;
  const flags = own === undefined ? facts.rerunFlags : [...facts.rerunFlags.filter((flag) => !flag.startsWith("--variant ")), ...own];
  const command = ["evalbatch run", file, ...flags].join(" ");
  const isPlain =
    (own === undefined || /^\w[\w.-]*$/.test(variant)) &&
    file.length < 150 &&
    /^[\w./][\w./-]*$/.test(file) &&
    /^[\w./:@ -]+$/.test(command);
  return [...lines, isPlain ? md`- Run it again: ${codeName(command)}` : md`- Task file: ${codeName(file)}`];
}
