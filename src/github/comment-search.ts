import { z } from "zod";
import type { Api } from "./api.ts";
import type { ApiFailure } from "./api-failure.ts";
import { type CommentMarker, parseMarker } from "./comment-marker.ts";

/** A comment of ours. */
export interface OwnComment {
  readonly id: number;
  readonly url: string;
  readonly body: string;
  readonly marker: CommentMarker;
}

export type CommentsFound =
  /** Oldest first. */
  { readonly kind: "found"; readonly own: readonly OwnComment[] } | { readonly kind: "failed"; readonly failure: ApiFailure };

export interface CommentSearch {
  /** The comments of this key that the token's own account wrote. */
  find(): Promise<CommentsFound>;
  /** Takes the author of a comment that we have just made for us. */
  trustAuthor(comment: RestComment): void;
}

const author = z.object({ login: z.string(), type: z.string().optional() });

export const restComment = z.object({
  id: z.int(),
  body: z.string().nullish(),
  html_url: z.string().max(2000).catch(""),
  user: author.nullish().catch(undefined),
});
export type RestComment = z.infer<typeof restComment>;

const viewerData = z.object({ viewer: z.object({ login: z.string().min(1) }) });
const userData = z.object({ login: z.string().min(1) });

/**
 * Looks for our comments on a pull request, on all of its pages. Anyone can write the marker into a comment of their own, so a
 * comment is ours only when the marker is its very start and the token's own account wrote it.
 * @param key hash of the comment's key
 */
export function createCommentSearch(
  api: Api,
  place: { readonly owner: string; readonly repo: string; readonly number: number; readonly key: string },
): CommentSearch {
  const { owner, repo, number, key } = place;
  let accounts: Promise<Set<string>> | undefined;
  let ownAccounts = new Set<string>();

  return {
    async find() {
      const candidates: { readonly comment: RestComment; readonly marker: CommentMarker }[] = [];
      const pages = api.pages("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        owner,
        repo,
        issue_number: number,
        per_page: 100,
      });
      for await (const page of pages) {
        if (page.kind === "failed") return page;
        if (!Array.isArray(page.data)) return { kind: "failed", failure: unexpectedAnswer };
        for (const entry of page.data) {
          const comment = restComment.safeParse(entry).data;
          const marker = parseMarker(comment?.body ?? "");
          if (comment !== undefined && marker?.key === key) candidates.push({ comment, marker });
        }
      }
      // Most first comments have no rival, and need no question after the author.
      if (candidates.length === 0) return { kind: "found", own: [] };
      accounts ??= ownLogins(api);
      ownAccounts = new Set([...ownAccounts, ...(await accounts)]);
      const own = candidates
        .filter(({ comment }) => ownAccounts.has(accountOf(comment)))
        .map(({ comment, marker }) => ({ id: comment.id, url: comment.html_url, body: comment.body ?? "", marker }))
        .sort((a, b) => a.id - b.id);
      return { kind: "found", own };
    },
    trustAuthor(comment) {
      if (accountOf(comment) !== "") ownAccounts.add(accountOf(comment));
    },
  };
}

export const unexpectedAnswer: ApiFailure = {
  cause: "server",
  status: undefined,
  message: "GitHub's answer is not of its documented form",
};

function accountOf({ user }: RestComment): string {
  return user?.login.toLowerCase() ?? "";
}

/**
 * Whose token it is. GraphQL knows it of every kind of token, the REST API only of a person's; where neither tells (an enterprise
 * server without GraphQL), it is taken for the job's own token.
 */
async function ownLogins(api: Api): Promise<Set<string>> {
  const viewer = await api.graphql("query { viewer { login } }");
  const ofViewer = viewer.kind === "ok" ? viewerData.safeParse(viewer.data).data?.viewer.login : undefined;
  if (ofViewer !== undefined) return new Set([ofViewer.toLowerCase()]);
  const user = await api.request("GET /user", {});
  const ofUser = user.kind === "ok" ? userData.safeParse(user.data).data?.login : undefined;
  return new Set([(ofUser ?? "github-actions[bot]").toLowerCase()]);
}
