import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { DriftEntry } from "../results/fingerprint/drift-schema.ts";
import type { DriftPolicy, ResumeFacts, ResumeSource, RetryPolicy, SetAside } from "../results/resume/resume-facts.ts";

/** How the user wants an earlier run to be continued. */
export interface ResumeRequest {
  readonly retry: RetryPolicy;
  readonly onDrift: DriftPolicy;
  /** Where the earlier results come from. */
  readonly source: ResumeSource;
}

/** What of a run was there already, and what of it differs. */
export interface EarlierPart {
  /** Null for a run from scratch. */
  readonly resume: ResumeFacts | null;
  readonly drift: readonly DriftEntry[];
  readonly setAside: readonly SetAside[];
}

/** A planned row that is to run now. */
export interface RowToRun {
  readonly task: ResolvedTask;
  /** In the plan. */
  readonly index: number;
  /** An old result that stays if the row is not started any more. */
  readonly fallback: boolean;
}
