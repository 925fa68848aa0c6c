import assert from "node:assert/strict";
import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rename, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { sandboxSchema } from "../../../../src/plan/schema/sandbox-schema.ts";
import type { ExportOptions, Sandbox, SandboxRequest } from "../../../../src/sandbox/sandbox.ts";
import { createTempdirDriver } from "../../../../src/sandbox/tempdir/driver.ts";
import { removeTree } from "../../../../src/sandbox/tempdir/leftovers.ts";

const { signal } = new AbortController();
const moveAll: ExportOptions = { exclude: [".venv"], maxBytes: 1_000_000, signal, move: true };
const replaced = { path: ".", reason: "the working directory was replaced" };

interface Scene {
  readonly tmpDir: string;
  /** A directory of the host with `secret`, `sub/deep`, a link and a `.venv`. */
  readonly victim: string;
  readonly start: (more?: Partial<SandboxRequest>) => Promise<Sandbox>;
}

async function withVictim(work: (scene: Scene) => Promise<void>): Promise<void> {
  const tmpDir = await realpath(await mkdtemp(join(tmpdir(), "replaced-test-")));
  const victim = join(tmpDir, "victim");
  try {
    await mkdir(join(victim, "sub"), { recursive: true });
    await mkdir(join(victim, ".venv"));
    await writeFile(join(victim, "secret"), "s", { mode: 0o400 });
    await writeFile(join(victim, "sub/deep"), "d");
    await symlink("secret", join(victim, "link"));
    const driver = createTempdirDriver({ runId: "r", env: { PATH: process.env.PATH }, tmpDir, log: () => {} });
    const base = { key: "default/t/00", taskId: "t", config: sandboxSchema.parse({}), taskDir: "/", env: {}, lifeSeconds: 60 };
    await work({ tmpDir, victim, start: async (more) => await driver.start({ ...base, log: () => {}, ...more }, signal) });
  } finally {
    await removeTree(tmpDir);
  }
}

async function assertUnhurt(victim: string): Promise<void> {
  assert.deepEqual((await readdir(victim, { recursive: true })).sort(), [".venv", "link", "secret", "sub", "sub/deep"]);
  assert.equal(await readFile(join(victim, "secret"), "utf8"), "s");
  assert.equal((await lstat(join(victim, "secret"))).mode & 0o777, 0o400);
}

async function sh(sandbox: Sandbox, shell: string, cwd?: string) {
  return await sandbox.exec({ command: { shell }, cwd, timeoutMs: 20_000, maxOutputBytes: 10_000, signal });
}

const swapForLink = (victim: string): string => `d=$PWD; cd ..; mv "$d" "$d.bak"; ln -s ${victim} "$d"`;

test("a link in the place of the working directory costs the host no file and shows none", async () => {
  await withVictim(async ({ tmpDir, victim, start }) => {
    const sandbox = await start();
    await sh(sandbox, `echo mine >mine; ${swapForLink(victim)}`);
    assert.deepEqual(await sandbox.exportTo(join(tmpDir, "out"), moveAll), { files: 0, bytes: 0, leftOut: [replaced], leftOutCount: 1 });
    await assertUnhurt(victim);
    assert.deepEqual(await sandbox.glob("**/*"), []);
    for (const path of [".", "secret", "sub/deep", "none", `${sandbox.workDir}/secret`]) {
      assert.equal(await sandbox.kindOf(path), "outside", path);
      assert.deepEqual(await sandbox.readFile(path, 100), { kind: "outside" }, path);
    }
    await assert.rejects(sandbox.putFiles([{ kind: "file", path: "x", mode: 0o644, content: Buffer.from("x") }]), { code: "put-failed" });
    await sandbox.stop();
    await assertUnhurt(victim);
    assert.deepEqual(await readdir(tmpDir), ["victim"]);
  });
});

test("no command runs in what has taken the place of the working directory", async () => {
  await withVictim(async ({ victim, start }) => {
    const sandbox = await start();
    await sh(sandbox, swapForLink(victim));
    for (const cwd of [undefined, "sub", `${sandbox.workDir}/sub`]) {
      const result = await sh(sandbox, "rm -rf *", cwd);
      assert.equal(result.kind === "exited" ? result.exitCode : result.kind, 126);
      assert.match(result.output.stderr, /^cannot change to directory .*: it was replaced\n$/);
    }
    assert.equal((await sh(sandbox, "pwd", "/")).output.stdout, "/\n");
    await sandbox.stop();
    await assertUnhurt(victim);
  });
});

test("another directory in the place of the working directory is not taken for it", async () => {
  await withVictim(async ({ tmpDir, victim, start }) => {
    const sandbox = await start();
    await sh(sandbox, 'd=$PWD; cd ..; rm -r "$d"; mkdir "$d"; echo x >"$d/f"');
    const report = await sandbox.exportTo(join(tmpDir, "out"), moveAll);
    assert.deepEqual([report.leftOut, await sandbox.glob("*"), await sandbox.kindOf("f")], [[replaced], [], "outside"]);
    await sandbox.stop();
    await assertUnhurt(victim);
  });
});

test("a working directory that was moved away and came back is the same", async () => {
  await withVictim(async ({ tmpDir, victim, start }) => {
    const sandbox = await start();
    await sh(sandbox, `echo mine >mine; ${swapForLink(victim)}; rm "$d"; mv "$d.bak" "$d"`);
    assert.deepEqual(
      [await sandbox.glob("*"), (await sh(sandbox, "cat mine; pwd")).output.stdout],
      [["mine"], `mine\n${sandbox.workDir}\n`],
    );
    assert.equal((await sandbox.exportTo(join(tmpDir, "out"), moveAll)).files, 1);
    await sandbox.stop();
  });
});

test("a removed working directory is missing, and its export says so", async () => {
  await withVictim(async ({ tmpDir, start }) => {
    const sandbox = await start();
    await sh(sandbox, 'rm -r "$PWD"');
    assert.deepEqual([await sandbox.kindOf("."), await sandbox.glob("*")], ["missing", []]);
    const report = await sandbox.exportTo(join(tmpDir, "out"), moveAll);
    assert.deepEqual(report.leftOut, [{ path: ".", reason: "the working directory was removed" }]);
    await sandbox.stop();
  });
});

test("stop removes the sandbox's own tree where it was moved to, and nothing that stands in its place", async () => {
  await withVictim(async ({ tmpDir, victim, start }) => {
    const linked = await start();
    await sh(linked, `r=${dirname(linked.workDir)}; mv $r $r.bak; ln -s ${victim} $r`);
    await linked.stop();
    await assertUnhurt(victim);
    assert.deepEqual(await readdir(tmpDir), ["victim"]);
    const swapped = await start();
    const root = dirname(swapped.workDir);
    await sh(swapped, `mv ${root} ${root}.bak; mv ${victim} ${root}`);
    await swapped.stop();
    await assertUnhurt(root);
    await rename(root, victim);
    assert.deepEqual(await readdir(tmpDir), ["victim"]);
  });
});

test("nothing is put through a link in the place of the support directory", async () => {
  await withVictim(async ({ victim, start }) => {
    const sandbox = await start();
    await sh(sandbox, `rmdir ${sandbox.supportDir}; ln -s ${victim} ${sandbox.supportDir}`);
    const secret = { kind: "file", path: "secret", mode: 0o644, content: Buffer.from("x") } as const;
    await assert.rejects(sandbox.putFiles([secret], sandbox.supportDir), { code: "put-failed" });
    await sandbox.stop();
    await assertUnhurt(victim);
  });
});

test("files with a second name outside are copied, not moved, and an export follows no link that stands in its target", async () => {
  await withVictim(async ({ tmpDir, victim, start }) => {
    const sandbox = await start();
    await sh(sandbox, `ln ${victim}/secret hard; mkdir sub; echo x >sub/secret; echo y >sub/deep; echo z >run; chmod 4755 run`);
    await mkdir(join(tmpDir, "out"));
    await symlink(join(victim, "sub"), join(tmpDir, "out/sub"));
    const report = await sandbox.exportTo(join(tmpDir, "out"), moveAll);
    assert.deepEqual([report.files, report.leftOut], [2, [{ path: "sub", reason: "something else is in its place" }]]);
    const [kept, run] = await Promise.all(["hard", "run"].map((name) => lstat(join(tmpDir, "out", name))));
    assert.notEqual(kept?.ino, (await lstat(join(victim, "secret"))).ino);
    assert.equal((run?.mode ?? 0) & 0o7777, 0o755);
    await assertUnhurt(victim);
    await sandbox.stop();
  });
});

for (const [what, swap] of [
  ["a link to the host", (place: string, victim: string) => `mv ${place} ${place}.bak; ln -s ${victim} ${place}`],
  ["a directory with links", (place: string, victim: string) => `mv ${place} ${place}.bak; mkdir ${place}; ln -s ${victim} ${place}/l`],
] as const) {
  test(`${what} in a kept working directory's place leads nowhere in the end`, async () => {
    await withVictim(async ({ tmpDir, victim, start }) => {
      const directory = join(tmpDir, "artifacts/t");
      const sandbox = await start({ directory });
      await sh(sandbox, `ln -s ${victim} old; touch stays; ${swap(directory, victim)}`);
      const report = await sandbox.exportTo(directory, moveAll);
      assert.deepEqual([report.files, report.leftOut[0]], [0, replaced]);
      assert.deepEqual(await readdir(directory).catch(() => []), []);
      assert.deepEqual(await readdir(`${directory}.bak`), ["stays"]);
      assert.ok(!(await lstat(directory).catch(() => undefined))?.isSymbolicLink());
      await sandbox.stop();
      await assertUnhurt(victim);
    });
  });
}
