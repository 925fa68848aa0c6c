import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { EnvironmentError, errorMessage } from "../errors.ts";
import type { GitHubEnvironment } from "./environment.ts";
import {
  commitSha,
  isSameRepository,
  issueCommentPayload,
  mergeGroupPayload,
  pullRequestPayload,
  pushPayload,
  workflowRunPayload,
} from "./event-payloads.ts";

/** What started the workflow, as far as we act on it. Everything in it was checked and is bounded; names are foreign text. */
export type GitHubEvent =
  /** `pull_request`, `pull_request_target` and the reviews of a pull request. */
  | {
      readonly kind: "pull_request";
      readonly name: string;
      readonly number: number;
      readonly headSha: string;
      /** Its commits are in another repository, or in one that was deleted. */
      readonly fork: boolean;
      readonly dependabot: boolean;
    }
  | { readonly kind: "push"; readonly sha: string }
  | { readonly kind: "merge_group"; readonly headSha: string }
  | {
      readonly kind: "workflow_run";
      /** Commit of the run that this one follows. */
      readonly headSha: string;
      readonly headBranch: string | undefined;
      readonly headOwner: string | undefined;
      /** That commit is in another repository, or it cannot be told. */
      readonly fork: boolean;
      /** Those of this repository whose head was `headSha`; GitHub leaves them out for forks. */
      readonly pullRequests: readonly number[];
      /** Event of the run that this one follows; undefined when the payload does not tell. */
      readonly startedBy?: string | undefined;
    }
  | {
      readonly kind: "other";
      /** Undefined outside of a job. */
      readonly name: string | undefined;
      /** Of a comment on a pull request. */
      readonly pullRequest?: number | undefined;
    };

export interface EventRead {
  readonly event: GitHubEvent;
  /** Why the payload could not be used. */
  readonly warning?: string;
}

/** GitHub sends none above 25 MB (docs.github.com, "Webhook events and payloads"). */
const maxPayloadBytes = 32 * 1024 * 1024;
const dependabot = "dependabot[bot]";

type Reader = (environment: GitHubEnvironment, name: string) => GitHubEvent;

const readers: ReadonlyMap<string, Reader> = new Map([
  ["pull_request", readPullRequest],
  ["pull_request_target", readPullRequest],
  ["pull_request_review", readPullRequest],
  ["pull_request_review_comment", readPullRequest],
  ["issue_comment", readIssueComment],
  ["push", readPush],
  ["merge_group", readMergeGroup],
  ["workflow_run", readWorkflowRun],
]);

/**
 * Reads what started the workflow from `GITHUB_EVENT_NAME` and the file behind `GITHUB_EVENT_PATH`; in a called workflow
 * both are the caller's. Never throws: an event that cannot be understood is `other`, with a warning.
 */
export function readEvent(environment: GitHubEnvironment): EventRead {
  const name = environment.eventName;
  const other: GitHubEvent = { kind: "other", name };
  const read = name === undefined ? undefined : readers.get(name);
  if (name === undefined || read === undefined) return { event: other };
  try {
    return { event: read(environment, name) };
  } catch (error) {
    const warning = `the event "${name}" could not be read, so that its pull request is not known: ${problemOf(error)}`;
    return { event: other, warning };
  }
}

function readPullRequest(environment: GitHubEnvironment, name: string): GitHubEvent {
  const { pull_request: pull, repository } = pullRequestPayload.parse(readPayload(environment));
  const { repo } = pull.head;
  return {
    kind: "pull_request",
    name,
    number: pull.number,
    headSha: pull.head.sha,
    // Null: its repository was deleted. Events made by hand have none at all.
    fork: repo !== undefined && !isSameRepository(repo, pull.base?.repo ?? repository),
    dependabot: pull.user?.login === dependabot || environment.actor === dependabot,
  };
}

function readIssueComment(environment: GitHubEnvironment, name: string): GitHubEvent {
  const { issue } = issueCommentPayload.parse(readPayload(environment));
  const isPullRequest = issue.pull_request !== undefined && issue.pull_request !== null;
  return { kind: "other", name, pullRequest: isPullRequest ? issue.number : undefined };
}

/** The runner's commit, not the payload's: that of an annotated tag is the tag itself. */
function readPush(environment: GitHubEnvironment): GitHubEvent {
  const known = commitSha.safeParse(environment.sha);
  return { kind: "push", sha: known.success ? known.data : pushPayload.parse(readPayload(environment)).after };
}

function readMergeGroup(environment: GitHubEnvironment): GitHubEvent {
  return { kind: "merge_group", headSha: mergeGroupPayload.parse(readPayload(environment)).merge_group.head_sha };
}

function readWorkflowRun(environment: GitHubEnvironment): GitHubEvent {
  const { workflow_run: run, repository } = workflowRunPayload.parse(readPayload(environment));
  return {
    kind: "workflow_run",
    headSha: run.head_sha,
    headBranch: run.head_branch ?? undefined,
    headOwner: run.head_repository?.owner?.login,
    fork: !isSameRepository(run.head_repository, repository),
    // A run in a fork lists pull requests of the repository it was forked from.
    pullRequests: run.pull_requests
      .filter(({ head, base }) => head.sha === run.head_sha && isSameRepository(base?.repo, repository))
      .map(({ number }) => number),
    startedBy: run.event ?? undefined,
  };
}

function readPayload({ eventPath }: GitHubEnvironment): unknown {
  if (eventPath === undefined) throw new EnvironmentError("event", "GITHUB_EVENT_PATH is not set");
  const stat = statSync(eventPath);
  if (!stat.isFile()) throw new EnvironmentError("event", `${eventPath} is no file`);
  if (stat.size > maxPayloadBytes) throw new EnvironmentError("event", `${eventPath} has ${stat.size} bytes`);
  return JSON.parse(readFileSync(eventPath, "utf8").replace(/^\u{feff}/u, ""));
}

/** Which fields are wrong, without what stands in them. */
function problemOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return error instanceof SyntaxError ? "it is no JSON" : errorMessage(error);
  return error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join(".") || "payload"}: ${issue.message}`)
    .join("; ");
}
