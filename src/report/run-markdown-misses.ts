import { categoryOf } from "../results/final-status.ts";
import type { SetAside } from "../results/resume/resume-facts.ts";
import { isUnplanned } from "../results/resume/stray-results.ts";
import type { RowFailure, RunRow } from "../results/run-row.ts";
import type { RunSummary, SkippedTask, Unreadable } from "../results/run-summary-schema.ts";
import { codeBlock, details, inlineCode, md, type SafeMarkdown, tableCell } from "../untrusted/markdown.ts";
import { attemptCell, hasHistory } from "./attempt-text.ts";
import { blank, codeName, type Section, table, text } from "./markdown-parts.ts";
import { plural, score } from "./number-text.ts";
import { groupName, groupReplicates, shareText } from "./replicate-groups.ts";
import { type RowNames, rowNames } from "./row-names.ts";
import { reasonOf } from "./row-text.ts";

// Our own sections: what keeps a run from passing, for a reader who has a minute.

const failuresListed = 200;
const failuresUnfolded = 30;
const otherListed = 500;
/** Of why an earlier attempt was no success. */
const reasonChars = 150;

/** Every task that failed or ended in an error: which criterion, why, and the last lines of the log. */
export function failures(summary: RunSummary): Section | undefined {
  const rows = summary.task_results;
  const names = rowNames(summary);
  const missed = groupReplicates(
    rows.filter((row) => ["failed", "error"].includes(categoryOf(row.status))),
    rows,
  );
  if (missed.length === 0) return undefined;
  const listed = missed.slice(0, failuresListed);
  const repeated = listed.some((group) => group.of > 1);
  const lines = table(
    ["Task", ...(repeated ? ["Failed"] : []), "Status", "Score", "Why"],
    listed.map((group) => [
      codeName(groupName(group, names)),
      ...(repeated ? [text(shareText(group))] : []),
      text([...new Set([group.row, ...group.again].map((row) => row.status))].join(", ")),
      text(score(group.row.weighted_score)),
      tableCell(reasonOf(group.row), 300),
    ]),
  );
  lines.push(...rest(missed.length - listed.length, "row"));
  for (const group of missed.slice(0, failuresUnfolded)) {
    const { failure } = group.row;
    if (failure !== null) lines.push(...unfolded(group.row, names, failure));
  }
  return { heading: md`## Failures`, lines, gap: 1 };
}

function unfolded(row: RunRow, names: RowNames, failure: RowFailure): SafeMarkdown[] {
  if (failure.criteria.length === 0 && failure.log_tail === null && !hasHistory(row)) return [];
  const body: SafeMarkdown[] = hasHistory(row) ? [md`- Attempt ${text(attemptCell(row, reasonChars), 600)}`] : [];
  for (const criterion of failure.criteria) {
    const numbers = `score ${score(criterion.score)}, needs ${score(criterion.pass_threshold)}`;
    const message = criterion.message.includes("\n") ? codeBlock(criterion.message, 2000, "end") : md` ${text(criterion.message, 300)}`;
    body.push(
      md`- **${text(criterion.description)}** (criterion ${criterion.index + 1}, ${codeName(criterion.type)}): ${text(numbers)}:${message}`,
    );
  }
  const more = failure.criteria_missed - failure.criteria.length;
  if (more > 0) body.push(md`- … and ${text(plural(more, "more criterion", "more criteria"))}`);
  if (failure.log_tail !== null && failure.log_tail !== "")
    body.push(md`\nLast lines of the log:`, codeBlock(failure.log_tail, 2000, "end"));
  const joined = body.reduce((sum, line) => md`${sum}\n${line}`, blank);
  return [blank, details(md`${inlineCode(names.of(row), 200)}: ${text(row.status)}`, joined)];
}

export function notRun(summary: RunSummary): Section | undefined {
  const names = rowNames(summary);
  return listing(md`## Not Run`, ["Task", "Reason"], summary.not_run, (entry) => [codeName(names.of(entry)), text(entry.reason)]);
}

export function skippedFiles(tasks: readonly SkippedTask[]): Section | undefined {
  return listing(md`## Skipped Files`, ["File", "Reason"], tasks, (task) => [codeName(task.path), tableCell(task.reason, 600)]);
}

export function unreadableResults(entries: readonly Unreadable[]): Section | undefined {
  const headers = ["Result file", "Why it could not be used"];
  return listing(md`## Unreadable Results`, headers, entries, (entry) => [codeName(entry.path), tableCell(entry.reason, 300)]);
}

export function filesSetAside(all: readonly SetAside[]): Section | undefined {
  const files = all.filter((file) => !isUnplanned(file));
  return listing(md`## Files Set Aside`, ["File", "Why it was not used"], files, (file) => [
    file.moved_to === null ? codeName(file.path) : md`${codeName(file.path)}<br>now ${codeName(file.moved_to)}`,
    tableCell(file.reason, 300),
  ]);
}

/** They were not set aside: they stay where they are, and do not count. */
export function unplannedResults(all: readonly SetAside[]): Section | undefined {
  return listing(md`## Results Not Part of This Plan`, ["File", "Why it was not used"], all.filter(isUnplanned), (file) => [
    codeName(file.path),
    tableCell(file.reason, 300),
  ]);
}

/** A table of the first entries with the number of the rest; nothing for nothing. */
function listing<Entry>(
  heading: SafeMarkdown,
  headers: readonly string[],
  entries: readonly Entry[],
  cells: (entry: Entry) => readonly SafeMarkdown[],
): Section | undefined {
  if (entries.length === 0) return undefined;
  const listed = entries.slice(0, otherListed);
  return { heading, lines: [...table(headers, listed.map(cells)), ...rest(entries.length - listed.length, "entry", "entries")], gap: 1 };
}

export function warnings(list: readonly string[]): Section | undefined {
  if (list.length === 0) return undefined;
  const listed = list.slice(0, 100).map((warning) => md`- ${text(warning, 300)}`);
  return { heading: md`## Warnings`, lines: [...listed, ...rest(list.length - listed.length, "warning")], gap: 1 };
}

function rest(count: number, one: string, many?: string): SafeMarkdown[] {
  return count <= 0 ? [] : [blank, md`… and ${text(plural(count, `more ${one}`, `more ${many ?? `${one}s`}`))}`];
}
