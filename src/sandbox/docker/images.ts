import pLimit from "p-limit";
import { EnvironmentError } from "../../errors.ts";
import { parseImageReference } from "../../plan/image-reference.ts";
import { defaultDockerImage, fallbackDockerImage } from "../../plan/schema/docker-schema.ts";
import type { SandboxRequest } from "../sandbox.ts";
import { agentDockerfile } from "./agent-image.ts";
import { buildImage, type PlannedBuild, planBuild } from "./build.ts";
import type { EngineClient } from "./client.ts";
import { describeEndpoint, type Endpoint } from "./endpoint.ts";
import { EngineConnectionError, hasStatus } from "./engine-error.ts";
import { explainEngineFailure } from "./explain.ts";
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
  /** Lines about the run as a whole. */
  readonly log: (line: string) => void;
  /** Milliseconds for one build. */
  readonly buildTimeoutMs: number;
}

/** All images of one run. */
export function createImageStore(options: ImageStoreOptions): ImageStore {
  const work = new SharedWork<PreparedImage>((error) => error instanceof EnvironmentError && error.code === "engine-lost");
  const named = (name: string, log: (line: string) => void, signal: AbortSignal) =>
    work.get(`image ${name}`, signal, async (shared) => ({ name, facts: await ensureNamed(options, name, log, shared) }));
  /**
   * A task that names no image gets the one that it was written for where the engine has it, else one that can be had: for an agent one
   * with the tools that agents reach for.
   */
  const unnamed = (request: SandboxRequest, signal: AbortSignal) =>
    work.get("the image of tasks that name none", signal, async (shared) => {
      const present = await findImage(options.client, defaultDockerImage);
      if (present !== undefined) return { name: defaultDockerImage, facts: present };
      options.log(`tasks that name no image run in ${fallbackDockerImage}; set docker.image, dockerfile_path or --image for another`);
      return { name: fallbackDockerImage, facts: await ensureNamed(options, fallbackDockerImage, request.log, shared) };
    });
  // Several at once, since one may hang; not all, since each fills the machine.
  const buildGate = pLimit(2);
  const plans = new SharedWork<PlannedBuild>(() => true);
  const built = async (request: SandboxRequest, signal: AbortSignal) => {
    const { docker } = request.config;
    // Tasks of a suite share their directory: it is read once.
    const key = JSON.stringify([request.taskDir, docker.dockerfile_path, docker.build]);
    const plan = await plans.get(key, signal, (shared) => planBuild(docker, request.taskDir, options.env, shared));
    return await work.get(`build ${plan.tag}`, signal, async (shared) => {
      const facts = await ensureBuilt(options, plan, request, (run) => buildGate(run), shared);
      return { name: plan.tag, facts };
    });
  };
  const ofAgents = async (request: SandboxRequest, signal: AbortSignal) => {
    const present = await findImage(options.client, defaultDockerImage);
    if (present !== undefined) return { name: defaultDockerImage, facts: present };
    const dockerfile_path = agentDockerfile(import.meta.dirname);
    return await built({ ...request, config: { ...request.config, docker: { ...request.config.docker, dockerfile_path } } }, signal);
  };
  return {
    async ensure(request, signal) {
      const { docker } = request.config;
      if (docker.dockerfile_path !== null) return await built(request, signal);
      if (docker.image === defaultDockerImage) return await (request.isForAgent === true ? ofAgents : unnamed)(request, signal);
      return await named(docker.image, request.log, signal);
    },
  };
}

async function ensureBuilt(
  options: ImageStoreOptions,
  plan: PlannedBuild,
  request: SandboxRequest,
  gate: (run: () => Promise<void>) => Promise<void>,
  signal: AbortSignal,
): Promise<ImageFacts> {
  const { client } = options;
  try {
    const present = plan.reusable ? await findImage(client, plan.tag) : undefined;
    if (present !== undefined) {
      request.log(`image ${plan.tag} of ${plan.dockerfile} is built already`);
      return present;
    }
    const deps = { env: cliEnvironment(client.endpoint, options.env), log: request.log, timeoutMs: options.buildTimeoutMs };
    await gate(() => buildImage(plan, request.config.docker.build, deps, signal));
    const made = await findImage(client, plan.tag);
    if (made !== undefined) return made;
    throw new EnvironmentError("image-missing", `the build of ${plan.dockerfile} succeeded, but the engine has no ${plan.tag}`, {
      hint: "build.extra_args may send the result elsewhere (`--output`, `--builder`, `--platform`)",
    });
  } catch (error) {
    if (error instanceof EngineConnectionError) throw explainEngineFailure(error, `image ${plan.tag}`);
    throw error;
  }
}

/** The CLI finds the same engine by the same rules, except for a socket that only we tried. */
function cliEnvironment(endpoint: Endpoint, env: ImageStoreOptions["env"]): ImageStoreOptions["env"] {
  return endpoint.source === "default socket" ? { ...env, DOCKER_HOST: describeEndpoint(endpoint) } : env;
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
