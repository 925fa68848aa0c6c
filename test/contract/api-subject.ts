import { type Api, type ApiDeps, createApi } from "../../src/github/api.ts";
import { type RestApi, type RestApiOptions, startRestApi } from "../fakes/rest-api.ts";

export const get = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
export const pull = { owner: "octo-org", repo: "evals", pull_number: 7 };
export const comments = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
export const issue = { owner: "octo-org", repo: "evals", issue_number: 7 };

interface Subject {
  readonly api: Api;
  readonly server: RestApi;
}

export async function startApi(
  t: { after(work: () => unknown): void },
  deps: Partial<ApiDeps> = {},
  options: RestApiOptions = {},
): Promise<Subject> {
  const pulls = [{ number: 7, state: "open", headSha: "b".repeat(40), head: "octo-org:change" }] as const;
  const server = await startRestApi({ ...options, repository: { pulls: [...pulls], ...options.repository } });
  t.after(() => server.close());
  const { timing, ...others } = deps;
  const api = createApi(
    "t0ken",
    { apiUrl: server.url },
    { signal: new AbortController().signal, timing: { secondMs: 2, ...timing }, ...others },
  );
  return { api, server };
}

export const limit = (status: number, seconds: number, message: string) => ({
  answer: { status, headers: { "retry-after": String(seconds) }, body: { message } },
});
