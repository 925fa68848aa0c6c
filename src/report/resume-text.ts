import { passedOnRetry } from "../results/counted-outcome.ts";
import { sortDrift } from "../results/fingerprint/drift-text.ts";
import type { ResumeCounts } from "../results/resume/resume-counts.ts";
import type { DriftPolicy, ResumeFacts, RetryPolicy, RunReason } from "../results/resume/resume-facts.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { plural, thousands } from "./number-text.ts";

// How a run continued another one, in words that all reports share.

/** Behind "Continued from": `attempt 1 of workflow run 19283746`, `attempt 1 in the same directory`. */
export function earlierText({ attempt, source }: ResumeFacts): string {
  const number = `attempt ${source.workflow_run_attempt ?? Math.max(1, attempt - 1)}`;
  if (source.kind === "directory") return `${number} in the same directory`;
  const id = source.workflow_run_id ?? "";
  return /^\d{1,19}$/.test(id) ? `${number} of workflow run ${id}` : number;
}

/** `37 results kept, 3 tasks run (2 interrupted, 1 error)`; of a run that was cut short also what it did not come to. */
export function keptText(facts: ResumeFacts, counts: ResumeCounts): string {
  const { kept, ran, toRun } = counts;
  const run = ran === toRun ? `${plural(ran, "task")} run` : `${thousands(ran)} of ${plural(toRun, "task")} run`;
  const why = reasonsText(facts.reasons);
  return `${plural(kept, "result")} kept, ${run}${why === "" ? "" : ` (${why})`}`;
}

const reasonWords: Readonly<Record<RunReason, readonly [one: string, many: string]>> = {
  missing: ["without a result", "without a result"],
  interrupted: ["interrupted", "interrupted"],
  unreadable: ["unreadable", "unreadable"],
  "not graded": ["not graded", "not graded"],
  error: ["error", "errors"],
  failed: ["failed", "failed"],
  drift: ["changed since", "changed since"],
};

/** In a fixed order; what a later version calls otherwise is counted. */
function reasonsText(reasons: ResumeFacts["reasons"]): string {
  const known = Object.entries(reasonWords).map(([reason, [one, many]]) => [reasons[reason] ?? 0, one, many] as const);
  const others = Object.entries(reasons).reduce((sum, [reason, count]) => sum + (Object.hasOwn(reasonWords, reason) ? 0 : count), 0);
  return [...known, [others, "for another reason", "for other reasons"] as const]
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${thousands(count)} ${count === 1 ? one : many}`)
    .join(", ");
}

const retryWords: Readonly<Record<RetryPolicy, string>> = {
  missing: "tasks without a result",
  errors: "tasks without a result and errors",
  failed: "tasks without a result, errors and failures",
};

/** What ran again by the policy: `tasks without a result and errors`. */
export function retryText({ retry }: ResumeFacts): string {
  return retryWords[retry];
}

/** Undefined where every success counts in the pass rate. */
export function laterPassesText(summary: Pick<RunSummary, "task_results">): string | undefined {
  const { length: count } = summary.task_results.filter(passedOnRetry);
  if (count === 0) return undefined;
  return `${plural(count, "task")} passed only on a later attempt; the pass rate counts the first graded attempt of a task`;
}

/** What a person must know before the table of differences, in sentences. */
export function driftIntro(summary: Pick<RunSummary, "drift">): string[] {
  const { grave } = sortDrift(summary.drift);
  return [
    ...(grave.some(({ kind }) => kind !== "versions") ? ["Settings, files or surroundings have changed since the earlier attempt."] : []),
    ...(grave.some(({ kind }) => kind === "versions") ? ["Not all tasks of this run saw the same versions."] : []),
    ...(grave.some(({ kind }) => kind === "content") ? ["Of files and texts a digest is shown."] : []),
  ];
}

/** Before what no result depends on. @param alone nothing else is different */
export function benignLabel(alone: boolean): string {
  return `${alone ? "Different from the earlier attempt" : "Also different"}, without effect on results`;
}

/** What was done about the differences, and the setting that says so; undefined where no result was made under other settings. */
export function driftPolicyText({ resume, drift }: Pick<RunSummary, "resume" | "drift">): PolicyText | undefined {
  if (resume === null || !drift.some(({ kind, benign }) => kind !== "versions" && !benign)) return undefined;
  const again = resume.reasons.drift ?? 0;
  const texts: Readonly<Record<DriftPolicy, string>> = {
    warn: "Results made under other settings were kept",
    rerun: again === 0 ? "No task had to run again for it" : `${plural(again, "task was", "tasks were")} run again for it`,
    fail: "Results made under other settings were to be refused",
  };
  return { text: texts[resume.on_drift], setting: `on-drift: ${resume.on_drift}` };
}

export interface PolicyText {
  readonly text: string;
  readonly setting: string;
}
