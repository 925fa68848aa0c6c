import { randomBytes } from "node:crypto";
import { errorMessage } from "../../errors.ts";
import type { Sandbox, SandboxRequest } from "../sandbox.ts";
import type { Engine } from "./connect.ts";
import { inspectContainer, type TaskContainer } from "./container.ts";
import { containerName, createOptions } from "./create-options.ts";
import { hasStatus } from "./engine-error.ts";
import { explainEngineFailure } from "./explain.ts";
import type { PreparedImage } from "./images.ts";
import { assertKitsRun, KitGone, type KitMount } from "./kit-mounts.ts";
import { stampLabels } from "./labels.ts";
import { containerLimits, type EngineMachine } from "./limits.ts";
import { parseMounts } from "./mounts.ts";
import type { OomWatch } from "./oom-watch.ts";
import { digestPrograms, type ProgramDigests } from "./own-programs.ts";
import type { Owner } from "./owner.ts";
import { type ImageProfile, inspectProfile } from "./profile.ts";
import { putDirectories } from "./put-files.ts";
import { createdSchema } from "./responses.ts";
import { createDockerSandbox } from "./sandbox.ts";
import { whileAnswering } from "./while-answering.ts";

export interface StartParts {
  readonly engine: Engine;
  readonly machine: EngineMachine;
  readonly runId: string;
  readonly owner: Owner;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly concurrency: number;
  readonly nowMs: () => number;
  readonly ooms: OomWatch;
  /** Answers of earlier containers, by image and working directory. */
  readonly profiles: Map<string, Promise<ImageProfile>>;
  /** By image. */
  readonly programs: Map<string, Promise<ProgramDigests>>;
  /** Around everything that asks the engine for a container: a stop waits for it. */
  readonly whileMaking: <Made>(work: Promise<Made>) => Promise<Made>;
  /** Whether everything of the run is being killed, and so this container too. */
  readonly isKilled: () => boolean;
}

/** Time after a container's own end until a sweep takes what is left of it. */
const expiryGraceSeconds = 60;

/**
 * Create, fit out, start; a container that does not get to its end is removed again.
 * @throws EnvironmentError, InputError (mounts), SandboxLostError, SandboxSetupError (libc), KitGone, or the signal's reason
 */
export async function startContainer(
  parts: StartParts,
  image: PreparedImage,
  kits: readonly KitMount[],
  request: SandboxRequest,
  signal: AbortSignal,
): Promise<Sandbox> {
  const { client } = parts.engine;
  const { docker, limits } = request.config;
  const wantedDir = workingDirectory(docker.working_dir, image.facts.Config?.WorkingDir ?? "");
  const labels = stampLabels({
    runId: parts.runId,
    key: request.key,
    expiresAt: Math.ceil(parts.nowMs() / 1000 + request.lifeSeconds + expiryGraceSeconds),
    owner: parts.owner,
  });
  const options = createOptions({
    image: image.facts.Id,
    workDir: wantedDir,
    env: request.env,
    labels,
    limits: containerLimits(limits, parts.machine, parts.concurrency),
    network: docker.network,
    mounts: parseMounts(docker.extra_mounts, parts.hostEnv),
    kits,
    lifeSeconds: request.lifeSeconds,
  });
  signal.throwIfAborted();
  const { id, name } = await create(parts, request, image, options);
  const remove = () => removeContainer(parts, id, request.log);
  try {
    signal.throwIfAborted();
    await assertKitsRun({ client, id }, kits, image.name);
    const profile = await profileOf(parts, id, image, wantedDir);
    if (profile.needed.length > 0) await putDirectories({ client, id }, profile.needed);
    signal.throwIfAborted();
    await client.call({ method: "POST", path: `/containers/${id}/start` });
    const container: TaskContainer = {
      client,
      id,
      name,
      key: request.key,
      user: profile.user,
      home: request.env.HOME === undefined ? profile.home : undefined,
      workDir: profile.workDir,
      ooms: parts.ooms,
    };
    const { HostConfig } = await inspectContainer(container);
    signal.throwIfAborted();
    request.log(`container ${name} of image ${image.name} (${image.facts.Id.slice(0, 19)}) started`);
    return createDockerSandbox({
      container,
      freshWorkDir: profile.freshWorkDir,
      programsOfImage: () => programsOf(parts, image, labels),
      remove,
      isKilled: parts.isKilled,
      kits,
      facts: {
        driver: "docker",
        image: image.name,
        imageId: image.facts.RepoDigests?.[0] ?? image.facts.Id,
        containerId: id,
        engineVersion: parts.engine.version,
        limits: {
          memoryBytes: HostConfig.Memory ?? undefined,
          cpus: HostConfig.NanoCpus ? HostConfig.NanoCpus / 1e9 : undefined,
          pids: HostConfig.PidsLimit ?? undefined,
        },
      },
    });
  } catch (error) {
    await remove();
    if (signal.aborted) throw signal.reason;
    if (error instanceof KitGone) throw error;
    throw explainEngineFailure(error, `the container of ${request.key} (image ${image.name})`);
  }
}

async function create(
  parts: StartParts,
  request: SandboxRequest,
  image: PreparedImage,
  body: unknown,
): Promise<{ id: string; name: string }> {
  for (let tries = 0; ; tries += 1) {
    const name = containerName(parts.runId, request.key, randomBytes(4).toString("hex"));
    try {
      const { Id } = await parts.engine.client.json(createdSchema, { method: "POST", path: "/containers/create", query: { name }, body });
      return { id: Id, name };
    } catch (error) {
      // The name is taken: by whom does not matter, the next one is another.
      if (hasStatus(error, 409) && tries < 3) continue;
      throw explainEngineFailure(error, `the container of ${request.key} (image ${image.name})`);
    }
  }
}

/** `auto` is the image's own, or `/root` where that is no place to work in (formats.md 1.4). */
function workingDirectory(configured: string | null, ofImage: string): string {
  if (configured !== "auto") return configured ?? "/work";
  return ofImage === "" || ofImage === "/" ? "/root" : ofImage;
}

async function profileOf(parts: StartParts, id: string, image: PreparedImage, workDir: string): Promise<ImageProfile> {
  const key = `${image.facts.Id} ${workDir}`;
  return await once(parts.profiles, key, () => inspectProfile({ client: parts.engine.client, id }, image.facts, workDir));
}

/** Looked up in a container of its own, which never runs: rarely needed, and then nothing in the task's container can be trusted. */
async function programsOf(parts: StartParts, image: PreparedImage, labels: Readonly<Record<string, string>>): Promise<ProgramDigests> {
  const { client } = parts.engine;
  const ask = async (): Promise<ProgramDigests> => {
    const body = { Image: image.facts.Id, Entrypoint: ["/bin/sh"], Labels: labels, HostConfig: { NetworkMode: "none" } };
    const { Id: id } = await client.json(createdSchema, { method: "POST", path: "/containers/create", body });
    try {
      return await digestPrograms({ client, id });
    } finally {
      await removeContainer(parts, id, () => undefined);
    }
  };
  return await once(parts.programs, image.facts.Id, () => parts.whileMaking(ask()));
}

async function once<Value>(known: Map<string, Promise<Value>>, key: string, ask: () => Promise<Value>): Promise<Value> {
  const asked = known.get(key) ?? ask();
  known.set(key, asked);
  // The failure of one container is not the image's: the next one asks again.
  asked.catch(() => known.delete(key));
  return await asked;
}

async function removeContainer(parts: StartParts, id: string, log: (line: string) => void): Promise<void> {
  try {
    const request = { method: "DELETE", path: `/containers/${id}`, query: { force: true, v: true } } as const;
    await whileAnswering(parts.engine.client, (client) => client.call(request));
  } catch (error) {
    // 404: gone already. 409: somebody else is removing it just now.
    if (!hasStatus(error, 404, 409)) log(`could not remove container ${id}: ${errorMessage(error)}`);
  } finally {
    parts.ooms.forget(id);
  }
}
