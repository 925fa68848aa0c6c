import { z } from "zod";
import { assertNever, errorMessage } from "../errors.ts";
import type { Api, Parameters } from "./api.ts";
import type { ApiFailure } from "./api-failure.ts";
import { explainFailure } from "./api-remedy.ts";
import type { GitHubEnvironment } from "./environment.ts";
import type { GitHubEvent } from "./event.ts";
import { commitSha, issueNumber } from "./event-payloads.ts";

export type PullRequestFound =
  | { readonly kind: "found"; readonly number: number; readonly headSha: string }
  /** Nothing is wrong: there is none to be found. */
  | { readonly kind: "none"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

const pullRequest = z.object({
  number: issueNumber,
  state: z.string().catch(""),
  head: z.object({ sha: commitSha }),
  base: z.object({ repo: z.object({ full_name: z.string() }) }),
});
type PullRequest = z.infer<typeof pullRequest>;

/**
 * Finds the pull request that a run is about. Of several with the same head it is the oldest, so that each run finds the same
 * one; a closed or merged one is never looked up. Never throws.
 */
export async function findPullRequest(api: Api, event: GitHubEvent, environment: GitHubEnvironment): Promise<PullRequestFound> {
  try {
    return await find(api, event, environment);
  } catch (error) {
    return { kind: "failed", why: `the pull request could not be looked up, which is a bug of evalbatch: ${errorMessage(error)}` };
  }
}

async function find(api: Api, event: GitHubEvent, environment: GitHubEnvironment): Promise<PullRequestFound> {
  switch (event.kind) {
    case "pull_request":
      return { kind: "found", number: event.number, headSha: event.headSha };
    case "push":
      return await findByCommit(api, event.sha, environment);
    case "workflow_run":
      return await findByRun(api, event, environment);
    case "merge_group":
      return none("a merge queue's group is no pull request of its own");
    case "other":
      if (event.name === undefined) return none("this is no job of GitHub Actions (GITHUB_EVENT_NAME is not set)");
      if (event.pullRequest !== undefined) return await findByNumber(api, event.pullRequest, environment);
      return none(`the event "${event.name}" has no pull request`);
    default:
      return assertNever(event);
  }
}

async function findByCommit(api: Api, sha: string, environment: GitHubEnvironment): Promise<PullRequestFound> {
  if (environment.ref?.startsWith("refs/tags/")) return none("a tag was pushed, which has no pull request");
  if (/^0+$/.test(sha)) return none("a branch was deleted");
  return await findInList(api, "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", { commit_sha: sha }, sha, environment);
}

type WorkflowRunEvent = Extract<GitHubEvent, { kind: "workflow_run" }>;

async function findByRun(api: Api, event: WorkflowRunEvent, environment: GitHubEnvironment): Promise<PullRequestFound> {
  const { headSha, headBranch, headOwner, pullRequests } = event;
  if (pullRequests.length > 0) return { kind: "found", number: Math.min(...pullRequests), headSha };
  if (headBranch === undefined || headOwner === undefined) return none("the run before this one has no branch any more");
  const query = { state: "open", head: `${headOwner}:${headBranch}` };
  return await findInList(api, "GET /repos/{owner}/{repo}/pulls", query, headSha, environment);
}

/** The head of a branch moves on: a pull request counts only while its head is the commit that was evaluated. */
async function findInList(
  api: Api,
  route: string,
  parameters: Parameters,
  headSha: string,
  environment: GitHubEnvironment,
): Promise<PullRequestFound> {
  const repository = repositoryOf(environment);
  if (repository === undefined) return none("GITHUB_REPOSITORY is not set");
  const found: PullRequest[] = [];
  for await (const page of api.pages(route, { ...repository, ...parameters, per_page: 100 })) {
    // A commit that GitHub does not know is no failure: it may never have been pushed.
    if (page.kind === "failed" && page.failure.status === 422) break;
    if (page.kind === "failed") return failed(page.failure);
    const entries = Array.isArray(page.data) ? page.data : [];
    found.push(...entries.flatMap((entry) => pullRequest.safeParse(entry).data ?? []));
  }
  // A fork lists pull requests of the repository it was forked from, too.
  const ours = `${repository.owner}/${repository.repo}`.toLowerCase();
  const numbers = found
    .filter(({ state, head, base }) => state === "open" && head.sha === headSha && base.repo.full_name.toLowerCase() === ours)
    .map(({ number }) => number);
  if (numbers.length === 0) return none(`no open pull request has the commit ${headSha.slice(0, 7)} as its head`);
  return { kind: "found", number: Math.min(...numbers), headSha };
}

async function findByNumber(api: Api, number: number, environment: GitHubEnvironment): Promise<PullRequestFound> {
  const repository = repositoryOf(environment);
  if (repository === undefined) return none("GITHUB_REPOSITORY is not set");
  const answer = await api.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", { ...repository, pull_number: number });
  if (answer.kind === "failed") return failed(answer.failure);
  const parsed = pullRequest.safeParse(answer.data);
  if (!parsed.success) return { kind: "failed", why: `GitHub's answer about #${number} is not of its documented form` };
  return { kind: "found", number, headSha: parsed.data.head.sha };
}

function repositoryOf({ repository }: GitHubEnvironment): { readonly owner: string; readonly repo: string } | undefined {
  const [owner = "", repo = ""] = repository?.split("/") ?? [];
  return owner === "" || repo === "" ? undefined : { owner, repo };
}

function none(why: string): PullRequestFound {
  return { kind: "none", why };
}

function failed(failure: ApiFailure): PullRequestFound {
  const { why } = explainFailure(failure, {
    what: "the pull request of this commit could not be looked up",
    permissions: ["contents: read", "pull-requests: read"],
    readOnly: false,
  });
  return { kind: "failed", why };
}
