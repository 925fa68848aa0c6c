import { EnvironmentError } from "../../errors.ts";
import type { SandboxRequest } from "../sandbox.ts";
import type { EngineClient } from "./client.ts";
import { EngineConnectionError, hasStatus } from "./engine-error.ts";
import { explainEngineFailure } from "./explain.ts";
import { parseImageReference } from "./image-reference.ts";
import { pullImage } from "./pull.ts";
import { findRegistryAuth } from "./registry-auth.ts";
import { type ImageFacts, imageSchema } from "./responses.ts";
import { SharedWork } from "./shared-work.ts";

/** An image that the engine has. */
export interface PreparedImage {
  /** As the task names it, or the tag of what was built. */
  readonly name: string;
  readonly facts: ImageFacts;
}

export interface ImageStore {
  /** Pulls or builds what the request needs, once per run. @throws ImageBuildError, EnvironmentError, or the signal's reason */
  ensure(request: SandboxRequest, signal: AbortSignal): Promise<PreparedImage>;
}

export interface ImageStoreOptions {
  readonly client: EngineClient;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Instead of the image that a task names. Not for tasks with a Dockerfile. */
  readonly image?: string | undefined;
}

/** All images of one run. */
export function createImageStore(options: ImageStoreOptions): ImageStore {
  const work = new SharedWork<PreparedImage>((error) => error instanceof EnvironmentError && error.code === "engine-lost");
  const named = (name: string, log: (line: string) => void, signal: AbortSignal) =>
    work.get(`image ${name}`, signal, async (shared) => ({ name, facts: await ensureNamed(options, name, log, shared) }));
  return {
    async ensure(request, signal) {
      return await named(options.image ?? request.config.docker.image, request.log, signal);
    },
  };
}

async function ensureNamed(
  options: ImageStoreOptions,
  name: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<ImageFacts> {
  const { client, env } = options;
  try {
    const present = await findImage(client, name);
    if (present !== undefined) return present;
    const reference = parseImageReference(name);
    if (reference === undefined) {
      throw new EnvironmentError("image-reference", `'${name}' is no image reference`, {
        hint: "write [registry/]name[:tag], in lower case",
      });
    }
    await pullImage(name, reference, { client, log, auth: (registry) => findRegistryAuth(registry, env, log) }, signal);
    const pulled = await findImage(client, name);
    if (pulled !== undefined) return pulled;
    throw new EnvironmentError("image-missing", `the engine pulled ${name} and does not have it`, { hint: "run again" });
  } catch (error) {
    if (error instanceof EngineConnectionError) throw explainEngineFailure(error, `image ${name}`);
    throw error;
  }
}

/** What the engine knows of an image, `undefined` when it has none of that name. */
export async function findImage(client: EngineClient, name: string): Promise<ImageFacts | undefined> {
  try {
    return await client.json(imageSchema, { method: "GET", path: `/images/${name.split("/").map(encodeURIComponent).join("/")}/json` });
  } catch (error) {
    if (hasStatus(error, 404, 400)) return undefined;
    throw error;
  }
}
