import { createApi } from "../github/api.ts";
import { type CommentEnd, type CommentSlot, commentKey, openComment } from "../github/comment.ts";
import type { CommentPlace } from "../github/comment-file.ts";
import { findPullRequest } from "../github/pull-request.ts";
import { commentLadder, type OverviewFacts } from "../report/overview.ts";
import { type Changes, compareWithPrevious, encodeRows } from "../results/row-digest.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { commitOf, type JobContext } from "./job-context.ts";

/** Where the comment goes, with what the last one remembers; or why there is none. */
export type CommentOpening =
  | { readonly kind: "open"; readonly slot: CommentSlot; readonly changes: Changes | undefined }
  | { readonly kind: "off"; readonly why: string | undefined }
  | { readonly kind: "refused"; readonly why: string };

/** Finds the pull request and our comment on it. Never throws. */
export async function openRunComment(summary: RunSummary, job: JobContext, signal: AbortSignal): Promise<CommentOpening> {
  const { inputs, environment, event } = job;
  if (inputs.comment === "never") return { kind: "off", why: undefined };
  if (inputs.githubToken === undefined) return { kind: "off", why: "no comment: the input github-token is empty" };
  const { repository, runId, runAttempt } = environment;
  if (repository === undefined) return { kind: "off", why: "no comment: GITHUB_REPOSITORY is not set" };
  const api = createApi(inputs.githubToken, environment, { signal });
  const found = await findPullRequest(api, event, environment);
  if (found.kind === "none") return { kind: "off", why: `no comment: ${found.why}` };
  if (found.kind === "failed") return { kind: "refused", why: found.why };
  const slot = await openComment(api, {
    repository,
    number: found.number,
    key: commentKey(inputs.commentKey, environment, inputs.matrixLeg),
    fork: isForeign(job),
    runId,
    runAttempt,
  });
  if ("kind" in slot) return { kind: "refused", why: slot.why };
  return { kind: "open", slot, changes: compareWithPrevious(slot.previousData, summary, slot.previousAttempt) };
}

/** Writes the comment. Gives its address when it stands. */
export async function writeRunComment(slot: CommentSlot, facts: OverviewFacts, job: JobContext): Promise<CommentEnd> {
  return slot.write(commentLadder(facts), encodeRows(facts.summary, commitOf(job)));
}

/** Tells why there is no comment: quietly where that is the normal case, as a warning where the workflow asked for one. */
export function tellNoComment(opening: Exclude<CommentOpening, { kind: "open" }>, job: JobContext): void {
  const { commands, inputs } = job;
  if (opening.why === undefined) return;
  // A fork's token can never write, and nobody can change that in the workflow: not a warning on each of its pushes.
  if (opening.kind === "refused") {
    if (isForeign(job)) commands.notice(opening.why, { title: "evalbatch" });
    else commands.warning(opening.why, { title: "evalbatch" });
  } else if (inputs.comment === "always") commands.warning(opening.why, { title: "evalbatch" });
  else commands.lines(opening.why, "note: ");
}

/** What another workflow needs to post the comment for us; undefined where the event is no pull request's. */
export function commentPlaceOf({ environment, event, inputs }: JobContext): CommentPlace | undefined {
  const { repository, runId, runAttempt } = environment;
  if (event.kind !== "pull_request" || repository === undefined) return undefined;
  const key = commentKey(inputs.commentKey, environment, inputs.matrixLeg);
  return { repository, number: event.number, headSha: event.headSha, runId, runAttempt, key };
}

/** A pull request whose job gets a token that can only read, and no secrets. */
export function isForeign({ event }: Pick<JobContext, "event">): boolean {
  return event.kind === "pull_request" && (event.fork || event.dependabot);
}
