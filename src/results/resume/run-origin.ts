import { z } from "zod";
import { numberOr, textOr, textOrNull } from "../tolerant.ts";

/** The job of a workflow that a run belongs to. By it a later attempt of the same job knows its artifact. */
export const runOriginSchema = z.object({
  /** `owner/name`. */
  repository: textOr(""),
  workflow_run_id: textOr(""),
  workflow_run_attempt: numberOr(1),
  /** Id of the job in the workflow file. */
  job: textOrNull,
  /** Digest of the job's matrix values; null outside of a matrix. */
  leg: textOrNull,
  /** Id of the step. */
  step: textOrNull,
});

export type RunOrigin = z.infer<typeof runOriginSchema>;
