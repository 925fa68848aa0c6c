import { EnvironmentError } from "../../errors.ts";
import { createEngineClient, type EngineClient } from "./client.ts";
import { describeEndpoint, type Endpoint } from "./endpoint.ts";
import { EngineConnectionError, EngineResponseError } from "./engine-error.ts";
import { versionSchema } from "./responses.ts";

export interface Engine {
  readonly client: EngineClient;
  readonly version: string;
  readonly apiVersion: string;
}

const oldestApi = "1.41";
/** The newest version whose answers were tried; an engine that is newer still speaks it. */
const newestApi = "1.47";
const connectTimeoutMs = 10_000;

/**
 * The first endpoint that answers as a Docker engine, with the API version that both sides speak.
 * @throws EnvironmentError `no-engine`, `engine-permission`, `engine-too-old`: what was tried, why each failed, what to do
 */
export async function connectEngine(endpoints: readonly Endpoint[]): Promise<Engine> {
  const failures: { readonly endpoint: Endpoint; readonly error: unknown }[] = [];
  for (const endpoint of endpoints) {
    const client = createEngineClient(endpoint);
    try {
      const answer = await client.json(versionSchema, { method: "GET", path: "/version", timeoutMs: connectTimeoutMs });
      const apiVersion = negotiate(answer.ApiVersion, answer.MinAPIVersion ?? "1.12");
      if (apiVersion === undefined) throw tooOld(endpoint, answer.Version, answer.ApiVersion);
      return { client: client.withVersion(apiVersion), version: answer.Version, apiVersion };
    } catch (error) {
      client.close();
      if (error instanceof EnvironmentError) throw error;
      failures.push({ endpoint, error });
    }
  }
  throw noEngine(failures);
}

/** The newest API version that we and the engine speak, `undefined` when there is none. */
export function negotiate(engineNewest: string, engineOldest: string): string | undefined {
  const best = compareVersions(engineNewest, newestApi) < 0 ? engineNewest : newestApi;
  return compareVersions(best, oldestApi) < 0 || compareVersions(best, engineOldest) < 0 ? undefined : best;
}

function compareVersions(left: string, right: string): number {
  const [leftMajor = 0, leftMinor = 0] = left.split(".").map(Number);
  const [rightMajor = 0, rightMinor = 0] = right.split(".").map(Number);
  return leftMajor - rightMajor || leftMinor - rightMinor;
}

function tooOld(endpoint: Endpoint, version: string, api: string): EnvironmentError {
  return new EnvironmentError(
    "engine-too-old",
    `the engine at ${describeEndpoint(endpoint)} is version ${version} with API ${api}, which does not speak API ${oldestApi} to ${newestApi}`,
    { hint: "use Docker Engine 20.10 or later" },
  );
}

function noEngine(failures: readonly { readonly endpoint: Endpoint; readonly error: unknown }[]): EnvironmentError {
  const tried = failures.map(({ endpoint, error }) => `${describeEndpoint(endpoint)} (${endpoint.source}): ${reason(error)}`).join("; ");
  // The most telling failure decides on the remedy: a socket that is there, but closed to us, beats one that is not there.
  const code = (failure: { readonly error: unknown }) => (failure.error instanceof EngineConnectionError ? failure.error.code : "");
  const denied = failures.find((failure) => code(failure) === "EACCES" || code(failure) === "EPERM");
  const chosen = failures[0];
  const picked = chosen !== undefined && chosen.endpoint.source !== "default socket";
  const hint =
    denied !== undefined
      ? "add your user to the group that owns the socket (often `sudo usermod -aG docker $USER`, then log in again)"
      : picked
        ? `start that engine, or correct or unset ${chosen.endpoint.source}; or use --driver tempdir`
        : "install or start Docker, or set DOCKER_HOST; or use --driver tempdir";
  return new EnvironmentError(denied !== undefined ? "engine-permission" : "no-engine", `no Docker engine answers: tried ${tried}`, {
    hint,
    cause: failures.at(-1)?.error,
  });
}

function reason(error: unknown): string {
  if (error instanceof EngineResponseError) return `answered with status ${error.status}, not like a Docker engine`;
  if (!(error instanceof EngineConnectionError)) return "answered, but not like a Docker engine";
  switch (error.code) {
    case "ENOENT":
      return "no such socket, so Docker is not installed or not running";
    case "ECONNREFUSED":
      return "connection refused, so nothing runs there";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "the host name is unknown";
    case "ETIMEDOUT":
      return "no answer in time";
    default:
      return error.message;
  }
}
