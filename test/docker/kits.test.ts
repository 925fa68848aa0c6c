import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { SandboxSetupError } from "../../src/errors.ts";
import type { Kit } from "../../src/kits/kit-recipe.ts";
import type { Engine } from "../../src/sandbox/docker/connect.ts";
import { hasStatus } from "../../src/sandbox/docker/engine-error.ts";
import { kitVolumeName } from "../../src/sandbox/docker/kit-volumes.ts";
import { volumeListSchema } from "../../src/sandbox/docker/responses.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { dockerTest, importImage, leftOf, never, newRunId, openDriver, removeImage, testImage } from "./engine.ts";

const run = async (sandbox: Sandbox, line: string): Promise<string> =>
  (await sandbox.exec({ command: { shell: line }, timeoutMs: 60_000, maxOutputBytes: 100_000, signal: never })).output.stdout;

interface TestKit extends AsyncDisposable {
  readonly kit: Kit;
  readonly volume: string;
}

/** A kit of which nobody else knows, as a strict umask leaves it on the host. */
async function makeKit(engine: Engine, more: Partial<Kit> = {}): Promise<TestKit> {
  const directory = await mkdtemp(join(tmpdir(), "evalbatch-test-kit-"));
  await mkdir(join(directory, "bin"), { mode: 0o700 });
  await mkdir(join(directory, "node_modules/deep"), { recursive: true, mode: 0o700 });
  await writeFile(join(directory, "bin/tool"), '#!/bin/sh\ncat "${0%/*}/../node_modules/deep/text"\n', { mode: 0o700 });
  await writeFile(join(directory, "node_modules/deep/text"), "from the kit\n", { mode: 0o600 });
  await writeFile(join(directory, "node_modules/deep/empty"), "", { mode: 0o600 });
  await symlink("text", join(directory, "node_modules/deep/link"));
  await symlink("../../../etc/passwd", join(directory, "node_modules/deep/leads-out"));
  const kit: Kit = { name: "tool", version: "1.0.0", directory, digest: randomBytes(32).toString("hex"), ...more };
  const volume = kitVolumeName(kit);
  return {
    kit,
    volume,
    async [Symbol.asyncDispose]() {
      await engine.client.call({ method: "DELETE", path: `/volumes/${volume}`, query: { force: true } }).catch(() => undefined);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function hasVolume(engine: Engine, name: string): Promise<boolean> {
  const { Volumes } = await engine.client.json(volumeListSchema, { method: "GET", path: "/volumes" });
  return (Volumes ?? []).some(({ Name }) => Name === name);
}

dockerTest("a kit is in every container of a run, read-only, filled once, and outlives the run", async (engine) => {
  await using made = await makeKit(engine);
  const docker = await openDriver();
  {
    await using _docker = docker;
    const request = { kits: [made.kit] };
    const [first, second] = await Promise.all([
      docker.start({}, request),
      docker.start({}, request),
      docker.driver.prepare(docker.request({}, request), never),
    ]);
    for (const sandbox of [first, second]) {
      assert.equal(sandbox.kitDir("tool"), "/opt/evalbatch/kits/tool");
      assert.equal(sandbox.kitDir("other"), undefined);
      const said = await run(
        sandbox,
        `cd /opt/evalbatch/kits/tool; bin/tool; cat node_modules/deep/link; ls node_modules/deep; touch x 2>/dev/null || echo refused`,
      );
      assert.equal(said, "from the kit\nfrom the kit\nempty\nlink\ntext\nrefused\n");
    }
    assert.equal(docker.lines.filter((line) => / filled in /.test(line)).length, 1);
  }
  assert.deepEqual(await leftOf(engine, docker.runId), []);
  assert.ok(await hasVolume(engine, made.volume));
  await using later = await openDriver();
  await using sandbox = await later.start({}, { kits: [{ ...made.kit, directory: "/no/longer/there" }] });
  assert.equal(await run(sandbox, "/opt/evalbatch/kits/tool/bin/tool"), "from the kit\n");
});

dockerTest("the user of any image can read a kit", async (engine) => {
  const image = `evalbatch-test-${process.pid}-kit-user`;
  await importImage(engine, image, undefined, ["USER 1234:1234"]);
  try {
    await using made = await makeKit(engine);
    await using docker = await openDriver();
    await using sandbox = await docker.start({ docker: { image } }, { kits: [made.kit] });
    assert.equal(await run(sandbox, "id -u; /opt/evalbatch/kits/tool/bin/tool"), "1234\nfrom the kit\n");
  } finally {
    await removeImage(engine, image);
  }
});

dockerTest("an image whose libc cannot run a kit's program is refused before anything starts, with the remedy", async (engine) => {
  const image = `evalbatch-test-${process.pid}-kit-musl`;
  await importImage(engine, image, undefined, [], { "lib/ld-musl-x86_64.so.1": "" });
  try {
    await using made = await makeKit(engine, { loader: "/lib64/ld-linux-x86-64.so.2" });
    await using docker = await openDriver();
    const refused = (pattern: RegExp) => (error: unknown) => {
      assert.ok(error instanceof SandboxSetupError && error.code === "image-libc", String(error));
      assert.match(error.message, pattern);
      assert.match(error.hint ?? "", /glibc image.*agent-version: image/);
      return true;
    };
    await assert.rejects(
      docker.start({ docker: { image } }, { kits: [made.kit] }),
      refused(/^the image \S+-kit-musl has musl libc, .* tool 1\.0\.0/),
    );
    await assert.rejects(docker.start({}, { kits: [made.kit] }), refused(/^the image \S+ has no glibc \(there is no \/lib64\/ld-linux/));
    assert.deepEqual(await leftOf(engine, docker.runId), []);
    // A program that needs no loader runs everywhere.
    await using _sandbox = await docker.start({ docker: { image } }, { kits: [{ ...made.kit, loader: undefined }] });
  } finally {
    await removeImage(engine, image);
  }
});

const childSchema = z.object({ said: z.string(), filled: z.number() });

function child(how: string, { kit }: TestKit, runId: string) {
  const args = [join(import.meta.dirname, "kit-child.ts"), how, kit.directory, kit.digest, runId];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

dockerTest("two processes that need the same kit at once fill it once, and both have it whole", async (engine) => {
  await using made = await makeKit(engine);
  const uses = [newRunId(), newRunId()].map(async (runId) => {
    let text = "";
    for await (const chunk of child("use", made, runId).stdout.setEncoding("utf8")) text += chunk;
    return childSchema.parse(JSON.parse(text));
  });
  const ends = await Promise.all(uses);
  assert.deepEqual(
    ends.map(({ said }) => said),
    ["from the kit\n", "from the kit\n"],
  );
  assert.equal(
    ends.reduce((sum, { filled }) => sum + filled, 0),
    1,
  );
});

dockerTest("what a killed process has half filled is filled anew", async (engine) => {
  await using made = await makeKit(engine);
  const runId = newRunId();
  const filling = child("hang", made, runId);
  const ended = new Promise((resolve) => filling.once("exit", resolve));
  await new Promise((resolve) => filling.stdout.once("data", resolve));
  filling.kill("SIGKILL");
  await ended;
  assert.ok(await hasVolume(engine, made.volume));
  await using docker = await openDriver();
  await using sandbox = await docker.start({}, { kits: [made.kit] });
  assert.equal(await run(sandbox, "/opt/evalbatch/kits/tool/bin/tool"), "from the kit\n");
  assert.deepEqual(await leftOf(engine, runId), []);
});

dockerTest("a volume that is removed while a run goes on is filled again", async (engine) => {
  await using made = await makeKit(engine);
  await using docker = await openDriver();
  await (await docker.start({}, { kits: [made.kit] })).stop();
  await engine.client.call({ method: "DELETE", path: `/volumes/${made.volume}` });
  await using sandbox = await docker.start({}, { kits: [made.kit] });
  assert.equal(await run(sandbox, "/opt/evalbatch/kits/tool/bin/tool"), "from the kit\n");
});

dockerTest("kits that were filled more than 14 days ago go at the start of a run, unless a container has them", async (engine) => {
  const [day, now] = [24 * 60 * 60, Math.floor(Date.now() / 1000)];
  const volumes = { old: now - 15 * day, used: now - 15 * day, young: now - 13 * day };
  const nameOf = (what: string) => `evalbatch-kit-test-${process.pid}-${what}`;
  for (const [what, made] of Object.entries(volumes)) {
    const Labels = { "evalbatch.kit": "test 1", "evalbatch.kit-made": String(made) };
    await engine.client.call({ method: "POST", path: "/volumes/create", body: { Name: nameOf(what), Labels } });
  }
  const mount = { Type: "volume", Source: nameOf("used"), Target: "/x" };
  const body = { Image: testImage, Cmd: ["true"], HostConfig: { Mounts: [mount] } };
  const holder = nameOf("holder");
  await engine.client.call({ method: "POST", path: "/containers/create", query: { name: holder }, body });
  try {
    await using docker = await openDriver();
    await docker.driver.sweep();
    const left = await Promise.all(Object.keys(volumes).map((what) => hasVolume(engine, nameOf(what))));
    assert.deepEqual(left, [false, true, true]);
  } finally {
    await engine.client.call({ method: "DELETE", path: `/containers/${holder}`, query: { force: true } });
    for (const what of Object.keys(volumes)) {
      await engine.client.call({ method: "DELETE", path: `/volumes/${nameOf(what)}` }).catch((error: unknown) => {
        if (!hasStatus(error, 404)) throw error;
      });
    }
  }
});

dockerTest("a kit is fetched for the engine's processor", async () => {
  await using docker = await openDriver();
  assert.match(docker.driver.platform ?? "", /^linux-(?:x64|arm64)$/);
});
