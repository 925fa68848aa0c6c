import { errorMessage } from "../errors.ts";
import type { SafeMarkdown } from "../untrusted/markdown.ts";
import type { Api } from "./api.ts";
import type { ApiFailure } from "./api-failure.ts";
import { explainFailure, type Refusal } from "./api-remedy.ts";
import { commentBodies } from "./comment-body.ts";
import { type CommentMarker, hashKey, isLater } from "./comment-marker.ts";
import { createCommentSearch, type OwnComment } from "./comment-search.ts";
import { writeComment } from "./comment-write.ts";

export { commentKey } from "./comment-key.ts";

export type CommentEnd =
  | { readonly kind: "written"; readonly url: string; readonly created: boolean; readonly shortened: boolean }
  /** The comment shows a later run already. */
  | { readonly kind: "newer"; readonly why: string }
  | Refusal;

export interface CommentSlot {
  /** The `data` of our last comment of this key: untrusted, its reader checks it. */
  readonly previousData: string | undefined;
  /** Where it is of an earlier attempt of this workflow run: which, from 1. */
  readonly previousAttempt: number | undefined;
  /**
   * Writes the comment, into the one that is there if there is one. Never throws.
   * @param ladder renderings from the fullest to the shortest
   * @param data what the comment remembers, `[A-Za-z0-9_-]*`
   */
  write(ladder: Iterable<SafeMarkdown>, data: string): Promise<CommentEnd>;
}

export interface CommentPlace {
  /** `owner/name`. */
  readonly repository: string;
  readonly number: number;
  readonly key: string;
  /** The job's token can only read: a pull request from a fork, or of Dependabot. */
  readonly fork: boolean;
  readonly runId: string | undefined;
  /** From 1. */
  readonly runAttempt: number;
}

/**
 * Looks for the comment that this step keeps on a pull request. Never throws.
 * @returns the place to write it to, or why it cannot be written, with what to do
 */
export async function openComment(api: Api, place: CommentPlace): Promise<CommentSlot | Refusal> {
  const [owner = "", repo = ""] = place.repository.split("/");
  const refuse = (failure: ApiFailure): Refusal =>
    explainFailure(failure, {
      what: `the comment on #${place.number} could not be written`,
      permissions: ["contents: read", "pull-requests: write"],
      readOnly: place.fork,
    });
  try {
    const issue = { owner, repo, number: place.number };
    const search = createCommentSearch(api, { ...issue, key: hashKey(place.key) });
    const found = await search.find();
    if (found.kind === "failed") return refuse(found.failure);
    let own = found.own;
    const last = lastOf(own)?.marker;
    const isSameRun = last?.runId !== undefined && last.runId === place.runId && last.attempt < place.runAttempt;
    return {
      previousData: last?.data || undefined,
      previousAttempt: isSameRun ? last.attempt : undefined,
      async write(ladder, data) {
        try {
          const marker: CommentMarker = { key: hashKey(place.key), runId: place.runId, attempt: place.runAttempt, data };
          const end = await writeComment({ api, issue, search, marker, bodies: commentBodies(ladder, marker) }, own);
          if (end.kind === "failed") return refuse(end.failure);
          if (end.kind === "newer") return { kind: "newer", why: newerText(end.comment, place.number) };
          own = [end.comment];
          return { kind: "written", url: end.comment.url, created: end.created, shortened: end.shortened };
        } catch (error) {
          return brokenEnd(error);
        }
      },
    };
  } catch (error) {
    return brokenEnd(error);
  }
}

function lastOf(comments: readonly OwnComment[]): OwnComment | undefined {
  return comments.reduce<OwnComment | undefined>(
    (last, each) => (last !== undefined && isLater(last.marker, each.marker) ? last : each),
    undefined,
  );
}

function newerText({ marker }: OwnComment, number: number): string {
  const attempt = marker.attempt > 1 ? `, attempt ${marker.attempt}` : "";
  return `the comment on #${number} already shows a later run (${marker.runId ?? "unknown"}${attempt})`;
}

function brokenEnd(error: unknown): Refusal {
  return { kind: "failed", why: `the comment could not be written, which is a bug of evalbatch: ${errorMessage(error)}` };
}
