import { gateText, shortGateText, suiteNames } from "../results/gate-suites.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { type SuiteSummary, suiteRateParts } from "../results/suites/suite-summary.ts";
import { md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { html, type SafeHtml } from "./html.ts";
import { blank, codeName, moreLines, type Section, table, text } from "./markdown-parts.ts";
import { percent, plural, score, thousands } from "./number-text.ts";
import type { Level } from "./overview-level.ts";

// The suites of a run (one per dataset and variant) in all reports. Those whose gate failed come first.

const listed = 300;
const gateChars = 300;
/** Below this many entries per list a report shows only what is wrong. */
const fewNames = 5;

type Suites = Pick<RunSummary, "suites">;

/** `run.md`: a table of all suites. */
export function suitesSection({ suites }: Suites): Section | undefined {
  if (suites.length === 0) return undefined;
  const name = suiteNames(suites);
  const shown = worstFirst(suites).slice(0, listed);
  const rows = shown.map((suite) => [
    codeName(name(suite)),
    text(thousands(suite.rows_total)),
    text(shareText(suite)),
    text(score(suite.average_weighted_score)),
    gateCell(suite),
  ]);
  const lines = table(["Suite", "Rows", "Pass Rate", "Avg Score", "Gate"], rows);
  return { heading: md`## Suites`, lines: [...lines, ...moreLines(suites.length - shown.length, "suite", "run.json")], gap: 1 };
}

/** Job summary and comment: a small table; in a short one only of what did not pass. */
export function suiteLines({ suites }: Suites, level: Pick<Level, "names">): SafeMarkdown[] {
  if (suites.length === 0) return [];
  const name = suiteNames(suites);
  const missed = suites.filter((suite) => !suite.passed);
  const shown = (level.names < fewNames ? missed : worstFirst(suites)).slice(0, level.names);
  // Three narrow columns: a telephone shows no more.
  const rows = shown.map((suite) => [codeName(name(suite)), text(shareText(suite)), shortGateCell(suite)]);
  if (rows.length === 0) return [];
  const lines = [blank, ...table(["Suite", "Pass rate", "Gate"], rows), ...moreLines(suites.length - rows.length, "suite", "run.json")];
  return [blank, md`### ${text(plural(suites.length, "suite"))}`, ...lines];
}

/** Terminal: one line each. Foreign text. */
export function suiteTexts({ suites }: Suites): string[] {
  const name = suiteNames(suites);
  return worstFirst(suites).map((suite) => {
    const share = `pass rate ${shareText(suite)}`;
    if (suite.checks === 0) return `${name(suite)}: ${share}`;
    return suite.passed ? `${name(suite)}: passed, ${share}` : `${name(suite)}: ${gateWord(suite)}: ${gateText(suite)}; ${share}`;
  });
}

/** `run.html`. */
export function suitesHtml({ suites }: Suites): SafeHtml {
  if (suites.length === 0) return html``;
  const name = suiteNames(suites);
  const shown = worstFirst(suites).slice(0, listed);
  const rows = shown.map((suite) => {
    const kind = suite.checks === 0 ? "open" : suite.passed ? "ok" : suite.undecided ? "open" : "bad";
    const gate = suite.checks === 0 ? "–" : suite.passed ? "passed" : `${gateWord(suite)}: ${shortGateText(suite)}`;
    return html`<tr class="${kind}"><th scope="row">${name(suite)}</th><td>${shareText(suite)}</td><td class="points">${score(suite.average_weighted_score)}</td><td class="gate">${gate}</td></tr>`;
  });
  const left = suites.length - shown.length;
  return html`<section class="suites"><h2>Suites <small>${suites.length}</small></h2><div class="wide"><table>
<thead><tr><th scope="col">suite</th><th scope="col">pass rate</th><th scope="col" class="points">score</th><th scope="col">gate</th></tr></thead>
<tbody>${rows}</tbody></table></div>${left > 0 ? html`<p class="more">… and ${plural(left, "more suite")}: see run.json</p>` : html``}</section>`;
}

function worstFirst(suites: readonly SuiteSummary[]): SuiteSummary[] {
  const rank = ({ passed, undecided, checks }: SuiteSummary) => (passed ? (checks > 0 ? 2 : 3) : undecided ? 1 : 0);
  return suites.toSorted((a, b) => rank(a) - rank(b));
}

/** Errors are misses. */
function rateText({ pass_rate: rate }: SuiteSummary): string {
  return rate === null ? "N/A" : percent(rate);
}

/** `75.0% (3/4)`, and what is not in that share. */
function shareText(suite: SuiteSummary): string {
  const { rows_not_run: notRun, rows_not_graded: ungraded } = suite;
  const { passed, graded } = suiteRateParts(suite);
  const counts = suite.pass_rate === null ? "" : ` (${thousands(passed)}/${thousands(graded)})`;
  const others = [...(ungraded > 0 ? [`${thousands(ungraded)} not graded`] : []), ...(notRun > 0 ? [`${thousands(notRun)} not run`] : [])];
  return [`${rateText(suite)}${counts}`, ...others].join(", ");
}

function gateWord({ undecided }: SuiteSummary): string {
  return undecided ? "not reached yet" : "failed";
}

function gateCell(suite: SuiteSummary): SafeMarkdown {
  if (suite.checks === 0) return md`–`;
  if (suite.passed) return md`✅ passed`;
  return md`${suite.undecided ? md`⚠️` : md`❌`} ${text(gateWord(suite))}: ${text(gateText(suite), gateChars)}`;
}

function shortGateCell(suite: SuiteSummary): SafeMarkdown {
  if (suite.checks === 0 || suite.passed) return gateCell(suite);
  return md`${suite.undecided ? md`⚠️ not reached yet:` : md`❌`} ${text(shortGateText(suite), gateChars)}`;
}
