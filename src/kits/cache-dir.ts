import { join, resolve } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Absolute directory where kits are kept between runs: `EVALBATCH_KITS_DIR`, else the tool cache of a GitHub runner, else
 * the user's cache directory.
 */
export function kitCacheDir(env: Env, home: string): string {
  const { EVALBATCH_KITS_DIR, RUNNER_TOOL_CACHE, XDG_CACHE_HOME } = env;
  if (EVALBATCH_KITS_DIR) return resolve(EVALBATCH_KITS_DIR);
  if (RUNNER_TOOL_CACHE) return join(resolve(RUNNER_TOOL_CACHE), "evalbatch-kits");
  // The specification says to ignore a relative one.
  const cache = XDG_CACHE_HOME?.startsWith("/") ? XDG_CACHE_HOME : join(home, ".cache");
  return join(cache, "evalbatch", "kits");
}
