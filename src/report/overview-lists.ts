import { cut } from "../results/cut-text.ts";
import { categoryOf } from "../results/final-status.ts";
import type { SetAside } from "../results/resume/resume-facts.ts";
import type { RunRow } from "../results/run-row.ts";
import type { NotRun, RunSummary, SkippedTask } from "../results/run-summary-schema.ts";
import { details, joinMarkdown, md, type SafeMarkdown, tableCell } from "../untrusted/markdown.ts";
import { blank, codeName, text } from "./markdown-parts.ts";
import { plural, thousands } from "./number-text.ts";
import type { Level } from "./overview-level.ts";
import { groupName, groupReplicates, shareText } from "./replicate-groups.ts";
import { type RowNames, rowNames } from "./row-names.ts";
import { fileReason } from "./row-text.ts";

// What is neither a failure nor a number. Each list has the same bound; what is beyond it is counted.

const reasonChars = 600;
const fileReasonChars = 300;
const warningChars = 300;

/** Names in a fixed-width font, the first ones of them: `a`, `b` and 3 more. */
export function nameList(names: readonly string[], limit: number): SafeMarkdown {
  const shown = names.slice(0, limit).map(codeName);
  const more = names.length - shown.length;
  if (shown.length === 0) return text(thousands(more));
  return md`${joinMarkdown(shown, md`, `)}${more > 0 ? md` and ${text(thousands(more))} more` : blank}`;
}

/** What kept files and rows from being counted: to be seen at once. */
export function openEnds(summary: RunSummary, level: Level): SafeMarkdown[] {
  const names = rowNames(summary);
  const invalid = summary.skipped_tasks.filter((task) => task.kind === "invalid");
  const ungraded = summary.task_results.filter((row) => categoryOf(row.status) === "ungraded").map(names.of);
  return [
    ...section(plural(invalid.length, "task file could not be loaded", "task files could not be loaded"), entries(invalid, level)),
    ...section(
      plural(summary.unreadable.length, "result could not be used", "results could not be used"),
      entries(summary.unreadable, level),
    ),
    ...section(
      plural(summary.set_aside.length, "file of an earlier attempt was not used", "files of earlier attempts were not used"),
      entries(summary.set_aside.map(asEntry), level),
    ),
    ...section(plural(summary.not_run.length, "task was not run", "tasks were not run"), byReason(summary.not_run, names, level)),
    ...section(
      plural(ungraded.length, "task was not graded", "tasks were not graded"),
      ungraded.length === 0 ? [] : [md`- ${nameList(ungraded, level.names)}`],
    ),
  ];
}

function section(heading: string, lines: readonly SafeMarkdown[]): SafeMarkdown[] {
  return lines.length === 0 ? [] : [blank, md`### ${text(heading)}`, blank, ...lines];
}

function entries(list: readonly Pick<SkippedTask, "path" | "reason">[], level: Level): SafeMarkdown[] {
  const shown = list
    .slice(0, level.names)
    .map(({ path, reason }) => md`- ${codeName(path)}<br>${tableCell(fileReason(reason), fileReasonChars)}`);
  return [...shown, ...moreOf(list.length - shown.length)];
}

/** With its new name, so that nobody looks for it in vain. */
function asEntry({ path, reason, moved_to: movedTo }: SetAside): Pick<SkippedTask, "path" | "reason"> {
  return { path, reason: movedTo === null ? reason : `${cut(reason, fileReasonChars / 2)}; now ${movedTo}` };
}

function moreOf(count: number): SafeMarkdown[] {
  return count > 0 ? [md`- … and ${text(thousands(count))} more`] : [];
}

/** Rows that were not run mostly share their reason. */
function byReason(notRun: readonly NotRun[], { of: nameOf }: RowNames, level: Level): SafeMarkdown[] {
  const groups = new Map<string, string[]>();
  for (const entry of notRun) {
    const names = groups.get(entry.reason);
    if (names === undefined) groups.set(entry.reason, [nameOf(entry)]);
    else names.push(nameOf(entry));
  }
  const shown = [...groups].slice(0, level.names).map(([reason, names]) => {
    return md`- ${text(reason, reasonChars)} (${text(thousands(names.length))}): ${nameList(names, level.names)}`;
  });
  return [...shown, ...moreOf(groups.size - shown.length)];
}

/** What is there for the record, folded. */
export function foldedLists(summary: RunSummary, level: Level): SafeMarkdown[] {
  const passed = summary.task_results.filter((row) => categoryOf(row.status) === "succeeded");
  const skipped = summary.skipped_tasks.filter((task) => task.kind !== "invalid");
  const warnings = summary.warnings.slice(0, level.names).map((warning) => md`- ${text(warning, warningChars)}`);
  if (level.passed === 0) return [];
  return [
    ...passedFold(passed, summary, level),
    ...fold(plural(skipped.length, "skipped file"), entries(skipped, level)),
    ...fold(plural(summary.warnings.length, "warning"), [...warnings, ...moreOf(summary.warnings.length - warnings.length)]),
  ];
}

/** Which tasks passed; of one with replicates how many of them. */
function passedFold(passed: readonly RunRow[], summary: RunSummary, level: Level): SafeMarkdown[] {
  if (passed.length === 0) return [];
  const names = rowNames(summary);
  const groups = groupReplicates(passed, summary.task_results);
  const repeated = groups.some((group) => group.of > 1);
  const listed = groups.map((group) => (group.of > 1 ? `${groupName(group, names)} ${shareText(group)}` : groupName(group, names)));
  const title = plural(passed.length, "passed task");
  return fold(repeated ? `${title}, the replicates of a task together` : title, [nameList(listed, level.passed)]);
}

function fold(title: string, lines: readonly SafeMarkdown[]): SafeMarkdown[] {
  return lines.length === 0 ? [] : [blank, details(text(title), joinMarkdown(lines))];
}
