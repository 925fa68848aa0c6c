import type { Changes, RowRef } from "../results/row-digest.ts";
import { passRateOf, runCost } from "../results/statistics.ts";
import { md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank, text } from "./markdown-parts.ts";
import { duration, percent, plural, usd } from "./number-text.ts";
import type { OverviewFacts } from "./overview-facts.ts";
import type { Level } from "./overview-level.ts";
import { commitLink } from "./overview-links.ts";
import { nameList } from "./overview-lists.ts";
import { rowNames } from "./row-names.ts";

/** What is different from the run that the last comment shows; nothing where there is none. */
export function changeLines(facts: OverviewFacts, level: Level): SafeMarkdown[] {
  const { changes } = facts;
  if (changes === undefined) return [];
  const tasks = [taskChanges(changes), setChanges(changes)].filter((part) => part !== "").join(", ");
  const names = rowNames(facts.summary);
  const lines = [
    blank,
    md`**Compared with ${before(changes, facts)}**: ${text(`${tasks}${tasks === "" ? "" : "; "}${figures(facts, changes)}`)}`,
  ];
  const lists: [string, readonly RowRef[]][] = [
    [changes.compared === "all" ? "Newly failing" : "Newly failing, or new", changes.newlyFailing],
    [isRetry(changes) ? "Passing now" : "Fixed", changes.fixed],
  ];
  const items = lists.flatMap(([label, rows]) =>
    rows.length === 0 ? [] : [md`- ${text(label)}: ${nameList(rows.map(names.ofTask), level.names)}`],
  );
  return items.length === 0 ? lines : [...lines, blank, ...items];
}

/** The same commit once more: what passes now was tried again, not repaired. */
function isRetry({ previous }: Changes): boolean {
  return previous.attempt !== undefined;
}

function before({ previous }: Changes, facts: OverviewFacts): SafeMarkdown {
  if (previous.attempt === facts.attempt - 1) return md`the previous attempt`;
  if (previous.attempt !== undefined) return md`attempt ${previous.attempt} of this run`;
  if (previous.sha !== undefined && previous.sha === facts.commit) return md`the previous run of this commit`;
  const commit = commitLink(previous.sha, facts);
  return commit === undefined ? md`the previous run` : md`commit ${commit}`;
}

function taskChanges(changes: Changes): string {
  const { compared, newlyFailing, fixed, stillFailing, passedOnRetry, finished } = changes;
  if (compared === "none") return "that run was too large to compare task by task";
  const parts: string[] = [];
  if (newlyFailing.length > 0) parts.push(`${newlyFailing.length} newly failing`);
  if (fixed.length > 0) parts.push(`${fixed.length} ${isRetry(changes) ? "passing now" : "fixed"}`);
  if (stillFailing > 0) parts.push(`${stillFailing} still failing`);
  if (passedOnRetry > 0) parts.push(`${passedOnRetry} passed only on a retry`);
  if (finished.all > 0)
    parts.push(`${finished.all} finished that had not before${finished.failing > 0 ? ` (${finished.failing} of them failing)` : ""}`);
  return parts.length === 0 ? "no task ended differently" : parts.join(", ");
}

function setChanges({ added, removed }: Changes): string {
  const parts: string[] = [];
  if (added !== undefined && added > 0) parts.push(plural(added, "new task"));
  if (removed !== undefined && removed > 0) parts.push(`${plural(removed, "task")} gone`);
  return parts.join(", ");
}

/** Rate, price and time before and now; only what both runs know. */
function figures({ summary }: OverviewFacts, { previous }: Changes): string {
  const { rate } = passRateOf(summary);
  const cost = runCost(summary.task_results).total;
  const parts = [pair("pass rate", previous.passRate, rate, percent), pair("cost", previous.cost, cost, usd)];
  // A run that did the rest of another one took the time of the rest.
  const seconds = summary.resume === null ? summary.total_duration_seconds : undefined;
  parts.push(pair("time", previous.seconds, seconds, duration));
  return parts.filter((part) => part !== undefined).join(", ");
}

function pair(what: string, was: number | undefined, is: number | undefined, show: (value: number) => string): string | undefined {
  if (was === undefined || is === undefined) return undefined;
  return show(was) === show(is) ? `${what} still ${show(is)}` : `${what} ${show(was)} → ${show(is)}`;
}
