import pLimit from "p-limit";
import { type AgentVersions, imageVersion, versionFor } from "./agent-versions.ts";
import { ensureKit } from "./ensure-kit.ts";
import type { Kit, KitRecipe } from "./kit-recipe.ts";
import type { NpmRunner } from "./npm.ts";

export interface KitProviderOptions {
  readonly versions: AgentVersions;
  /** Absolute; kept between runs (`cache-dir.ts`). */
  readonly cacheDir: string;
  /** The host's: npm finds its configuration by it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
  /** Of the run. */
  readonly signal: AbortSignal;
  readonly run: NpmRunner;
}

/** The kits of one run. */
export interface KitProvider {
  /** What is asked for: a version, a dist-tag, or `image`. */
  versionOf(recipe: KitRecipe): string;
  /**
   * Fetched once per run, whoever asks; undefined when the image brings the program (`agent-version: image`).
   * @param platform of where it will run, e.g. `linux-x64`: of the engine, not of this machine (`SandboxDriver.platform`)
   * @throws EnvironmentError, the same for everybody who asks; or the run's reason to stop
   */
  kitFor(recipe: KitRecipe, platform: string): Promise<Kit | undefined>;
}

/** Downloads fill the line: two at a time. */
const atOnce = 2;

export function createKitProvider(options: KitProviderOptions): KitProvider {
  const { versions, cacheDir, env, log, signal, run } = options;
  const limit = pLimit(atOnce);
  const known = new Map<string, Promise<Kit>>();
  return {
    versionOf: (recipe) => versionFor(versions, recipe.name) ?? recipe.version,
    async kitFor(recipe, platform) {
      const version = versionFor(versions, recipe.name);
      if (version === imageVersion) return undefined;
      const key = JSON.stringify([recipe.name, platform]);
      const kit = known.get(key) ?? limit(() => ensureKit(recipe, { version, platform, cacheDir, env, log, signal, run }));
      known.set(key, kit);
      return await kit;
    },
  };
}
