import { plural } from "../report/number-text.ts";
import { driftIntro, driftPolicyText } from "../report/resume-text.ts";
import { driftLine, sortDrift } from "../results/fingerprint/drift-text.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";

const named = 3;

export const driftTitle = "evalbatch: results differ in what they were made with";

/**
 * One warning for all differences between the results of a run: the first of them, what was done about them, and where the rest is told.
 * Undefined where there are none that may have changed a result. Foreign text.
 */
export function driftWarning(summary: Pick<RunSummary, "resume" | "drift">): string | undefined {
  const { grave } = sortDrift(summary.drift);
  if (grave.length === 0) return undefined;
  const policy = driftPolicyText(summary);
  const left = grave.length - named;
  return [
    driftIntro(summary).join(" "),
    ...grave.slice(0, named).map((entry) => `- ${driftLine(entry)}`),
    ...(left > 0 ? [`- and ${plural(left, "more difference")}`] : []),
    ...(policy === undefined ? [] : [`${policy.text} (${policy.setting}).`]),
    "The job summary and run.md have the whole table.",
  ].join("\n");
}
