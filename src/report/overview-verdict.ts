import { numberText } from "../results/gate-text.ts";
import { passRateOf } from "../results/statistics.ts";
import { joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank, text } from "./markdown-parts.ts";
import { percent, thousands } from "./number-text.ts";
import { plannedOf } from "./overview-counts.ts";
import type { OverviewFacts } from "./overview-facts.ts";
import type { Level } from "./overview-level.ts";
import { titleWithColon } from "./overview-title.ts";

const gateReasonChars = 500;
const gateReasons = 10;

/** The first line: what came out, in words and with a sign, of what, and how many tasks passed. */
export function headline(facts: OverviewFacts, maxTitleBytes?: number): SafeMarkdown {
  const { sign, words } = verdictWords(facts);
  return md`## ${signs[sign]} ${titleWithColon(facts.title, maxTitleBytes)} ${text(words)}`;
}

const signs = { passed: md`✅`, failed: md`❌`, warning: md`⚠️` } as const;

interface VerdictWords {
  readonly sign: keyof typeof signs;
  readonly words: string;
}

function verdictWords({ summary, gate }: OverviewFacts): VerdictWords {
  const { verdict, interrupted, tasks_succeeded: succeeded } = summary;
  const planned = plannedOf(summary);
  const share = `${thousands(succeeded)} of ${thousands(planned)} ${planned === 1 ? "task" : "tasks"}`;
  const passes = gate?.passes ?? verdict === "passed";
  const [reason] = gate?.reasons ?? summary.verdict_reasons;
  if (interrupted) {
    // A certain failure stays one, whatever the rest would have brought.
    if (verdict === "failed") return { sign: "failed", words: `failed and cut short, ${share} passed` };
    return { sign: "warning", words: `incomplete (cut short), ${share} passed` };
  }
  if (verdict === "empty")
    return passes ? { sign: "passed", words: "nothing to run" } : { sign: "failed", words: "failed, nothing to run" };
  if (!passes) {
    if (verdict === "incomplete") return { sign: "warning", words: `incomplete, ${share} passed` };
    // All passed and it is red all the same: nobody should have to look for why.
    const but = succeeded === planned && reason !== undefined ? `, but ${reason}` : "";
    return { sign: "failed", words: `failed, ${share} passed${but}` };
  }
  if (verdict === "passed") return { sign: "passed", words: succeeded === planned ? `passed, ${share}` : `passed, ${share} passed` };
  return { sign: "warning", words: `${isAdvisory(summary) ? "failed (advisory)" : "failures tolerated"}, ${share} passed` };
}

function isAdvisory(summary: OverviewFacts["summary"]): boolean {
  return summary.gate?.fail_on === "never";
}

/** Why the gate decided as it did: what keeps the run from passing, what it asked for, and what it let pass. */
export function gateLines({ summary, gate }: OverviewFacts, level: Level): SafeMarkdown[] {
  const passes = gate?.passes ?? summary.verdict === "passed";
  const reasons = passes ? [] : (gate?.reasons ?? summary.verdict_reasons);
  const lines = reasons.length === 0 ? [] : [md`**Why**: ${sentence(reasons, level)}`];
  const asked = summary.gate?.min_pass_rate ?? undefined;
  const { rate } = passRateOf(summary);
  if (passes && asked !== undefined && rate !== undefined) {
    lines.push(md`**Asked**: at least ${text(numberText(asked * 100))}% passed; ${text(percent(rate))} did`);
  }
  const tolerated = gate?.tolerated ?? [];
  if (tolerated.length > 0) lines.push(md`**Tolerated**${policy(summary)}: ${sentence(tolerated, level)}`);
  return lines.flatMap((line) => [blank, line]);
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
