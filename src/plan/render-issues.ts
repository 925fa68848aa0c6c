import type { Issue, LineOf } from "../errors.ts";
import type { FoldedIssue } from "./fold-issues.ts";
import { escapeInvisible, quote } from "./found-text.ts";

const maxWidth = 100;

/**
 * Issues as text for a terminal or a log, one block each: place and field, what is wrong, the source line with a caret,
 * what to do. Errors and warnings in the given order; nothing in it obeys a terminal.
 */
export function renderIssues(issues: readonly Issue[], lineOf: LineOf = () => undefined): string {
  return issues.map((issue) => renderIssue(issue, lineOf)).join("\n");
}

/** As `renderIssues`, what many files have in common once. */
export function renderFolded(folded: readonly FoldedIssue[], lineOf: LineOf = () => undefined): string {
  return folded.map((one) => [renderIssue(one.issue, lineOf), ...renderOthers(one)].join("\n")).join("\n");
}

const namedOthers = 3;

function renderOthers({ issue, others }: FoldedIssue): string[] {
  if (others.length === 0) return [];
  const named = others.slice(0, namedOthers).map(escapeInvisible).join(", ");
  const more = others.length > namedOthers ? ", …" : "";
  const joined = issue.mergedWith === undefined ? "in" : "with";
  return [`  the same ${joined} ${others.length} more ${others.length === 1 ? "file" : "files"}: ${named}${more}`];
}

function renderIssue(issue: Issue, lineOf: LineOf): string {
  const place = [issue.file, issue.line, issue.column].filter((part) => part !== undefined).join(":");
  const field = issue.field === undefined ? "" : `${issue.field}: `;
  const merged = issue.mergedWith === undefined ? "" : ` (merged with ${quote(issue.mergedWith)})`;
  const head = `${place === "" ? "" : `${place}: `}${issue.severity}: ${field}${issue.message}${merged}`;
  const lines = [escapeInvisible(head), ...renderSource(issue, lineOf)];
  if (issue.hint !== undefined) lines.push(`  hint: ${escapeInvisible(issue.hint)}`);
  return lines.join("\n");
}

function renderSource(issue: Issue, lineOf: LineOf): string[] {
  if (issue.file === undefined || issue.line === undefined) return [];
  const source = lineOf(issue.file, issue.line);
  if (source === undefined || source.trim() === "") return [];
  const column = Math.min(issue.column ?? 1, source.length + 1);
  // A window around the caret, so that a line of a thousand characters does not hide it.
  const from = column > maxWidth ? column - Math.trunc(maxWidth / 2) : 1;
  const before = escapeInvisible(source.slice(from - 1, column - 1));
  const rest = source.slice(column - 1, from - 1 + maxWidth);
  const margin = String(issue.line);
  const lead = from > 1 ? "…" : "";
  const tail = source.length > from - 1 + maxWidth ? "…" : "";
  const shown = `  ${margin} | ${lead}${before}${escapeInvisible(rest)}${tail}`;
  if (issue.column === undefined) return [shown];
  return [shown, `  ${" ".repeat(margin.length)} | ${" ".repeat(lead.length + before.length)}^`];
}
