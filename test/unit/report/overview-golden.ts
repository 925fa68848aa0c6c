import { createHash } from "node:crypto";
import { join } from "node:path";
import { fitMarkdown } from "../../../src/github/size-ladder.ts";
import { maxSummaryBytes } from "../../../src/github/summary.ts";
import { commentLadder, type OverviewFacts, summaryLadder } from "../../../src/report/overview.ts";
import { renderRunMarkdown } from "../../../src/report/run-markdown.ts";
import { maxDigestChars } from "../../../src/results/row-digest.ts";
import { overviewCases } from "./overview-cases.ts";
import { events, publishedPages } from "./overview-published.ts";

export const goldenDirectory = join(import.meta.dirname, "../../fixtures/report/golden");

/** What a comment has room for, next to its marker and what it remembers. */
export const commentRoom = 60_000 - maxDigestChars - 500;

/** Files of more than this are kept by their start, their size and their hash. */
const keptBytes = 40_000;
const keptLines = 60;

export function summaryPage(facts: OverviewFacts): string {
  return fitMarkdown(summaryLadder(facts, renderRunMarkdown(facts.summary)), maxSummaryBytes).text;
}

export function commentPage(facts: OverviewFacts): string {
  return fitMarkdown(commentLadder(facts), commentRoom).text;
}

/** Each of these has `run.md` too; what no job shows as a comment goes the whole way of the action. */
export const situations: readonly string[] = [
  ...["all-pass", "all-fail", "drift", "partial", "resumed", "skipped", "2000-tasks", "hostile"],
  ...Object.keys(events),
];

/** Every golden file: its name, and the text that belongs in it. */
export async function goldenFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const { name, facts } of overviewCases()) {
    if (situations.includes(name)) files.set(`${name}.run.md`, kept(renderRunMarkdown(facts.summary)));
    const event = name === "fork" || name === "no-pull-request" ? events[name] : undefined;
    const pages = event === undefined ? { summary: summaryPage(facts), comment: commentPage(facts) } : await publishedPages(facts, event);
    files.set(`${name}.summary.md`, kept(pages.summary));
    files.set(`${name}.comment.md`, kept(pages.comment));
  }
  return files;
}

function kept(page: string): string {
  const bytes = Buffer.byteLength(page);
  if (bytes <= keptBytes) return page;
  const hash = createHash("sha256").update(page).digest("hex");
  return `${page.split("\n").slice(0, keptLines).join("\n")}\n\n${bytes} bytes in all, sha256 ${hash}\n`;
}
