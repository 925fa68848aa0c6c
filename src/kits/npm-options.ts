import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Flags that make npm do the same whatever the user's own settings for projects are. Registry, credentials, proxy and certificates stay
 * the user's. Scripts of packages are never run.
 */
export function installArguments(command: "ci" | "install", platform: string): string[] {
  const [os = "linux", cpu = "x64"] = platform.split("-");
  return [
    command,
    ...["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--no-bin-links", "--no-progress"],
    ...[`--os=${os}`, `--cpu=${cpu}`, "--libc=glibc", "--include=optional", "--omit=dev", "--install-strategy=hoisted"],
    ...["--no-global", "--no-dry-run", "--package-lock", "--no-package-lock-only", "--no-legacy-peer-deps", "--no-strict-peer-deps"],
    ...["--no-workspaces", "--no-engine-strict", "--no-save-exact", "--omit-lockfile-registry-resolved=false", "--loglevel=error"],
  ];
}

/**
 * The host's environment for npm. What it downloads lies in a cache of the temporary directory's own, which goes with it, unless the
 * user names a cache or works offline from one.
 */
export function npmEnvironment(env: Env, directory: string): Env {
  const names = Object.keys(env).map((name) => name.toLowerCase());
  const own = ["npm_config_cache", "npm_config_offline", "npm_config_prefer_offline"].some((name) => names.includes(name));
  // Where npm itself started us, its variables name the project that it works in.
  const entries = Object.entries(env).filter(
    ([name]) => !/^npm_(?:package_|lifecycle_|config_local_prefix$|config_prefix$|command$)/i.test(name),
  );
  return { ...Object.fromEntries(entries), NO_UPDATE_NOTIFIER: "1", ...(own ? {} : { npm_config_cache: join(directory, ".npm-cache") }) };
}
