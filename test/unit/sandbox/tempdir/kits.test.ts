import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { SandboxSetupError } from "../../../../src/errors.ts";
import type { Kit } from "../../../../src/kits/kit-recipe.ts";
import { sandboxSchema } from "../../../../src/plan/schema/sandbox-schema.ts";
import { createTempdirDriver } from "../../../../src/sandbox/tempdir/driver.ts";

const { signal } = new AbortController();
const config = sandboxSchema.parse({ driver: "tempdir" });
const base = { key: "default/t/00", taskId: "t", config, taskDir: "/", env: {}, lifeSeconds: 60, log: () => {} };

test("a kit is used where it is kept, and refused where its loader is missing", async () => {
  const tmpDir = await mkdtemp(join(tmpdir(), "evalbatch-tempdir-kits-"));
  try {
    const driver = createTempdirDriver({ runId: "r", env: { PATH: process.env.PATH }, tmpDir, log: () => {} });
    assert.equal(driver.platform, `${process.platform}-${process.arch}`);
    const kit: Kit = { name: "tool", version: "1.0.0", directory: "/cache/tool/1.0.0", digest: "0" };
    await using sandbox = await driver.start({ ...base, kits: [kit] }, signal);
    assert.equal(sandbox.kitDir("tool"), "/cache/tool/1.0.0");
    assert.equal(sandbox.kitDir("other"), undefined);
    await assert.rejects(
      driver.start({ ...base, kits: [{ ...kit, loader: "/nowhere/ld.so" }] }, signal),
      (error) => error instanceof SandboxSetupError && error.code === "image-libc" && /^this machine has /.test(error.message),
    );
  } finally {
    await rm(tmpDir, { recursive: true, force: true });
  }
});
