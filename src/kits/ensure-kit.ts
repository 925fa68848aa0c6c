import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EnvironmentError } from "../errors.ts";
import { makeDirectory, storageError } from "../results/atomic-file.ts";
import { toJsonText } from "../results/json-text.ts";
import { buildKit, sizeOf } from "./build-kit.ts";
import { readKit } from "./kit-file.ts";
import type { Kit, KitRecipe } from "./kit-recipe.ts";
import { lockOf } from "./locks.ts";
import { kitDigest, kitManifest, kitPrograms, shortDigestChars } from "./manifest.ts";
import type { NpmEnd, NpmRunner } from "./npm.ts";
import { npmFailure } from "./npm-failure.ts";
import { installArguments, npmEnvironment } from "./npm-options.ts";
import { isExact, resolveVersion } from "./resolve-version.ts";
import { discard, makeTemporary, putInPlace, removeDirectory, removeStale } from "./temporary.ts";

export interface EnsureKitOptions {
  /** A version, a dist-tag or a range; undefined: the recipe's. */
  readonly version: string | undefined;
  /** Of where it will run: `linux-x64`, `linux-arm64`. */
  readonly platform: string;
  /** Absolute (`cache-dir.ts`). */
  readonly cacheDir: string;
  /** The host's: npm finds the user's registry and credentials by it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  readonly run: NpmRunner;
}

const fetchTimeoutMs = 30 * 60_000;
const viewTimeoutMs = 2 * 60_000;
/** Milliseconds between two words about a download that goes on. */
const tellMs = 15_000;

/**
 * The kit of an agent, from the cache or fetched through npm. The recipe's own version is installed from the lock that comes with us, so
 * that every byte is the one that was tried; another version with the lock that npm makes of it, kept in the kit.
 * A directory of the cache is whole or not there, whatever is killed in the middle, and whoever else fetches the same.
 * @throws EnvironmentError `kit-platform`, `kit-no-npm`, `kit-not-found`, `kit-registry`, `kit-integrity`, `kit-incomplete`, `kit-fetch`,
 * `disk-full`, `cannot-write`; or the signal's reason
 */
export async function ensureKit(recipe: KitRecipe, options: EnsureKitOptions): Promise<Kit> {
  const { platform, cacheDir, env, signal, run } = options;
  kitPrograms(recipe, platform);
  const parent = join(cacheDir, recipe.name);
  await makeDirectory(parent);
  const npm = (args: readonly string[], cwd: string, timeoutMs: number): Promise<NpmEnd> =>
    run({ args: [...args, `--prefix=${cwd}`], cwd, env: npmEnvironment(env, cwd), signal, timeoutMs });
  const wanted = options.version ?? recipe.version;
  // Nothing of the current directory: its .npmrc is part of what is evaluated.
  const version = isExact(wanted) ? wanted : await resolveVersion(recipe, wanted, (args) => npm(args, parent, viewTimeoutMs));
  const lock = version === recipe.version ? lockOf(recipe, version) : undefined;
  const digest = lock === undefined ? undefined : kitDigest(recipe, version, platform, lock);
  const found = await findKit(recipe, { parent, version, platform, digest });
  if (found !== undefined) return found;

  await removeStale(parent, Date.now());
  signal.throwIfAborted();
  const temporary = await makeTemporary(parent);
  const startedMs = performance.now();
  const what = `${recipe.name} ${version} (npm)`;
  options.log(`fetching ${what} …`);
  const teller = setInterval(() => void tell(), tellMs);
  const tell = async (): Promise<void> =>
    options.log(`fetching ${what} …, ${megabytes(await sizeOf(temporary))}, ${seconds(performance.now() - startedMs)}`);
  try {
    await writeInputs(temporary, kitManifest(recipe, version), lock);
    const args = installArguments(lock === undefined ? "install" : "ci", platform);
    const end = await npm(args, temporary, fetchTimeoutMs);
    if (end.code !== 0) throw npmFailure(`fetch ${recipe.name} ${version}`, end);
    await removeDirectory(join(temporary, ".npm-cache"));
    const built = await buildKit(recipe, version, platform, temporary);
    signal.throwIfAborted();
    const place = join(parent, directoryName(version, platform, built.digest));
    const kit = await settle(temporary, place, { parent, recipe, platform, digest: built.digest });
    options.log(`fetched ${what}: ${megabytes(built.bytes)}, ${seconds(performance.now() - startedMs)}`);
    return kit;
  } finally {
    clearInterval(teller);
    await removeDirectory(temporary);
  }
}

interface Wanted {
  readonly parent: string;
  readonly version: string;
  readonly platform: string;
  /** Undefined where only npm can tell which packages belong to it: then any that was fetched of this version. */
  readonly digest: string | undefined;
}

async function findKit(recipe: KitRecipe, { parent, version, platform, digest }: Wanted): Promise<Kit | undefined> {
  const expected = { name: recipe.name, platform, digest };
  if (digest !== undefined) return await readKit(join(parent, directoryName(version, platform, digest)), expected);
  const names = await readdir(parent).catch(() => []);
  for (const name of names.sort()) {
    if (!name.startsWith(`${version}-${platform}-`)) continue;
    const kit = await readKit(join(parent, name), expected);
    if (kit?.version === version) return kit;
  }
  return undefined;
}

/** What stands in the place may be the same kit by another process, which is as good, or a broken one, which is not. */
async function settle(
  temporary: string,
  place: string,
  { parent, recipe, platform, digest }: { parent: string; recipe: KitRecipe; platform: string; digest: string },
): Promise<Kit> {
  for (let tries = 0; tries < 5; tries += 1) {
    await putInPlace(temporary, place);
    const kit = await readKit(place, { name: recipe.name, platform, digest });
    if (kit !== undefined) return kit;
    await discard(parent, place);
  }
  throw new EnvironmentError("cannot-write", `cannot put the kit of ${recipe.name} into ${place}`, {
    hint: "something else removes or changes what is there; set EVALBATCH_KITS_DIR to a directory of your own",
  });
}

function directoryName(version: string, platform: string, digest: string): string {
  return `${version}-${platform}-${digest.slice(0, shortDigestChars)}`;
}

async function writeInputs(directory: string, manifest: object, lock: unknown): Promise<void> {
  try {
    await writeFile(join(directory, "package.json"), `${toJsonText(manifest, 2)}\n`);
    if (lock !== undefined) await writeFile(join(directory, "package-lock.json"), `${toJsonText(lock, 2)}\n`);
  } catch (error) {
    throw storageError(error, directory);
  }
}

function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1_000_000))} MB`;
}

function seconds(milliseconds: number): string {
  return `${Math.max(1, Math.round(milliseconds / 1000))} s`;
}
