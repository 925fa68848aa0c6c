import { setTimeout as delay } from "node:timers/promises";
import type { Kit } from "../../kits/kit-recipe.ts";
import type { EngineClient } from "./client.ts";
import { hasStatus } from "./engine-error.ts";
import { createFiller, type Filler, fillerName, kitVolumeLabels } from "./kit-filler.ts";
import { stampLabels } from "./labels.ts";
import type { Owner } from "./owner.ts";
import { labelledSchema } from "./responses.ts";
import { SharedWork } from "./shared-work.ts";
import { isLeftover } from "./sweep.ts";

export interface KitVolumesDeps {
  readonly client: EngineClient;
  readonly runId: string;
  readonly owner: Owner;
  readonly nowMs: () => number;
  readonly log: (line: string) => void;
  /** Around everything that asks the engine for a container. */
  readonly whileMaking: <Made>(work: Promise<Made>) => Promise<Made>;
  /** Milliseconds that another run, of which nobody knows whether it lives, is waited for. Default 3 minutes. */
  readonly patienceMs?: number | undefined;
}

/** The volumes with kits that this run mounts. */
export interface KitVolumes {
  /**
   * Name of the volume that holds the kit, filled now where the engine has none. One process fills; others wait for it, take over when it
   * dies, and after a while fill one of their own.
   * @throws EnvironmentError `disk-full`, `kit-volume`, `engine-lost`; or the signal's reason
   */
  ensure(kit: Kit, signal: AbortSignal): Promise<string>;
  /** The volume was found to be gone or not whole: the next `ensure` looks anew. */
  forget(kit: Kit): void;
}

/** A filler that is older is nobody's. */
const fillerLifeSeconds = 30 * 60;
const pollMs = 300;
const defaultPatienceMs = 3 * 60_000;
const digestChars = 12;

export function createKitVolumes(deps: KitVolumesDeps): KitVolumes {
  const work = new SharedWork<string>(() => true);
  const rounds = new Map<string, number>();
  // Another round is other work.
  const keyOf = (kit: Kit): string => `${rounds.get(kit.digest) ?? 0} ${kit.digest}`;
  return {
    ensure: (kit, signal) => work.get(keyOf(kit), signal, (shared) => ensureVolume(deps, kit, shared)),
    forget: (kit) => void rounds.set(kit.digest, (rounds.get(kit.digest) ?? 0) + 1),
  };
}

/** The name that all runs give to the volume of a kit. */
export function kitVolumeName(kit: Pick<Kit, "name" | "version" | "digest">): string {
  const version = kit.version.replaceAll(/[^A-Za-z0-9_.-]/g, "_");
  return `evalbatch-kit-${kit.name}-${version}-${kit.digest.slice(0, digestChars)}`;
}

async function ensureVolume(deps: KitVolumesDeps, kit: Kit, signal: AbortSignal): Promise<string> {
  const { client, log } = deps;
  const volume = kitVolumeName(kit);
  if ((await volumeExists(client, volume)) && (await look(deps, kit, volume))) return volume;
  const patienceMs = deps.patienceMs ?? defaultPatienceMs;
  const sinceMs = performance.now();
  for (let told = false; ; ) {
    signal.throwIfAborted();
    const filler = await claim(deps, kit, volume, fillerName(volume));
    if (filler !== undefined) return await fillOnce(filler, kit, volume, log, signal);
    const other = await labelsOf(client, fillerName(volume));
    if (other !== undefined && isLeftover(other, deps.owner, deps.runId, deps.nowMs())) {
      await client.call({ method: "DELETE", path: `/containers/${fillerName(volume)}`, query: { force: true } }).catch(() => undefined);
      continue;
    }
    if (performance.now() - sinceMs > patienceMs) return await fillOwn(deps, kit, `${volume}-${deps.runId}`, signal);
    if (!told) log(`waiting for another run that fills the volume of ${kit.name} ${kit.version}`);
    told = true;
    await delay(pollMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function fillOnce(filler: Filler, kit: Kit, volume: string, log: (line: string) => void, signal: AbortSignal): Promise<string> {
  try {
    // Somebody may have finished between the look and the claim.
    if (await filler.isComplete()) return volume;
    const startedMs = performance.now();
    await filler.fill(kit, signal);
    log(`volume ${volume} filled in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
    return volume;
  } finally {
    await filler.remove();
  }
}

/** One that goes with the run: who fills the common one cannot be asked whether it still lives. */
async function fillOwn(deps: KitVolumesDeps, kit: Kit, volume: string, signal: AbortSignal): Promise<string> {
  const labels = fillerLabels(deps, kit);
  const filler = await deps.whileMaking(createFiller(deps.client, volume, undefined, { container: labels, volume: labels }));
  return filler === undefined ? volume : await fillOnce(filler, kit, volume, deps.log, signal);
}

async function look(deps: KitVolumesDeps, kit: Kit, volume: string): Promise<boolean> {
  const filler = await claim(deps, kit, volume, undefined);
  try {
    return (await filler?.isComplete()) === true;
  } finally {
    await filler?.remove();
  }
}

function claim(deps: KitVolumesDeps, kit: Kit, volume: string, name: string | undefined): Promise<Filler | undefined> {
  const labels = { container: fillerLabels(deps, kit), volume: kitVolumeLabels(kit, deps.nowMs()) };
  return deps.whileMaking(createFiller(deps.client, volume, name, labels));
}

function fillerLabels({ runId, owner, nowMs }: KitVolumesDeps, kit: Kit): Record<string, string> {
  return stampLabels({ runId, key: `kit ${kit.name}`, expiresAt: Math.ceil(nowMs() / 1000) + fillerLifeSeconds, owner });
}

async function volumeExists(client: EngineClient, volume: string): Promise<boolean> {
  try {
    await client.call({ method: "GET", path: `/volumes/${encodeURIComponent(volume)}` });
    return true;
  } catch (error) {
    if (hasStatus(error, 404)) return false;
    throw error;
  }
}

async function labelsOf(client: EngineClient, container: string): Promise<Readonly<Record<string, string>> | undefined> {
  try {
    return (await client.json(labelledSchema, { method: "GET", path: `/containers/${container}/json` })).Config.Labels ?? {};
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}
