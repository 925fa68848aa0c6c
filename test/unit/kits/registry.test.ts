import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { EnvironmentError } from "../../../src/errors.ts";
import { ensureKit } from "../../../src/kits/ensure-kit.ts";
import type { KitRecipe } from "../../../src/kits/kit-recipe.ts";
import { runNpm } from "../../../src/kits/npm.ts";

const recipe: KitRecipe = {
  name: "small",
  program: "small",
  npmPackage: "is-number",
  version: "7.0.0",
  entry: "is-number/index.js",
  runtime: "native",
};
const { signal } = new AbortController();

/** Why the registry cannot be asked, undefined when it can. */
async function unreachable(): Promise<string | undefined> {
  const args = ["view", "is-number@7.0.0", "version", "--fetch-retries=0", "--fetch-timeout=10000"];
  try {
    const { code, stderr } = await runNpm({ args, cwd: tmpdir(), env: process.env, signal, timeoutMs: 30_000 });
    return code === 0 ? undefined : `npm's registry is out of reach: ${stderr.split("\n")[0]}`;
  } catch (error) {
    return `no npm: ${error instanceof Error ? error.message : String(error)}`;
  }
}

test("a package comes from the real registry with its digest, and a version that is not there is told", { timeout: 300_000 }, async (t) => {
  const reason = await unreachable();
  if (reason !== undefined) return t.skip(reason);
  const cacheDir = await mkdtemp(join(tmpdir(), "evalbatch-registry-"));
  try {
    const options = { platform: "linux-x64", cacheDir, env: process.env, log: () => undefined, signal, run: runNpm };
    const kit = await ensureKit(recipe, { ...options, version: undefined });
    assert.match(readFileSync(join(kit.directory, "package-lock.json"), "utf8"), /is-number-7\.0\.0\.tgz"[\s\S]*"integrity": "sha512-/);
    await assert.rejects(
      ensureKit(recipe, { ...options, version: "7.0.999" }),
      (error) => error instanceof EnvironmentError && error.code === "kit-not-found",
    );
    await assert.rejects(
      ensureKit(recipe, {
        ...options,
        version: "7.0.1",
        env: { ...process.env, npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0" },
      }),
      (error) => error instanceof EnvironmentError && error.code === "kit-registry",
    );
  } finally {
    await rm(cacheDir, { recursive: true, force: true });
  }
});
