import type { Api } from "./api.ts";
import type { ApiFailure } from "./api-failure.ts";
import { explainFailure } from "./api-remedy.ts";
import type { ListedArtifact } from "./artifact-client.ts";
import { isEnterpriseServer, missingVariables, withoutCredentials } from "./artifact-failure.ts";
import { type ArtifactNameOptions, attemptsByName } from "./artifact-name.ts";
import type { ArtifactAccess, Candidate } from "./earlier-run-access.ts";
import { type ApiArtifact, artifactsOf, getWorkflowRun, type Repository, runsLike, type WorkflowRun } from "./earlier-run-api.ts";
import type { Env } from "./environment.ts";

/** Artifacts to look at, or why some place could not be asked; holds foreign text. */
export type Source =
  | { readonly kind: "candidates"; readonly candidates: readonly Candidate[] }
  | { readonly kind: "gap"; readonly why: string };

export interface SourceOptions {
  readonly repository: Repository;
  /** Of this workflow run. */
  readonly runId: string;
  readonly name: Omit<ArtifactNameOptions, "attempt">;
  readonly access: ArtifactAccess;
  readonly env: Env;
  /** Undefined without a token. */
  readonly api: Api | undefined;
}

const gap = (why: string): Source => ({ kind: "gap", why });

/** Earlier attempts of this workflow run: as the runner's token shows them, and if nothing fits, as GitHub's API does. */
export async function* earlierAttempts(options: SourceOptions, attempts: number): AsyncGenerator<Source> {
  const { access, env, api, repository, runId } = options;
  const missing = missingVariables(env);
  if (missing.length > 0) yield gap(`there is no ${missing.join(" and no ")}, which GitHub gives to a step with \`uses:\` only`);
  else {
    const listed = await access.list();
    if (listed.kind === "failed") yield gap(`the artifacts of this workflow run could not be listed: ${listed.reason}`);
    else yield candidatesOf(listed.data, options, { runId, attempts, by: "runner" });
  }
  if (api === undefined) return;
  const asked = await artifactsOf(api, repository, runId);
  if (asked.kind === "failed") yield gap(explained(asked.failure, "older artifacts of this workflow run could not be listed"));
  else yield* kept(asked.data, options, { runId, attempts, by: "api" });
}

interface Place {
  readonly runId: string;
  readonly attempts: number;
  readonly by: Candidate["by"];
}

function candidatesOf(artifacts: readonly ListedArtifact[], { name }: SourceOptions, { attempts, ...place }: Place): Source {
  const attemptsOf = attemptsByName(name, attempts);
  const candidates = artifacts.map((artifact) => ({ ...artifact, ...place, attempts: attemptsOf(artifact.name) }));
  return { kind: "candidates", candidates: candidates.filter((candidate) => candidate.attempts.length > 0) };
}

/** GitHub lists artifacts for a while that can no longer be had. */
function* kept(artifacts: readonly ApiArtifact[], options: SourceOptions, place: Place): Generator<Source> {
  yield candidatesOf(
    artifacts.filter(({ expired }) => !expired),
    options,
    place,
  );
  const attemptsOf = attemptsByName(options.name, place.attempts);
  const gone = artifacts.filter(({ expired, name }) => expired && attemptsOf(name).length > 0);
  if (gone.length > 0)
    yield gap(`${gone.length} artifacts of workflow run ${place.runId} have expired: a longer \`retention-days\` keeps them`);
}

/** Another workflow run that the workflow's author names. Code of another repository has not made its results. */
export async function* namedRun(options: SourceOptions, id: string): AsyncGenerator<Source> {
  const asked = await withOwnRun(options);
  if (asked.kind === "gap") {
    yield asked;
    return;
  }
  const { api, own } = asked;
  const { repository } = options;
  const named = await getWorkflowRun(api, repository, id);
  if (named.kind === "failed") {
    yield gap(explained(named.failure, `workflow run ${id} could not be looked up`));
    return;
  }
  const run = named.data;
  if (run === null) yield gap(`GitHub's answer about workflow run ${id} is not of its documented form`);
  else if (!isSameRepository(run, own)) {
    const other = run.headRepositoryName ?? "one that was deleted";
    yield gap(`workflow run ${id} ran code of another repository (${other}), whose results are not taken`);
  } else {
    const artifacts = await artifactsOf(api, repository, id);
    if (artifacts.kind === "failed") yield gap(unlisted(artifacts.failure, run));
    else yield* kept(artifacts.data, options, { runId: id, attempts: run.attempt, by: "api" });
  }
}

const maxPages = 3;
/** Each costs a request, of the 1,000 that a job's token has in an hour. */
const maxRuns = 20;
/** Runs that ran nothing. */
const emptyConclusions: ReadonlySet<string> = new Set(["skipped", "action_required", "startup_failure", "stale"]);
/** Of others the branch is not what is evaluated: those that run for somebody else's pull request are all of the default branch. */
const eventsOfBranches: ReadonlySet<string> = new Set([
  "push",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "merge_group",
  "schedule",
  "workflow_dispatch",
  "repository_dispatch",
]);

/**
 * The newest completed runs of this workflow for the same event, branch and repository. The repository, since anybody's fork may have
 * a branch of the same name, and with it results that a stranger made up.
 */
export async function* latestRuns(options: SourceOptions): AsyncGenerator<Source> {
  const known = await withOwnRun(options);
  if (known.kind === "gap") {
    yield known;
    return;
  }
  const { api, own } = known;
  if (!eventsOfBranches.has(own.event) || own.headBranch === null) {
    yield gap(`\`resume-from: latest\` goes by the branch, which a run for "${own.event}" does not have for itself: give the id of a run`);
    return;
  }
  let [pages, runs] = [0, 0];
  for await (const page of runsLike(api, options.repository, own)) {
    if (page.kind === "failed") {
      yield gap(explained(page.failure, "earlier runs of this workflow could not be listed"));
      return;
    }
    for (const run of page.data.filter((run) => isLike(run, own))) {
      const asked = await artifactsOf(api, options.repository, run.id);
      if (asked.kind === "failed") {
        yield gap(unlisted(asked.failure, run));
        return;
      }
      yield* kept(asked.data, options, { runId: run.id, attempts: run.attempt, by: "api" });
      runs += 1;
      if (runs === maxRuns) return;
    }
    pages += 1;
    if (pages === maxPages) return;
  }
}

/** The query asked for most of it; what decides is checked here. */
function isLike(run: WorkflowRun, own: WorkflowRun): boolean {
  return (
    run.id !== own.id &&
    run.workflowId === own.workflowId &&
    run.event === own.event &&
    run.headBranch === own.headBranch &&
    isSameRepository(run, own) &&
    run.status === "completed" &&
    !emptyConclusions.has(run.conclusion)
  );
}

const isSameRepository = (run: WorkflowRun, own: WorkflowRun): boolean =>
  run.headRepository !== null && run.headRepository === own.headRepository;

const unlisted = (failure: ApiFailure, { id }: WorkflowRun): string =>
  explained(failure, `the artifacts of workflow run ${id} could not be listed`);

/** What this run is about, as GitHub knows it: the event's payload leaves out some of it. */
async function withOwnRun({ api, repository, runId }: SourceOptions) {
  const without = (why: string) => ({ kind: "gap" as const, why });
  if (api === undefined)
    return without("`resume-from` needs a token: leave `github-token` as it is, and give the job the permission `actions: read`");
  const answer = await getWorkflowRun(api, repository, runId);
  if (answer.kind === "failed") return without(explained(answer.failure, "this workflow run could not be looked up"));
  if (answer.data === null) return without("GitHub's answer about this workflow run is not of its documented form");
  return { kind: "own" as const, api, own: answer.data };
}

function explained(failure: ApiFailure, what: string): string {
  return explainFailure(failure, { what, permissions: ["contents: read", "actions: read"], readOnly: false }).why;
}

/** Why no artifact can be read here, whatever there is. */
export function whyNoArtifacts(serverUrl: string): string | undefined {
  if (!isEnterpriseServer(serverUrl)) return undefined;
  return `${withoutCredentials(serverUrl)} is an enterprise server, whose artifacts this action cannot read`;
}
