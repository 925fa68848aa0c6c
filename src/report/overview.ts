import { md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { text } from "./markdown-parts.ts";
import type { OverviewFacts } from "./overview-facts.ts";

export type { OverviewFacts } from "./overview-facts.ts";

/** Renderings for the job summary, the fullest first, each smaller than the one before. */
export function* summaryLadder(facts: OverviewFacts, runMarkdown: SafeMarkdown): Generator<SafeMarkdown> {
  yield md`## ${text(facts.title)}: ${text(facts.summary.verdict ?? "no verdict")}\n\n${runMarkdown}`;
  yield* commentLadder(facts);
}

/** Renderings for the comment in the pull request, the fullest first, each smaller than the one before. */
export function* commentLadder(facts: OverviewFacts): Generator<SafeMarkdown> {
  yield md`## ${text(facts.title)}: ${text(facts.summary.verdict ?? "no verdict")}\n`;
}
