import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "./api-client.ts";
import { type ApiFailure, endedFailure, failureOf } from "./api-failure.ts";
import type { GitHubEnvironment } from "./environment.ts";
import { createTimeBudget } from "./time-budget.ts";

/** What GitHub said; `data` was not checked. */
export type Answer = { readonly kind: "ok"; readonly data: unknown } | { readonly kind: "failed"; readonly failure: ApiFailure };

export type Parameters = Readonly<Record<string, unknown>>;

export interface RequestOptions {
  /** For what must not happen twice: a server error or a broken connection is not tried again. Limits are still waited for. */
  readonly once?: boolean | undefined;
}

/** GitHub's API within a budget of time. Nothing here throws. */
export interface Api {
  /** @param route method and path as in GitHub's reference, `GET /repos/{owner}/{repo}`; the parameters fill it, then query or body */
  request(route: string, parameters: Parameters, options?: RequestOptions): Promise<Answer>;
  /** The pages of a numbered list; ends after one that failed. */
  pages(route: string, parameters: Parameters): AsyncGenerator<Answer>;
  graphql(query: string): Promise<Answer>;
  /** Gives GitHub a moment. False when there is no time for it. */
  pause(seconds: number): Promise<boolean>;
}

export interface ApiDeps {
  /** Ends whatever is going on, waits included. */
  readonly signal: AbortSignal;
  readonly monotonicMs?: (() => number) | undefined;
  readonly timing?: Partial<ApiTiming> | undefined;
}

/** Milliseconds. */
export interface ApiTiming {
  /** For all requests together, waits included. */
  readonly budgetMs: number;
  /** For one attempt of one request. */
  readonly attemptMs: number;
  /** How long a second of waiting takes; tests wait less. */
  readonly secondMs: number;
}

const usualTiming: ApiTiming = { budgetMs: 60_000, attemptMs: 20_000, secondMs: 1000 };
/** 10,000 entries: a list that goes on after that is none of GitHub's. */
const maxPages = 100;

/**
 * GitHub's API with the real client: server errors and broken connections are tried again, limits are waited for, and all of it
 * ends after a minute. Nothing is loaded or sent before the first request.
 */
export function createApi(token: string, environment: Pick<GitHubEnvironment, "apiUrl">, deps: ApiDeps): Api {
  const timing = { ...usualTiming, ...deps.timing };
  const budget = createTimeBudget(timing.budgetMs, deps.signal, deps.monotonicMs ?? (() => performance.now()));
  let loading: Promise<Client> | undefined;
  const client = (): Promise<Client> => {
    loading ??= createClient(token, { ...timing, apiUrl: environment.apiUrl, mayWait: (seconds) => seconds * 1000 < budget.leftMs() });
    return loading;
  };

  async function answer(work: (client: Client, signal: AbortSignal) => Promise<unknown>): Promise<Answer> {
    try {
      const end = await budget.use(async (signal) => work(await client(), signal));
      return "ended" in end ? { kind: "failed", failure: endedFailure(end.ended) } : { kind: "ok", data: end.result };
    } catch (error) {
      return { kind: "failed", failure: failureOf(error) };
    }
  }

  return {
    // No count of retries where there are some: given one, the plugin would also try again what GitHub has refused.
    request: (route, parameters, { once = false } = {}) =>
      answer(
        async (octokit, signal) =>
          (await octokit.request(route, { ...parameters, request: { signal, ...(once ? { retries: 0 } : {}) } })).data,
      ),
    graphql: (query) => answer((octokit, signal) => octokit.graphql(query, { request: { signal } })),
    async *pages(route, parameters) {
      for (let page = 1, more = true; more && page <= maxPages; page += 1) {
        const got = await answer(async (octokit, signal) => {
          const { headers, data } = await octokit.request(route, { ...parameters, page, request: { signal } });
          // Only whether there is a next page: the token goes along to no address that an answer names.
          more = /\brel="next"/.test(headers.link ?? "");
          return data;
        });
        yield got;
        if (got.kind === "failed") return;
      }
    },
    async pause(seconds) {
      if (seconds * 1000 >= budget.leftMs()) return false;
      const end = await budget.use((signal) => sleep(seconds * timing.secondMs, undefined, { signal }).catch(() => {}));
      return "result" in end;
    },
  };
}
