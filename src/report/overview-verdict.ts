import { percentText } from "../results/gate-text.ts";
import { passRateOf } from "../results/statistics.ts";
import { joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank, text } from "./markdown-parts.ts";
import { percent } from "./number-text.ts";
import type { OverviewFacts } from "./overview-facts.ts";
import type { Level } from "./overview-level.ts";
import { titleWithColon } from "./overview-title.ts";
import { verdictWords } from "./verdict-words.ts";

const gateReasonChars = 500;
const gateReasons = 10;

/** The first line: what came out, in words and with a sign, of what, and how many tasks passed. */
export function headline(facts: OverviewFacts, maxTitleBytes?: number): SafeMarkdown {
  const { sign, words, but } = verdictWords(facts.summary, facts.gate);
  return md`## ${signs[sign]} ${titleWithColon(facts.title, maxTitleBytes)} ${text(but === undefined ? words : `${words}, but ${but}`)}`;
}

const signs = { passed: md`✅`, failed: md`❌`, warning: md`⚠️` } as const;

/** Why the gate decided as it did: what keeps the run from passing, what it asked for, and what it let pass. */
export function gateLines({ summary, gate }: OverviewFacts, level: Level): SafeMarkdown[] {
  const passes = gate?.passes ?? summary.verdict === "passed";
  const reasons = passes || onlyCounts(summary) ? [] : (gate?.reasons ?? summary.verdict_reasons);
  const lines = reasons.length === 0 ? [] : [md`**Why**: ${sentence(reasons, level)}`];
  const asked = summary.gate?.min_pass_rate ?? undefined;
  const { rate } = passRateOf(summary);
  const isRateTold = passes && asked !== undefined && rate !== undefined;
  if (isRateTold) lines.push(md`**Asked**: at least ${text(percentText(asked))} passed; ${text(percent(rate))} did`);
  // What a rate lets pass is in the rate, and what is let pass by a gate that fails all the same is beside the point.
  const tolerated = !passes || (isRateTold && summary.gate?.fail_on === "failure") ? [] : (gate?.tolerated ?? []);
  if (tolerated.length > 0) lines.push(md`**Tolerated**${policy(summary)}: ${sentence(tolerated, level)}`);
  return lines.flatMap((line) => [blank, line]);
}

/** The reasons of a strict gate are the counts below once more, unless nothing but errors or nothing at all came out. */
function onlyCounts({ gate, verdict, tasks_error: errors, tasks_run: run }: OverviewFacts["summary"]): boolean {
  const isStrict = gate === null || (gate.fail_on === "failure" && gate.min_pass_rate === null && gate.min_task_score === null);
  return isStrict && verdict !== "empty" && (errors === 0 || errors < run);
}

function policy(summary: OverviewFacts["summary"]): SafeMarkdown {
  const failOn = summary.gate?.fail_on;
  if (failOn === "never") return md` (advisory: <code>fail-on: never</code>)`;
  return failOn === "error" ? md` (<code>fail-on: error</code>)` : blank;
}

function sentence(reasons: readonly string[], level: Level): SafeMarkdown {
  const shown = reasons.slice(0, Math.min(gateReasons, level.names)).map((reason) => text(reason, gateReasonChars));
  const more = reasons.length - shown.length;
  return md`${joinMarkdown(shown, md`; `)}${more > 0 ? md`; and ${more} more` : blank}`;
}
