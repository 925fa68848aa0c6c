import { z } from "zod";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { verdicts } from "../results/run-summary-schema.ts";
import { plannedOf } from "../results/statistics.ts";

const count = z.int().nonnegative();

/**
 * `comment.json`: what a workflow with a token that may write needs to post the comment of a run whose own token may
 * not (pull requests from forks). Numbers and ids only, no Markdown: whoever posts renders the comment itself, and must
 * check the pull request's head against `head_sha` through the API, since the file comes from the pull request's job.
 */
export const commentFileSchema = z.object({
  version: z.literal(1),
  repository: z.string(),
  pull_request: z.int().positive(),
  head_sha: z.string().regex(/^[0-9a-f]{40,64}$/),
  run_id: z.string().nullable(),
  run_attempt: z.int().positive(),
  /** Which of the pull request's comments it is; see the input `comment-key`. */
  key: z.string(),
  verdict: z.enum(verdicts).nullable(),
  tasks_planned: count,
  tasks_run: count,
  tasks_succeeded: count,
  tasks_failed: count,
  tasks_error: count,
  tasks_not_run: count,
  pass_rate: z.number().nullable(),
});

export type CommentFile = z.infer<typeof commentFileSchema>;

export interface CommentPlace {
  readonly repository: string;
  readonly number: number;
  readonly headSha: string;
  readonly runId: string | undefined;
  readonly runAttempt: number;
  readonly key: string;
}

/** The text of `comment.json` for a run. */
export function commentFileText(place: CommentPlace, summary: RunSummary): string {
  const file: CommentFile = {
    version: 1,
    repository: place.repository,
    pull_request: place.number,
    head_sha: place.headSha,
    run_id: place.runId ?? null,
    run_attempt: place.runAttempt,
    key: place.key,
    verdict: summary.verdict,
    tasks_planned: plannedOf(summary),
    tasks_run: summary.tasks_run,
    tasks_succeeded: summary.tasks_succeeded,
    tasks_failed: summary.tasks_failed,
    tasks_error: summary.tasks_error,
    tasks_not_run: summary.tasks_not_run,
    pass_rate: summary.pass_rate,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
