import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import type { Clock } from "../../clock.ts";
import { EnvironmentError } from "../../errors.ts";
import type { SandboxDriver, SandboxRequest } from "../sandbox.ts";
import { connectEngine } from "./connect.ts";
import { discoverEndpoints } from "./discover.ts";
import { createImageStore } from "./images.ts";
import { KitGone, type KitMount, kitMount } from "./kit-mounts.ts";
import { createKitVolumes } from "./kit-volumes.ts";
import { removeOldKits } from "./old-kits.ts";
import { watchOutOfMemory } from "./oom-watch.ts";
import type { ProgramDigests } from "./own-programs.ts";
import { currentOwner } from "./owner.ts";
import type { ImageProfile } from "./profile.ts";
import { infoSchema } from "./responses.ts";
import { startContainer } from "./start-container.ts";
import { removeRun, sweepLeftovers } from "./sweep.ts";

export interface DockerDriverOptions {
  /** Goes into labels: by it the run's containers are found again. */
  readonly runId: string;
  /** The host's environment: where the engine and the user's docker configuration are, variables in mounts and build arguments. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How many tasks run at once: a task without a memory limit gets its share by this. */
  readonly concurrency: number;
  /** Milliseconds for the build of one image. Default 30 minutes. */
  readonly buildTimeoutMs?: number | undefined;
  readonly clock: Clock;
  /** Lines about the run as a whole: sweeps, clean-up that failed. */
  readonly log: (line: string) => void;
}

const defaultBuildTimeoutMs = 30 * 60_000;

/** An engine that does not answer a ping for so long is gone. */
const pingMs = 5_000;

/**
 * Sandboxes that are containers of the engine that the user's environment names.
 * @throws EnvironmentError when no engine answers, with what was tried and the remedy
 */
export async function createDockerDriver(options: DockerDriverOptions): Promise<SandboxDriver> {
  const engine = await connectEngine(discoverEndpoints(options.env, process.platform));
  const { client } = engine;
  const info = await client.json(infoSchema, { method: "GET", path: "/info" });
  const images = createImageStore({
    client,
    env: options.env,
    log: options.log,
    buildTimeoutMs: options.buildTimeoutMs ?? defaultBuildTimeoutMs,
  });
  const nowMs = () => options.clock.now().getTime();
  const owner = currentOwner();
  const making = new Set<Promise<unknown>>();
  let killed = false;
  const parts = {
    engine,
    machine: { cpus: info.NCPU, memoryBytes: info.MemTotal },
    runId: options.runId,
    owner,
    hostEnv: options.env,
    concurrency: options.concurrency,
    nowMs,
    ooms: watchOutOfMemory(client, options.runId),
    profiles: new Map<string, Promise<ImageProfile>>(),
    programs: new Map<string, Promise<ProgramDigests>>(),
    whileMaking: async <Made>(work: Promise<Made>): Promise<Made> => {
      making.add(work);
      try {
        return await work;
      } finally {
        making.delete(work);
      }
    },
    isKilled: () => killed,
  };
  const { runId, log } = options;
  const kits = createKitVolumes({ client, runId, owner, nowMs, log, whileMaking: parts.whileMaking });
  const kitsOf = (request: SandboxRequest, signal: AbortSignal): Promise<KitMount[]> =>
    Promise.all((request.kits ?? []).map(async (kit) => kitMount(kit, await kits.ensure(kit, signal))));
  // Many containers that start at the same moment on few CPUs make every start slow and time out.
  const startGate = pLimit(Math.max(2, Math.min(availableParallelism(), info.NCPU)));
  return {
    kind: "docker",
    platform: platformOf(info.Architecture ?? ""),
    async prepare(request, signal) {
      await Promise.all([images.ensure(request, signal), kitsOf(request, signal)]);
    },
    async start(request, signal) {
      const image = await images.ensure(request, signal);
      for (let tries = 0; ; tries += 1) {
        const mounts = await kitsOf(request, signal);
        try {
          return await startGate(async () => {
            signal.throwIfAborted();
            return await parts.whileMaking(startContainer(parts, image, mounts, request, signal));
          });
        } catch (error) {
          if (!(error instanceof KitGone)) throw error;
          // Somebody removes volumes: filled once more, and not for ever.
          if (tries >= 2) throw new EnvironmentError("kit-volume", error.message, { hint: "something removes volumes while tasks start" });
          kits.forget(error.kit);
        }
      }
    },
    async answers() {
      return await client.call({ method: "GET", path: "/_ping", timeoutMs: pingMs }).then(
        () => true,
        () => false,
      );
    },
    async sweep() {
      await removeOldKits(client, nowMs(), log);
      return await sweepLeftovers({ client, self: owner, runId: options.runId, nowMs, log: options.log });
    },
    async killAll() {
      // Before anything dies: the engine notes the end of a command earlier than that of its container, and on a busy machine much earlier.
      killed = true;
      const remove = () => removeRun({ client, runId: options.runId, log: options.log });
      await remove();
      if (making.size === 0) return;
      // One that the engine is asked for in that moment stands in no list yet, and nobody else waits for it.
      await Promise.allSettled(making);
      await remove();
    },
    close() {
      parts.ooms.close();
      client.close();
    },
  };
}

/** As kits name it; what they do not know comes as the engine calls it, and is refused where a kit is asked for. */
function platformOf(architecture: string): string {
  const known: Readonly<Record<string, string>> = { x86_64: "x64", amd64: "x64", aarch64: "arm64", arm64: "arm64" };
  return `linux-${known[architecture] ?? architecture}`;
}
