import { createHash } from "node:crypto";
import type { RunOrigin } from "../results/resume/run-origin.ts";
import { legKey } from "./artifact-name.ts";
import type { GitHubEnvironment } from "./environment.ts";
import { quote } from "./input-types.ts";

type Place = Pick<GitHubEnvironment, "repository" | "runId" | "runAttempt" | "job" | "action">;

/**
 * The job that a run belongs to, for its `plan.json`; null outside of a job.
 * @param matrixLeg `toJSON(matrix)`, as the input `matrix-leg` has it
 */
export function originOf({ repository, runId, runAttempt, job, action }: Place, matrixLeg: string | undefined): RunOrigin | null {
  if (repository === undefined || runId === undefined) return null;
  const key = legKey(matrixLeg);
  return {
    repository,
    workflow_run_id: runId,
    workflow_run_attempt: runAttempt,
    job: job ?? null,
    leg: key === undefined ? null : createHash("sha256").update(key).digest("hex"),
    step: action ?? null,
  };
}

/** What about another run's origin keeps its results from being ours; undefined when nothing does. */
export function whyForeign(theirs: RunOrigin | null, ours: RunOrigin, run: string): string | undefined {
  if (theirs === null) return "its plan.json does not say which job made it";
  if (theirs.repository.toLowerCase() !== ours.repository.toLowerCase()) return "it was made in another repository";
  if (theirs.job !== ours.job) return `it was made by another job, ${quote(theirs.job ?? "")}`;
  if (theirs.leg !== ours.leg) return "it was made by another leg of the matrix";
  if (theirs.step !== ours.step) return `it was made by another step, ${quote(theirs.step ?? "")}`;
  if (theirs.workflow_run_id !== run) return `it was made by another workflow run, ${quote(theirs.workflow_run_id)}`;
  if (run === ours.workflow_run_id && theirs.workflow_run_attempt >= ours.workflow_run_attempt) return "it is of no earlier attempt";
  return undefined;
}
