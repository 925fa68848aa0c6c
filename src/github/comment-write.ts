import type { Answer, Api } from "./api.ts";
import type { ApiFailure } from "./api-failure.ts";
import type { CommentBodies } from "./comment-body.ts";
import { type CommentMarker, isLater, parseMarker } from "./comment-marker.ts";
import { type CommentSearch, type OwnComment, restComment, unexpectedAnswer } from "./comment-search.ts";

// GitHub has no "create if there is none" for comments, and several jobs may write one at the same time. So all of them follow one
// rule: the oldest comment of ours is the comment, and whoever made another one moves over and deletes only what it made itself.

export interface CommentWriter {
  readonly api: Api;
  readonly issue: { readonly owner: string; readonly repo: string; readonly number: number };
  readonly search: CommentSearch;
  readonly marker: CommentMarker;
  readonly bodies: CommentBodies;
}

export type WriteEnd =
  | { readonly kind: "written"; readonly comment: OwnComment; readonly created: boolean; readonly shortened: boolean }
  | { readonly kind: "newer"; readonly comment: OwnComment }
  | { readonly kind: "failed"; readonly failure: ApiFailure };

const maxCreations = 2;
/** GitHub's lists may lag a moment behind what was written. */
const lagSeconds = 2;

/** @param own our comments of this key, oldest first */
export async function writeComment(writer: CommentWriter, own: readonly OwnComment[]): Promise<WriteEnd> {
  const [canonical, ...duplicates] = own;
  if (canonical === undefined) return await createComment(writer);
  const later = own.find((comment) => isLater(comment.marker, writer.marker));
  if (later !== undefined) return { kind: "newer", comment: later };
  const end = await updateComment(writer, canonical);
  if (end.kind === "gone") return await writeComment(writer, duplicates);
  // Only now: a report that stands nowhere would be worse than one that stands twice.
  if (end.kind === "written") for (const { id } of duplicates) await deleteComment(writer, id);
  return end;
}

async function updateComment(writer: CommentWriter, target: OwnComment): Promise<WriteEnd | { readonly kind: "gone" }> {
  const { api, issue, bodies, marker } = writer;
  const at = { owner: issue.owner, repo: issue.repo, comment_id: target.id };
  // Read again: another run may have written since, and an unchanged comment is left alone.
  const read = await api.request("GET /repos/{owner}/{repo}/issues/comments/{comment_id}", at);
  if (read.kind === "failed") return isGone(read.failure) ? { kind: "gone" } : read;
  const now = ownComment(read.data);
  if (now === undefined) return { kind: "failed", failure: unexpectedAnswer };
  if (isLater(now.marker, marker)) return { kind: "newer", comment: now };
  const answer = await send(bodies, async (body) =>
    body === now.body.replaceAll("\r\n", "\n")
      ? read
      : await api.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", { ...at, body }),
  );
  if (answer.kind === "failed") return isGone(answer.failure) ? { kind: "gone" } : answer;
  return writtenEnd(writer, answer.data, false);
}

async function createComment(writer: CommentWriter): Promise<WriteEnd> {
  const { api, issue, bodies, search } = writer;
  for (let creations = 1; ; creations += 1) {
    const answer = await send(bodies, (body) =>
      // Never tried again blindly: an answer that was lost on its way may have been a yes.
      api.request(
        "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
        { owner: issue.owner, repo: issue.repo, issue_number: issue.number, body },
        { once: true },
      ),
    );
    if (answer.kind === "ok") return await converge(writer, answer.data);
    if (!mayHaveWorked(answer.failure) || !(await api.pause(lagSeconds))) return answer;
    const found = await search.find();
    if (found.kind === "failed") return found;
    if (found.own.length > 0) return await adopt(writer, found.own);
    if (creations === maxCreations) return answer;
  }
}

/** There is one now: the one that we made without hearing of it, or another job's. */
async function adopt(writer: CommentWriter, own: readonly OwnComment[]): Promise<WriteEnd> {
  const end = await writeComment(writer, own);
  const { runId, attempt } = own[0]?.marker ?? {};
  const ours = runId === writer.marker.runId && attempt === writer.marker.attempt;
  return end.kind === "written" ? { ...end, created: ours } : end;
}

/** Looks whether another job has made the comment at the same time, and moves over to it when it was first. */
async function converge(writer: CommentWriter, data: unknown): Promise<WriteEnd> {
  const parsed = restComment.safeParse(data);
  const end = writtenEnd(writer, data, true);
  if (!parsed.success || end.kind !== "written") return end;
  writer.search.trustAuthor(parsed.data);
  const found = await writer.search.find();
  const oldest = found.kind === "found" ? found.own[0] : undefined;
  if (oldest === undefined || oldest.id >= end.comment.id) return end;
  const moved = isLater(oldest.marker, writer.marker) ? ({ kind: "newer", comment: oldest } as const) : await updateComment(writer, oldest);
  if (moved.kind === "gone" || moved.kind === "failed") return end;
  await deleteComment(writer, end.comment.id);
  return moved;
}

/** Sends the fullest body that GitHub takes. */
async function send(bodies: CommentBodies, attempt: (body: string) => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await attempt(bodies.current.text);
    if (answer.kind === "ok" || !isTooLong(answer.failure) || !bodies.shrink()) return answer;
  }
}

async function deleteComment({ api, issue }: CommentWriter, id: number): Promise<void> {
  // One that can't be deleted is the next run's to delete.
  await api.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", { owner: issue.owner, repo: issue.repo, comment_id: id });
}

function writtenEnd({ bodies, marker }: CommentWriter, data: unknown, created: boolean): WriteEnd {
  const { text, shortened } = bodies.current;
  const comment = ownComment(data);
  if (comment === undefined) return { kind: "failed", failure: unexpectedAnswer };
  return { kind: "written", comment: { ...comment, body: text, marker }, created, shortened };
}

/** A comment that is known to be ours, even if someone has edited its marker away. */
function ownComment(data: unknown): OwnComment | undefined {
  const parsed = restComment.safeParse(data);
  if (!parsed.success) return undefined;
  const { id, html_url: url, body } = parsed.data;
  const text = body ?? "";
  return { id, url, body: text, marker: parseMarker(text) ?? { key: "", runId: undefined, attempt: 1, data: "" } };
}

const isGone = ({ status }: ApiFailure): boolean => status === 404 || status === 410;
const isTooLong = ({ status, message }: ApiFailure): boolean => status === 413 || (status === 422 && /too long/i.test(message));
const mayHaveWorked = ({ cause }: ApiFailure): boolean => cause === "server" || cause === "unreachable";
