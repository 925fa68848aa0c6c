import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { agentTypes, getAgent } from "../../../src/agents/registry.ts";
import { EnvironmentError } from "../../../src/errors.ts";
import { kitCacheDir } from "../../../src/kits/cache-dir.ts";
import { elfLoader } from "../../../src/kits/elf-loader.ts";
import { createKitProvider } from "../../../src/kits/kit-provider.ts";
import { lockOf } from "../../../src/kits/locks.ts";
import { kitDigest } from "../../../src/kits/manifest.ts";
import { nodeKit } from "../../../src/kits/node-kit.ts";
import { type NpmRunner, runNpm } from "../../../src/kits/npm.ts";
import { npmEnvironment } from "../../../src/kits/npm-options.ts";
import { makeTemporary, removeStale } from "../../../src/kits/temporary.ts";
import { isObject } from "../../../src/results/any-object.ts";
import { fakeNpm, tool } from "./fake-npm.ts";

const recipes = [nodeKit, ...agentTypes.flatMap((type) => getAgent(type).cli?.kit ?? [])];

for (const recipe of new Map(recipes.map((one) => [one.name, one])).values()) {
  test(`the lock of ${recipe.name} is of its recipe, with the digest of every package, and for Linux`, () => {
    const lock = lockOf(recipe, recipe.version);
    assert.ok(isObject(lock) && isObject(lock.packages), "made by scripts/kits.ts");
    const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
    assert.ok(packages.length > 0);
    for (const [path, value] of packages) {
      assert.ok(isObject(value) && typeof value.integrity === "string" && typeof value.resolved === "string", path);
      assert.match(value.integrity, /^sha512-/);
      assert.match(value.resolved, /^https:\/\/registry\.npmjs\.org\//);
      assert.ok(!Array.isArray(value.os) || value.os.includes("linux"), path);
    }
    assert.equal(lockOf(recipe, "0.0.1"), undefined);
    assert.notEqual(kitDigest(recipe, recipe.version, "linux-x64", lock), kitDigest(recipe, recipe.version, "linux-arm64", lock));
  });
}

test("kits are kept where the user says, else in the runner's tool cache, else in the user's cache", () => {
  assert.equal(kitCacheDir({ EVALBATCH_KITS_DIR: "/k", RUNNER_TOOL_CACHE: "/t" }, "/home/me"), "/k");
  assert.equal(kitCacheDir({ RUNNER_TOOL_CACHE: "/t" }, "/home/me"), "/t/evalbatch-kits");
  assert.equal(kitCacheDir({ EVALBATCH_KITS_DIR: "", XDG_CACHE_HOME: "/c" }, "/home/me"), "/c/evalbatch/kits");
  assert.equal(kitCacheDir({ XDG_CACHE_HOME: "relative" }, "/home/me"), "/home/me/.cache/evalbatch/kits");
});

test("the loader of a program is read from its header, and nothing else is taken for one", async () => {
  const directory = await mkdtemp(join(tmpdir(), "evalbatch-elf-"));
  try {
    const path = join(directory, "program");
    const elf = Buffer.alloc(200);
    elf.write("\x7fELF\x02\x01", "latin1");
    elf.writeBigUInt64LE(64n, 32);
    elf.writeUInt16LE(56, 54);
    elf.writeUInt16LE(1, 56);
    elf.writeUInt32LE(3, 64);
    elf.writeBigUInt64LE(150n, 72);
    elf.writeBigUInt64LE(22n, 96);
    elf.write("/lib/ld-musl-x86.so.1\0", 150, "latin1");
    await writeFile(path, elf);
    assert.equal(await elfLoader(path), "/lib/ld-musl-x86.so.1");
    elf.writeUInt32LE(1, 64);
    for (const content of [elf, elf.subarray(0, 70), elf.subarray(0, 10), Buffer.from("#!/bin/sh\n"), Buffer.alloc(0)]) {
      await writeFile(path, content);
      assert.equal(await elfLoader(path), undefined);
    }
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("npm gets the user's settings, and a cache that goes with the kit's directory unless the user has one", () => {
  const own = npmEnvironment(
    { NPM_CONFIG_REGISTRY: "https://r.example", HOME: "/h", npm_package_name: "x", npm_config_prefix: "/p" },
    "/t",
  );
  assert.deepEqual(own, {
    NPM_CONFIG_REGISTRY: "https://r.example",
    HOME: "/h",
    NO_UPDATE_NOTIFIER: "1",
    npm_config_cache: "/t/.npm-cache",
  });
  assert.equal(npmEnvironment({ NPM_CONFIG_CACHE: "/c" }, "/t").npm_config_cache, undefined);
  assert.equal(npmEnvironment({ npm_config_offline: "true" }, "/t").npm_config_cache, undefined);
});

test("temporary directories of living processes stay, those of dead and of forgotten ones go", async () => {
  const parent = await mkdtemp(join(tmpdir(), "evalbatch-stale-"));
  try {
    const own = await makeTemporary(parent);
    // No process has this number: it is beyond what Linux gives.
    const dead = own.replace(`-${process.pid}-`, "-999999999-");
    const foreign = own.replace(/fetching-[0-9a-f]{8}-/, "fetching-00000000-");
    const forgotten = foreign.replace(/[0-9a-f]{8}$/, "00000000");
    const kit = join(parent, "1.0.0-linux-x64-abc");
    for (const path of [dead, foreign, forgotten, kit]) await mkdir(path, { recursive: true });
    await utimes(forgotten, 0, 0);
    await removeStale(parent, Date.now());
    assert.deepEqual(
      [own, dead, foreign, forgotten, kit].map((path) => existsSync(path)),
      [true, false, true, false, true],
    );
  } finally {
    await rm(parent, { recursive: true });
  }
});

test("a run fetches a kit once, whoever asks, tells all of the same failure, and fetches none where the image has it", async () => {
  await using npm = await fakeNpm();
  const provider = (versions: Parameters<typeof createKitProvider>[0]["versions"], run: NpmRunner) =>
    createKitProvider({ versions, cacheDir: npm.cacheDir, env: npm.env, log: () => undefined, signal: new AbortController().signal, run });
  const fine = provider({ byType: {} }, runNpm);
  const [first, second] = await Promise.all([fine.kitFor(tool, "linux-x64"), fine.kitFor(tool, "linux-x64")]);
  assert.equal(first, second);
  assert.equal(npm.calls().length, 1);
  assert.equal(fine.versionOf(tool), "1.2.3");
  const byImage = provider({ byType: { tool: "image" } }, runNpm);
  assert.equal(await byImage.kitFor(tool, "linux-x64"), undefined);
  assert.equal(byImage.versionOf(tool), "image");
  let asked = 0;
  const broken = provider({ byType: { tool: "9.9.9" } }, async () => {
    asked += 1;
    return { code: 1, timedOut: false, stdout: "", stderr: "npm error code ENOTFOUND\n" };
  });
  for (let tries = 0; tries < 3; tries += 1) {
    await assert.rejects(broken.kitFor(tool, "linux-x64"), (error) => error instanceof EnvironmentError && error.code === "kit-registry");
  }
  assert.equal(asked, 1);
});
