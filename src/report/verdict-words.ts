import type { GateEnd } from "../results/gate.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { plannedOf } from "../results/statistics.ts";
import { plural, thousands } from "./number-text.ts";

export interface VerdictWords {
  readonly sign: "passed" | "failed" | "warning";
  /** What came out and how many tasks passed: `failed, 8 of 10 tasks passed`. */
  readonly words: string;
  /** Every task passed and the gate does not: nobody should have to look for why. Foreign. */
  readonly but: string | undefined;
}

/** How a run ended for whoever sees it first. Comment, summary, annotation and log all say it in these words. */
export function verdictWords(summary: RunSummary, gate: GateEnd | undefined): VerdictWords {
  const { verdict, interrupted, tasks_succeeded: succeeded } = summary;
  const planned = plannedOf(summary);
  const share = `${thousands(succeeded)} of ${plural(planned, "task")}`;
  const said = (sign: VerdictWords["sign"], words: string, but?: string): VerdictWords => ({ sign, words, but });
  const passes = gate?.passes ?? verdict === "passed";
  if (interrupted) {
    // A certain failure stays one, whatever the rest would have brought.
    return verdict === "failed"
      ? said("failed", `failed and cut short, ${share} passed`)
      : said("warning", `incomplete (cut short), ${share} passed`);
  }
  if (verdict === "empty") return passes ? said("passed", "nothing to run") : said("failed", "failed, nothing to run");
  if (!passes) {
    if (verdict === "incomplete") return said("warning", `incomplete, ${share} passed`);
    const [reason] = gate?.reasons ?? summary.verdict_reasons;
    return said("failed", `failed, ${share} passed`, succeeded === planned ? reason : undefined);
  }
  if (verdict === "passed") return said("passed", succeeded === planned ? `passed, ${share}` : `passed, ${share} passed`);
  return said("warning", `${summary.gate?.fail_on === "never" ? "failed (advisory)" : "failures tolerated"}, ${share} passed`);
}
