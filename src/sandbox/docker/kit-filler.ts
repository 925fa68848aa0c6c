import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pack } from "tar-stream";
import { EnvironmentError, errorMessage } from "../../errors.ts";
import type { Kit } from "../../kits/kit-recipe.ts";
import { statPath } from "./archive.ts";
import { clientWithSignal, type EngineClient } from "./client.ts";
import { EngineConnectionError, hasStatus } from "./engine-error.ts";
import { explainEngineFailure } from "./explain.ts";
import { findImage } from "./images.ts";
import { kitArchive } from "./kit-archive.ts";
import { labelNames } from "./labels.ts";
import { createdSchema } from "./responses.ts";

/** Last thing that is put into a volume: what has it is whole. */
export const completeMarker = ".evalbatch-complete";

/** An image with nothing in it, for containers that only hold a volume and are never started. */
const fillerImage = "evalbatch-kit-filler:1";
const mountPoint = "/kit";
/** Unpacking may fall silent on a slow disk. */
const unpackMs = 10 * 60_000;

export interface FillerLabels {
  /** Of the container: it is swept with its run. */
  readonly container: Readonly<Record<string, string>>;
  /** Of the volume, should it be made: it outlives the run. */
  readonly volume: Readonly<Record<string, string>>;
}

/** A container, never started, through which the volume can be seen and filled. The volume is made where it is missing. */
export interface Filler {
  isComplete(): Promise<boolean>;
  fill(kit: Kit, signal: AbortSignal): Promise<void>;
  /** The volume stays. Never throws. */
  remove(): Promise<void>;
}

/** @returns undefined when there is a container of that name */
export async function createFiller(
  client: EngineClient,
  volume: string,
  name: string | undefined,
  labels: FillerLabels,
): Promise<Filler | undefined> {
  await ensureFillerImage(client);
  const body = {
    Image: fillerImage,
    Cmd: ["/none"],
    Labels: labels.container,
    HostConfig: {
      NetworkMode: "none",
      Mounts: [{ Type: "volume", Source: volume, Target: mountPoint, VolumeOptions: { NoCopy: true, Labels: labels.volume } }],
    },
  };
  try {
    const { Id } = await client.json(createdSchema, { method: "POST", path: "/containers/create", query: { name }, body });
    return fillerOf(client, Id);
  } catch (error) {
    if (name !== undefined && hasStatus(error, 409)) return undefined;
    throw error;
  }
}

function fillerOf(client: EngineClient, id: string): Filler {
  return {
    isComplete: async () => (await statPath({ client, id }, `${mountPoint}/${completeMarker}`)) !== undefined,
    async fill(kit, signal) {
      const bound = clientWithSignal(client, signal);
      const put = async (tar: Readable): Promise<void> => {
        const query = { path: mountPoint };
        await bound.call({ method: "PUT", path: `/containers/${id}/archive`, query, upload: tar, timeoutMs: unpackMs });
      };
      try {
        await put(Readable.from(kitArchive(kit.directory)));
        // Only now: whatever cut the first short, no marker says that it was whole.
        await put(Readable.from(markerArchive(kit.digest)));
      } catch (error) {
        signal.throwIfAborted();
        throw explainFill(error, kit);
      }
    },
    async remove() {
      await client.call({ method: "DELETE", path: `/containers/${id}`, query: { force: true } }).catch(() => undefined);
    },
  };
}

function markerArchive(digest: string) {
  const tar = pack();
  tar.entry({ name: completeMarker, mode: 0o444 }, `${digest}\n`);
  tar.finalize();
  return tar;
}

function explainFill(error: unknown, kit: Kit): unknown {
  const what = `the volume of ${kit.name} ${kit.version}`;
  const explained = explainEngineFailure(error, what);
  if (explained instanceof EnvironmentError && explained.code !== "container-start") return explained;
  if (error instanceof EngineConnectionError) return error;
  return new EnvironmentError("kit-volume", `cannot fill ${what}: ${errorMessage(error)}`, {
    cause: error,
    hint: "look at the engine's log and at its free space (docker system df)",
  });
}

async function ensureFillerImage(client: EngineClient): Promise<void> {
  if ((await findImage(client, fillerImage)) !== undefined) return;
  const tar = pack();
  tar.entry({ name: "README", mode: 0o444 }, "Holds volumes of agent kits while evalbatch fills them; never started.\n");
  tar.finalize();
  const [repo, tag] = fillerImage.split(":");
  const query = { fromSrc: "-", repo, tag };
  await client.call({ method: "POST", path: "/images/create", query, upload: Readable.from(tar) });
}

/** What marks a volume as a kit: no sweep of runs takes it, the one of old kits does. */
export function kitVolumeLabels(kit: Kit, madeAtMs: number): Record<string, string> {
  return {
    [labelNames.kit]: `${kit.name} ${kit.version}`,
    [labelNames.kitMade]: String(Math.floor(madeAtMs / 1000)),
  };
}

/** Names the container that fills a volume: there is one of a name. */
export function fillerName(volume: string): string {
  return `evalbatch-kit-filler-${createHash("sha256").update(volume).digest("hex").slice(0, 16)}`;
}
