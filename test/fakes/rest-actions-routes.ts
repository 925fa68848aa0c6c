// The routes of the fake REST API about workflow runs and their artifacts.
import { type FakeRepository, type Handler, notFound, page, type RestAnswer } from "./rest-api-routes.ts";

export interface FakeRun {
  readonly id: number;
  readonly attempt?: number;
  readonly workflowId?: number;
  readonly event?: string;
  readonly branch?: string | null;
  /** Id and name of the repository that its commit is in; null: deleted. Of the repository itself if not given. */
  readonly head?: { readonly id: number; readonly full_name: string } | null;
  readonly status?: string;
  readonly conclusion?: string;
  readonly artifacts?: readonly FakeRunArtifact[];
}

export interface FakeRunArtifact {
  readonly id: number;
  readonly name: string;
  readonly bytes?: number;
  readonly createdAt?: string;
  readonly digest?: string;
  readonly expired?: boolean;
  /** Where its zip file is: GitHub redirects there. */
  readonly url?: string;
}

const ownId = 1;

const forbidden: RestAnswer = { status: 403, body: { message: "Resource not accessible by integration", status: "403" } };

const allowed =
  (handler: Handler): Handler =>
  (repository, request, parts) =>
    repository.readsActions ? handler(repository, request, parts) : forbidden;

const getRun: Handler = (repository, _request, { match }) => {
  const run = repository.runs.find(({ id }) => id === Number(match[2]));
  return run === undefined ? notFound : { status: 200, body: runJson(repository, run) };
};

/** As the real one: filters by the name of a branch, whatever repository it is in. */
const runsOfWorkflow: Handler = (repository, _request, { match, query, address }) => {
  const wanted = (key: string, value: unknown): boolean => (query.get(key) ?? String(value)) === String(value);
  const found = repository.runs
    .map((run) => runJson(repository, run))
    .filter((run) => run.workflow_id === Number(match[2]) && wanted("event", run.event) && wanted("branch", run.head_branch))
    .filter((run) => wanted("status", run.status))
    .sort((a, b) => b.id - a.id);
  return page(found, query, address, "workflow_runs");
};

const artifactsOfRun: Handler = (repository, _request, { match, query, address }) => {
  const run = repository.runs.find(({ id }) => id === Number(match[2]));
  if (run === undefined) return notFound;
  const list = (run.artifacts ?? []).map((artifact) => ({
    id: artifact.id,
    name: artifact.name,
    size_in_bytes: artifact.bytes ?? 1000,
    expired: artifact.expired ?? false,
    created_at: artifact.createdAt ?? "2026-11-01T00:00:00Z",
    digest: artifact.digest ?? null,
    workflow_run: { id: run.id },
  }));
  return page(list, query, address, "artifacts");
};

const downloadArtifact: Handler = (repository, _request, { match }) => {
  const found = repository.runs.flatMap(({ artifacts = [] }) => artifacts).find(({ id }) => id === Number(match[2]));
  if (found?.expired === true) return { status: 410, body: { message: "Artifact has expired", status: "410" } };
  return found?.url === undefined ? notFound : { status: 302, headers: { location: found.url } };
};

function runJson({ fullName }: FakeRepository, run: FakeRun) {
  return {
    id: run.id,
    run_attempt: run.attempt ?? 1,
    workflow_id: run.workflowId ?? 77,
    path: ".github/workflows/evals.yml",
    event: run.event ?? "push",
    head_branch: run.branch === undefined ? "main" : run.branch,
    head_repository: run.head === undefined ? { id: ownId, full_name: fullName } : run.head,
    repository: { id: ownId, full_name: fullName },
    status: run.status ?? "completed",
    conclusion: run.conclusion ?? "success",
  };
}

export const actionsRoutes: readonly (readonly [string, RegExp, Handler])[] = [
  ["GET", /^\/repos\/([^/]+\/[^/]+)\/actions\/runs\/(\d+)$/, allowed(getRun)],
  ["GET", /^\/repos\/([^/]+\/[^/]+)\/actions\/workflows\/(\d+)\/runs$/, allowed(runsOfWorkflow)],
  ["GET", /^\/repos\/([^/]+\/[^/]+)\/actions\/runs\/(\d+)\/artifacts$/, allowed(artifactsOfRun)],
  ["GET", /^\/repos\/([^/]+\/[^/]+)\/actions\/artifacts\/(\d+)\/zip$/, allowed(downloadArtifact)],
];
