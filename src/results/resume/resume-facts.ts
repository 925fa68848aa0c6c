import { z } from "zod";
import { fittingOrNull, numberOr, numberOrNull, numberRecord, textOr, textOrNull } from "../tolerant.ts";

/** Which rows of an earlier attempt run again, besides those without a result (docs/decisions/0012-resume.md). */
export const retryPolicies = ["missing", "errors", "failed"] as const;
export type RetryPolicy = (typeof retryPolicies)[number];

/** What becomes of kept results when settings or files have changed since. */
export const driftPolicies = ["warn", "rerun", "fail"] as const;
export type DriftPolicy = (typeof driftPolicies)[number];

/** Why a row runs in a resumed run. */
export const runReasons = ["missing", "interrupted", "unreadable", "not graded", "error", "failed", "drift"] as const;
export type RunReason = (typeof runReasons)[number];

/** Where the earlier results come from. */
export const resumeSourceSchema = z.object({
  /** `directory`: they lay there; `artifact`: of an earlier job on GitHub. */
  kind: z.enum(["directory", "artifact"]).catch("directory"),
  /** Name and page of the artifact. */
  artifact: textOrNull,
  url: textOrNull,
  /** Of the workflow run that made it. */
  workflow_run_id: textOrNull,
  workflow_run_attempt: numberOrNull,
});

/** How a run continued another one, in `plan.json` and `run.json`; null for a run from scratch. */
export const resumeFactsSchema = z.object({
  /** Which execution of the run this is; from 2. */
  attempt: numberOr(2),
  source: resumeSourceSchema,
  retry: z.enum(retryPolicies).catch("missing"),
  on_drift: z.enum(driftPolicies).catch("warn"),
  /** Results taken over. */
  rows_kept: numberOr(0),
  /** Rows that had to run, also those that did not come to it. */
  rows_to_run: numberOr(0),
  /** Those by reason (`runReasons`). */
  reasons: numberRecord,
  /** When the earlier execution began and, where it came to its end, ended. */
  earlier_start_time: textOrNull,
  earlier_end_time: textOrNull,
});

export const resumeOrNull = fittingOrNull(resumeFactsSchema);

export type ResumeSource = z.infer<typeof resumeSourceSchema>;
export type ResumeFacts = z.infer<typeof resumeFactsSchema>;

/** A file of an earlier attempt that was not used. */
export const setAsideSchema = z.object({
  /** Relative to the run directory. */
  path: z.string(),
  /** One line. */
  reason: textOr("unknown"),
  /** Its new name, relative to the run directory; null where it was left in its place. */
  moved_to: textOrNull,
});

export type SetAside = z.infer<typeof setAsideSchema>;
