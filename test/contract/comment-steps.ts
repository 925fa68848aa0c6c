import { createApi } from "../../src/github/api.ts";
import { type CommentEnd, type CommentSlot, openComment } from "../../src/github/comment.ts";
import { hashKey, markerLine } from "../../src/github/comment-marker.ts";
import type { SafeMarkdown } from "../../src/untrusted/markdown.ts";
import { type RestApi, type RestApiOptions, startRestApi } from "../fakes/rest-api.ts";
import type { Account } from "../fakes/rest-api-routes.ts";

export const number = 7;
export const stranger: Account = { login: "stranger", type: "User" };
export const bot: Account = { login: "github-actions[bot]", type: "Bot" };

interface Step {
  readonly key?: string;
  readonly runId?: string | undefined;
  readonly runAttempt?: number;
  readonly fork?: boolean;
  readonly data?: string;
}

export async function startServer(t: { after(work: () => unknown): void }, options: RestApiOptions = {}): Promise<RestApi> {
  const server = await startRestApi(options);
  t.after(() => server.close());
  return server;
}

/** Each step of a workflow has a client of its own. */
export async function openSlot(
  server: RestApi,
  step: Step = {},
): Promise<CommentSlot | Exclude<CommentEnd, { kind: "written" | "newer" }>> {
  const api = createApi("t0ken", { apiUrl: server.url }, { signal: new AbortController().signal, timing: { secondMs: 2 } });
  const { key = "evals", runId = "100", runAttempt = 1, fork = false } = step;
  return await openComment(api, { repository: server.repository.fullName, number, key, fork, runId, runAttempt });
}

export async function write(server: RestApi, ladder: Iterable<SafeMarkdown>, step: Step = {}): Promise<CommentEnd> {
  const slot = await openSlot(server, step);
  return "kind" in slot ? slot : await slot.write(ladder, step.data ?? "");
}

/** A comment that is there before. */
export function put(server: RestApi, body: string, author: Account = stranger): number {
  const id = Math.max(1000, ...server.repository.comments.map((comment) => comment.id)) + 1;
  server.repository.comments.push({ id, issue: number, author, body });
  return id;
}

export const marker = (runId: string, attempt = 1, key = "evals"): string => markerLine({ key: hashKey(key), runId, attempt, data: "" });
export const bodies = (server: RestApi): string[] => server.repository.comments.map(({ body }) => body);
export const writes = (server: RestApi): string[] =>
  server.writes().map(({ method, path }) => `${method} ${path.replace("/repos/octo-org/evals/issues", "")}`);
