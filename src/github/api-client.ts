import { randomUUID } from "node:crypto";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { isLimit } from "./api-failure.ts";

export interface ClientOptions {
  /** Base address of the REST API. */
  readonly apiUrl: string;
  /** Longest time for one attempt, its answer included. */
  readonly attemptMs: number;
  /** How long a second of waiting takes. */
  readonly secondMs: number;
  /** Whether so many seconds may be waited for a rate limit. */
  readonly mayWait: (seconds: number) => boolean;
}

/** The two fetches that meet here are typed differently; what we use of them is the same. */
type Fetch = (url: unknown, options: { readonly signal?: AbortSignal | undefined }) => Promise<unknown>;

export type Client = Awaited<ReturnType<typeof createClient>>;

/** Tries of one request that only rate limits ended. */
const maxLimitRetries = 4;

/**
 * GitHub's client with its plugins for retries and rate limits.
 * @throws whatever loading it throws: it reads the environment and the event's file while it is imported, so that a broken event
 * would otherwise end the action before its first line
 */
export async function createClient(token: string, options: ClientOptions) {
  // Eager: in the bundle, and still not run before this line. A chunk of its own would be a second file.
  const { GitHub, getOctokitOptions, defaults } = await import(/* webpackMode: "eager" */ "@actions/github/lib/utils");
  const { apiUrl, attemptMs, secondMs, mayWait } = options;
  const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const fetch: Fetch = defaults.request?.fetch;
  const onLimit = (seconds: number, _request: unknown, _client: unknown, retryCount: number): boolean =>
    retryCount < maxLimitRetries && mayWait(seconds);
  const Octokit = GitHub.plugin(nameLimits, retry, throttling);
  return new Octokit(
    getOctokitOptions(token, {
      baseUrl: apiUrl,
      // Foreign text: nothing of it may reach the log raw.
      log: silent,
      request: {
        ...defaults.request,
        log: silent,
        fetch: (url: unknown, init: Parameters<Fetch>[1] = {}) =>
          fetch(url, { ...init, signal: AbortSignal.any([AbortSignal.timeout(attemptMs), ...(init.signal ? [init.signal] : [])]) }),
      },
      // Limits are the other plugin's; 4xx do not get better.
      retry: { doNotRetry: [400, 401, 403, 404, 405, 409, 410, 413, 422, 429, 451], retryAfterBaseValue: secondMs },
      throttle: {
        // Clients of one id share their queues across the process.
        id: randomUUID(),
        retryAfterBaseValue: secondMs,
        onRateLimit: onLimit,
        onSecondaryRateLimit: onLimit,
      },
    }),
  );
}

function ignore(): void {}

/**
 * The plugin for limits knows a secondary one by GitHub's present wording only; older enterprise servers speak of "abuse
 * detection", gateways say anything. Must come before the others: they see what it throws.
 */
function nameLimits(octokit: { readonly hook: { error(name: "request", handler: (error: unknown) => never): void } }): void {
  octokit.hook.error("request", (error) => {
    if (error instanceof Error && "status" in error && "response" in error) rename(error, error.status, error.response);
    throw error;
  });
}

function rename(error: Error, status: unknown, response: unknown): void {
  if (typeof status !== "number" || typeof response !== "object" || response === null || !("headers" in response)) return;
  const headers = new Map(Object.entries(response.headers ?? {}));
  if (headers.get("x-ratelimit-remaining") === "0" || !headers.has("retry-after") || /\bsecondary rate\b/i.test(error.message)) return;
  if (isLimit(status, error.message, Object.fromEntries(headers))) error.message = `secondary rate limit: ${error.message}`;
}
