import { z } from "zod";
import type { Answer, Api } from "./api.ts";
import type { ListedArtifact } from "./artifact-client.ts";

/** A workflow run, as far as it says whose results it has. */
export interface WorkflowRun {
  readonly id: string;
  readonly attempt: number;
  readonly workflowId: number;
  readonly event: string;
  /** Of a tag that was pushed its name. */
  readonly headBranch: string | null;
  /** Id of the repository that its commit is in; null when that was deleted. */
  readonly headRepository: number | null;
  readonly headRepositoryName: string | undefined;
  readonly status: string;
  readonly conclusion: string;
}

const workflowRun = z
  .object({
    id: z.int().positive(),
    run_attempt: z.int().positive().catch(1),
    workflow_id: z.int(),
    event: z.string(),
    head_branch: z.string().nullish(),
    head_repository: z.object({ id: z.int(), full_name: z.string().optional() }).nullish(),
    status: z.string().nullish(),
    conclusion: z.string().nullish(),
  })
  .transform(
    (run): WorkflowRun => ({
      id: String(run.id),
      attempt: run.run_attempt,
      workflowId: run.workflow_id,
      event: run.event,
      headBranch: run.head_branch ?? null,
      headRepository: run.head_repository?.id ?? null,
      headRepositoryName: run.head_repository?.full_name,
      status: run.status ?? "",
      conclusion: run.conclusion ?? "",
    }),
  );

const artifact = z
  .object({
    id: z.int().positive(),
    name: z.string(),
    size_in_bytes: z.number().nonnegative(),
    expired: z.boolean().catch(false),
    created_at: z.string().nullish(),
    digest: z.string().nullish(),
  })
  .transform((found): ApiArtifact => {
    const createdAtMs = Date.parse(found.created_at ?? "");
    return {
      id: found.id,
      name: found.name,
      bytes: found.size_in_bytes,
      expired: found.expired,
      createdAtMs: Number.isFinite(createdAtMs) ? createdAtMs : undefined,
      digest: found.digest ?? undefined,
    };
  });

export interface ApiArtifact extends ListedArtifact {
  readonly expired: boolean;
}

/** What cannot be read in a list is passed over. */
const listOf = <Item extends z.ZodType>(item: Item, list: unknown): z.output<Item>[] =>
  Array.isArray(list) ? list.flatMap((entry) => item.safeParse(entry).data ?? []) : [];

export interface Repository {
  readonly owner: string;
  readonly repo: string;
}

export type Asked<Data> = { readonly kind: "ok"; readonly data: Data } | Exclude<Answer, { kind: "ok" }>;

/** @returns null for an answer that is not of its documented form */
export async function getWorkflowRun(api: Api, repository: Repository, id: string): Promise<Asked<WorkflowRun | null>> {
  const answer = await api.request("GET /repos/{owner}/{repo}/actions/runs/{run_id}", { ...repository, run_id: id });
  return answer.kind === "failed" ? answer : { kind: "ok", data: workflowRun.safeParse(answer.data).data ?? null };
}

const pageSize = 50;

/** Completed runs of the same workflow, event and branch name, newest first, a page at a time; those of other repositories among them. */
export async function* runsLike(api: Api, repository: Repository, run: WorkflowRun): AsyncGenerator<Asked<WorkflowRun[]>> {
  const { workflowId, event, headBranch } = run;
  const query = { workflow_id: workflowId, event, branch: headBranch ?? "", status: "completed", exclude_pull_requests: true };
  const route = "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs";
  for await (const page of api.pages(route, { ...repository, ...query, per_page: pageSize })) {
    yield page.kind === "failed" ? page : { kind: "ok", data: listOf(workflowRun, Object(page.data).workflow_runs) };
  }
}

/** The artifacts of all attempts of a run. */
export async function artifactsOf(api: Api, repository: Repository, runId: string): Promise<Asked<ApiArtifact[]>> {
  const found: ApiArtifact[] = [];
  const route = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts";
  for await (const page of api.pages(route, { ...repository, run_id: runId, per_page: 100 })) {
    if (page.kind === "failed") return page;
    found.push(...listOf(artifact, Object(page.data).artifacts));
  }
  return { kind: "ok", data: found };
}

export function repositoryOf(fullName: string): Repository | undefined {
  const [owner = "", repo = "", ...rest] = fullName.split("/");
  return owner === "" || repo === "" || rest.length > 0 ? undefined : { owner, repo };
}
