import { setTimeout as delay } from "node:timers/promises";
import { EnvironmentError, errorMessage } from "../../errors.ts";
import type { ImageReference } from "../../plan/image-reference.ts";
import type { EngineClient } from "./client.ts";
import { EngineResponseError } from "./engine-error.ts";
import { classifyPullFailure, pullBackoffMs } from "./pull-failure.ts";
import { encodeRegistryAuth, type RegistryAuth } from "./registry-auth.ts";
import { pullLineSchema } from "./responses.ts";

export interface PullDeps {
  readonly client: EngineClient;
  /** The log-in for a registry, if any; asked once per pull. */
  readonly auth: (registry: string) => Promise<RegistryAuth | undefined>;
  readonly log: (line: string) => void;
  /** Default `pullBackoffMs` with a random share. */
  readonly backoffMs?: ((tries: number) => number) | undefined;
}

const maxTries = 5;
/** Silence of the engine after which a pull counts as hung: layers report progress all the time. */
const silenceMs = 300_000;

/**
 * Pulls an image, and again after failures that may pass.
 * @throws EnvironmentError with one code per cause (`pull-failure.ts`), `image-pull` when all tries failed; or the signal's reason
 */
export async function pullImage(image: string, reference: ImageReference, deps: PullDeps, signal: AbortSignal): Promise<void> {
  const auth = await deps.auth(reference.registry);
  for (let tries = 1; ; tries += 1) {
    try {
      deps.log(`pulling ${image}${auth === undefined ? "" : " (logged in)"}`);
      await pullOnce(reference, auth, deps, signal);
      return;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const message = errorMessage(error);
      const failure = classifyPullFailure(error instanceof EngineResponseError ? error.status : undefined, message);
      if (failure.kind === "permanent") {
        throw new EnvironmentError(failure.code, `cannot pull ${image}: ${message}`, { cause: error, hint: failure.hint });
      }
      if (tries === maxTries) {
        throw new EnvironmentError("image-pull", `cannot pull ${image}, tried ${tries} times: ${message}`, {
          cause: error,
          hint: "see whether the registry can be reached from the engine's machine, then run again",
        });
      }
      const waitMs = deps.backoffMs?.(tries) ?? pullBackoffMs(tries, Math.random());
      deps.log(`pull of ${image} failed (${failure.why}): ${message}; next try in ${(waitMs / 1000).toFixed(1)} s`);
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }
}

async function pullOnce(reference: ImageReference, auth: RegistryAuth | undefined, deps: PullDeps, signal: AbortSignal): Promise<void> {
  const response = await deps.client.stream({
    method: "POST",
    path: "/images/create",
    query: { fromImage: reference.repository, tag: reference.version },
    headers: auth === undefined ? {} : { "X-Registry-Auth": encodeRegistryAuth(auth) },
    timeoutMs: silenceMs,
    signal,
  });
  response.setEncoding("utf8");
  let rest = "";
  const take = (line: string): void => {
    if (line.trim() === "") return;
    const { status, id, error } = pullLineSchema.parse(JSON.parse(line));
    // The stream has status 200 whatever happens: an error is a line in it.
    if (error !== undefined) throw new Error(error);
    // Bars of "Downloading" and "Extracting" would be hundreds of lines.
    if (status !== undefined && !/^(Downloading|Extracting|Waiting|Pulling fs layer|Verifying)/.test(status)) {
      deps.log(id === undefined ? status : `${id}: ${status}`);
    }
  };
  for await (const chunk of response) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(take);
  }
  take(rest);
}
