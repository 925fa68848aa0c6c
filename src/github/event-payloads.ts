import { z } from "zod";

// The few fields of webhook payloads that we read (docs.github.com, "Webhook events and payloads"). Everything else may
// be missing, as it is in events made by hand for local runners. Texts are foreign: bounded here, and escaped where shown.

export const commitSha = z.string().regex(/^[0-9a-f]{40,64}$/i);
export const issueNumber = z.int().positive();

/** Longer than what GitHub allows. */
const login = z.string().min(1).max(100);
const branch = z.string().min(1).max(1000);

/** What can't be read counts as not there. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined);

const repository = z.object({
  id: optional(z.int()),
  full_name: optional(z.string().max(300)),
  owner: optional(z.object({ login })),
});
export type Repository = z.infer<typeof repository>;

const pullRequest = z.object({
  number: issueNumber,
  user: optional(z.object({ login })),
  head: z.object({ sha: commitSha, repo: optional(repository) }),
  base: optional(z.object({ repo: optional(repository) })),
});

export const pullRequestPayload = z.object({ pull_request: pullRequest, repository: optional(repository) });

/** An issue is a pull request when it says so. */
export const issueCommentPayload = z.object({
  issue: z.object({ number: issueNumber, pull_request: optional(z.looseObject({})) }),
});

export const pushPayload = z.object({ after: commitSha });

export const mergeGroupPayload = z.object({ merge_group: z.object({ head_sha: commitSha }) });

const linkedPullRequest = z.object({
  number: issueNumber,
  head: z.object({ sha: commitSha }),
  base: optional(z.object({ repo: optional(repository) })),
});

export const workflowRunPayload = z.object({
  workflow_run: z.object({
    head_sha: commitSha,
    head_branch: optional(branch),
    head_repository: optional(repository),
    event: optional(z.string().min(1).max(100)),
    pull_requests: optional(z.array(z.unknown()).max(1000)).transform((list) =>
      (list ?? []).flatMap((entry) => linkedPullRequest.safeParse(entry).data ?? []),
    ),
  }),
  repository: optional(repository),
});

/** Whether both are known and one and the same; ids before names, which can change hands. */
export function isSameRepository(a: Repository | null | undefined, b: Repository | null | undefined): boolean {
  if (a === undefined || a === null || b === undefined || b === null) return false;
  if (typeof a.id === "number" && typeof b.id === "number") return a.id === b.id;
  if (typeof a.full_name !== "string" || typeof b.full_name !== "string") return false;
  return a.full_name.toLowerCase() === b.full_name.toLowerCase();
}
