import { createHash } from "node:crypto";
import { join } from "node:path";
import { fitMarkdown } from "../../../src/github/size-ladder.ts";
import { maxSummaryBytes } from "../../../src/github/summary.ts";
import { commentLadder, type OverviewFacts, summaryLadder } from "../../../src/report/overview.ts";
import { renderRunMarkdown } from "../../../src/report/run-markdown.ts";
import { maxDigestChars } from "../../../src/results/row-digest.ts";
import { overviewCases } from "./overview-cases.ts";

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

/** Every golden file: its name, and the text that belongs in it. */
export function goldenFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const { name, facts } of overviewCases()) {
    files.set(`${name}.summary.md`, kept(summaryPage(facts)));
    files.set(`${name}.comment.md`, kept(commentPage(facts)));
  }
  return files;
}

function kept(page: string): string {
  const bytes = Buffer.byteLength(page);
  if (bytes <= keptBytes) return page;
  const hash = createHash("sha256").update(page).digest("hex");
  return `${page.split("\n").slice(0, keptLines).join("\n")}\n\n${bytes} bytes in all, sha256 ${hash}\n`;
}
