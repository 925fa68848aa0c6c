import { cutMarkdown, details, joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { driftLines, shortDriftLines } from "./drift-section.ts";
import { blank } from "./markdown-parts.ts";
import { changeLines } from "./overview-changes.ts";
import { countLines, extremes } from "./overview-counts.ts";
import type { OverviewFacts } from "./overview-facts.ts";
import { failureLines } from "./overview-failures.ts";
import { footer, shortLinks } from "./overview-footer.ts";
import { commentLevels, type Level, summaryLevels } from "./overview-level.ts";
import { artifactLink, runLink } from "./overview-links.ts";
import { foldedLists, openEnds } from "./overview-lists.ts";
import { missesOf } from "./overview-misses.ts";
import { gateLines, headline } from "./overview-verdict.ts";
import { resumeLines, shortResumeLines } from "./resume-lines.ts";
import { suiteLines } from "./suites-section.ts";
import { variantLines } from "./variants-section.ts";

export type { OverviewFacts } from "./overview-facts.ts";

/** Of `run.md` in a summary that has no room for all of it. */
const partOfReportBytes = 250_000;

/** Renderings for the job summary, the fullest first, each smaller than the one before; `run.md` is folded in below the overview. */
export function summaryLadder(facts: OverviewFacts, runMarkdown: SafeMarkdown): Generator<SafeMarkdown> {
  return shrinking(summaryRenderings(facts, runMarkdown));
}

function* summaryRenderings(facts: OverviewFacts, runMarkdown: SafeMarkdown): Generator<SafeMarkdown> {
  const rest = facts.artifact === undefined ? md`see run.json` : md`see run.html or run.json in the ${artifactLink(md`artifact`, facts)}`;
  for (const [index, level] of summaryLevels.entries()) {
    const page = overview(facts, level, rest);
    if (index === 0) {
      yield md`${page}\n${details(md`Full report`, runMarkdown)}`;
      if (Buffer.byteLength(runMarkdown) > partOfReportBytes) {
        yield md`${page}\n${details(md`Full report (its beginning)`, cutMarkdown(runMarkdown, partOfReportBytes))}`;
      }
    }
    yield page;
  }
}

/** Renderings for the comment in the pull request, the fullest first, each smaller than the one before; the last is of less than 1,000 bytes. */
export function commentLadder(facts: OverviewFacts): Generator<SafeMarkdown> {
  return shrinking(commentRenderings(facts));
}

function* commentRenderings(facts: OverviewFacts): Generator<SafeMarkdown> {
  const rest = md`see the ${runLink(md`summary of the run`, facts)}`;
  for (const level of commentLevels) yield overview(facts, level, rest);
  const { summary } = facts;
  const short = [...countLines(summary), ...shortResumeLines(summary), ...shortDriftLines(summary)];
  yield joinMarkdown([headline(facts, 200), blank, ...short, blank, shortLinks(facts, 200), blank]);
}

function overview(facts: OverviewFacts, level: Level, elsewhere: SafeMarkdown): SafeMarkdown {
  const { summary } = facts;
  const lines = [
    headline(facts),
    ...gateLines(facts, level),
    blank,
    ...countLines(summary),
    ...(level.passed > 0 ? extremes(summary) : []),
    ...resumeLines(facts, level),
    ...driftLines(summary, level),
    ...changeLines(facts, level),
    ...variantLines(summary, level),
    ...suiteLines(summary, level),
    ...failureLines(facts, missesOf(summary.task_results), level, elsewhere),
    ...openEnds(summary, level),
    ...foldedLists(summary, level),
    ...footer(facts, level),
  ];
  return md`${joinMarkdown(lines)}\n`;
}

/** Leaves out what is no smaller than the rendering before it: of a small run most levels are the same. */
function* shrinking(renderings: Iterable<SafeMarkdown>): Generator<SafeMarkdown> {
  let size = Number.POSITIVE_INFINITY;
  for (const rendering of renderings) {
    const bytes = Buffer.byteLength(rendering);
    if (bytes >= size) continue;
    size = bytes;
    yield rendering;
  }
}
