import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { sandboxSchema } from "../../../../src/plan/schema/sandbox-schema.ts";
import type { SandboxRequest } from "../../../../src/sandbox/sandbox.ts";
import { createTempdirDriver, type TempdirDriverOptions } from "../../../../src/sandbox/tempdir/driver.ts";
import { hostEnvironment } from "../../../../src/sandbox/tempdir/host-environment.ts";
import { removeTree } from "../../../../src/sandbox/tempdir/leftovers.ts";
import { readProcess } from "../../../../src/sandbox/tempdir/processes.ts";

const { signal } = new AbortController();

function request(more: Partial<SandboxRequest> = {}): SandboxRequest {
  return {
    key: "default/t/00",
    taskId: "t",
    config: sandboxSchema.parse({}),
    taskDir: "/",
    env: {},
    lifeSeconds: 60,
    log: () => {},
    ...more,
  };
}

async function withTmp(
  work: (tmpDir: string, open: (more?: Partial<TempdirDriverOptions>) => ReturnType<typeof createTempdirDriver>) => Promise<void>,
): Promise<void> {
  const tmpDir = await realpath(await mkdtemp(join(tmpdir(), "driver-test-")));
  try {
    await work(tmpDir, (more = {}) => createTempdirDriver({ runId: "r", env: { PATH: process.env.PATH }, tmpDir, log: () => {}, ...more }));
  } finally {
    await removeTree(tmpDir);
  }
}

async function line(sandbox: Awaited<ReturnType<ReturnType<typeof createTempdirDriver>["start"]>>, shell: string): Promise<string> {
  return (await sandbox.exec({ command: { shell }, timeoutMs: 20_000, maxOutputBytes: 10_000, signal })).output.stdout;
}

test("makes a private directory and leaves nothing of it", async () => {
  await withTmp(async (tmpDir, open) => {
    const sandbox = await open().start(request(), signal);
    assert.match(sandbox.workDir, new RegExp(`^${tmpDir}/evalbatch-[^/]+/work$`));
    assert.equal((await lstat(sandbox.workDir)).mode & 0o777, 0o700);
    await line(sandbox, "mkdir -p a/b && touch a/b/f && chmod 000 a/b a");
    await sandbox.stop();
    assert.deepEqual(await readdir(tmpDir), []);
  });
});

test("removes a tree that is nested deeper than a path can be long", async () => {
  await withTmp(async (tmpDir, open) => {
    const sandbox = await open().start(request(), signal);
    const depth = await line(
      sandbox,
      `n=${"d".repeat(200)}; i=0; while [ $i -lt 60 ]; do mkdir $n && cd -P $n || break; i=$((i+1)); done; echo $i`,
    );
    assert.equal(depth, "60\n");
    await sandbox.stop();
    assert.deepEqual(await readdir(tmpDir), []);
  });
});

test("works in a directory that is given, and leaves it with what is in it", async () => {
  await withTmp(async (tmpDir, open) => {
    const directory = join(tmpDir, "artifacts/task");
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "stale"), "s");
    await symlink("artifacts", join(tmpDir, "link"));
    const sandbox = await open().start(request({ directory: join(tmpDir, "link/task") }), signal);
    assert.equal(sandbox.workDir, directory);
    assert.equal(await line(sandbox, "pwd; ls; echo new >made"), `${directory}\nstale\n`);
    await sandbox.stop();
    assert.deepEqual(
      [await readdir(tmpDir), (await readdir(directory)).sort()],
      [
        ["artifacts", "link"],
        ["made", "stale"],
      ],
    );
  });
});

test("moves files out when they are not needed any more", async () => {
  await withTmp(async (tmpDir, open) => {
    const sandbox = await open().start(request(), signal);
    await line(sandbox, "mkdir d; echo x >d/f; chmod 600 d/f; ln -s d l");
    const inode = (await lstat(join(sandbox.workDir, "d/f"))).ino;
    const report = await sandbox.exportTo(join(tmpDir, "out"), { exclude: [], maxBytes: 100, signal, move: true });
    const moved = await lstat(join(tmpDir, "out/d/f"));
    assert.deepEqual([report.files, moved.ino, moved.mode & 0o777, await sandbox.kindOf("d/f")], [1, inode, 0o600, "missing"]);
    await sandbox.stop();
    assert.equal(await readFile(join(tmpDir, "out/d/f"), "utf8"), "x\n");
  });
});

test("killAll ends every sandbox of the run with its processes", async () => {
  await withTmp(async (tmpDir, open) => {
    const driver = open();
    const sandboxes = await Promise.all([1, 2, 3].map((n) => driver.start(request({ key: `k${n}` }), signal)));
    const running = sandboxes.map((sandbox) => assert.rejects(line(sandbox, "sleep 4001"), { code: "sandbox-lost" }));
    await driver.killAll();
    await Promise.all(running);
    assert.deepEqual(await readdir(tmpDir), []);
  });
});

test("quiesce ends a process that cleaned its environment, left its session and went elsewhere, by the pipe it holds", async () => {
  await withTmp(async (_tmpDir, open) => {
    const sandbox = await open().start(request(), signal);
    const pid = Number(await line(sandbox, "cd /; env -i setsid sh -c 'echo $$; exec sleep 7777' & sleep 0.5"));
    assert.equal(readProcess(pid)?.zombie, false);
    assert.deepEqual(await sandbox.quiesce(signal), { killed: 1 });
    // Who reaps orphans may be slow: a zombie is dead.
    assert.ok(readProcess(pid)?.zombie !== false, `process ${pid} lives`);
    await sandbox.stop();
  });
});

test("a sandbox ends itself when its life is over", async () => {
  await withTmp(async (tmpDir, open) => {
    const sandbox = await open().start(request({ lifeSeconds: 0.3 }), signal);
    await assert.rejects(line(sandbox, "sleep 4002"), { code: "sandbox-lost" });
    await sandbox.stop();
    assert.deepEqual(await readdir(tmpDir), []);
  });
});

test("is lost, not failed, when a task removes the sandbox's own directory", async () => {
  await withTmp(async (_tmpDir, open) => {
    const sandbox = await open().start(request(), signal);
    await line(sandbox, `rm -rf "$(dirname "$PWD")"`);
    await assert.rejects(line(sandbox, "true"), { name: "SandboxLostError", message: /was removed under it/ });
    await sandbox.stop();
  });
});

test("starts nothing under an aborted signal and says where no directory can be made", async () => {
  await withTmp(async (tmpDir, open) => {
    const reason = new Error("stop");
    await assert.rejects(open().start(request(), AbortSignal.abort(reason)), (error) => error === reason);
    assert.deepEqual(await readdir(tmpDir), []);
    await assert.rejects(open({ tmpDir: join(tmpDir, "none") }).start(request(), signal), {
      name: "EnvironmentError",
      code: "no-temporary-directory",
    });
  });
});

test("sweeps what a killed run left behind, its processes too, and nothing of the living", async () => {
  await withTmp(async (tmpDir, open) => {
    const source = pathToFileURL(join(import.meta.dirname, "../../../../src/sandbox/tempdir/driver.ts")).href;
    const program = `
      import { createTempdirDriver } from ${JSON.stringify(source)};
      const driver = createTempdirDriver({ runId: "dead", env: process.env, tmpDir: ${JSON.stringify(tmpDir)}, log: () => {} });
      const { signal } = new AbortController();
      const sandbox = await driver.start({ key: "k", taskId: "t", config: {}, taskDir: "/", env: {}, lifeSeconds: 600, log: () => {} }, signal);
      await sandbox.exec({ command: { shell: "setsid sleep 4003 >/dev/null 2>&1 & echo $!" }, timeoutMs: 9000, maxOutputBytes: 99, signal });
      const { output } = await sandbox.exec({ command: { shell: "grep -l sleep.4003 /proc/[0-9]*/cmdline | cut -d/ -f3" }, timeoutMs: 9000, maxOutputBytes: 99, signal });
      console.log(output.stdout.trim());
      process.kill(process.pid, "SIGKILL");`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    await once(child, "close");
    const pids = printed.trim().split("\n").map(Number);
    assert.ok(pids.length > 0 && pids.every((pid) => pid > 1), printed);

    const lines: string[] = [];
    const driver = open({ log: (text) => lines.push(text) });
    const mine = await driver.start(request(), signal);
    await mkdir(join(tmpDir, "evalbatch-fresh"));
    await mkdir(join(tmpDir, "evalbatch-old"));
    await utimes(join(tmpDir, "evalbatch-old"), 1, 1);
    await mkdir(join(tmpDir, "other"));
    await symlink(join(tmpDir, "other"), join(tmpDir, "evalbatch-link"));
    assert.equal(await driver.sweep(), 2);
    const left = (await readdir(tmpDir)).sort();
    assert.deepEqual(
      left.filter((name) => !mine.workDir.includes(name)),
      ["evalbatch-fresh", "evalbatch-link", "other"],
    );
    assert.equal(left.length, 4);
    assert.ok(lines.some((text) => text.includes("left behind by run dead")));
    // Who reaps orphans may be slow: a zombie is dead.
    for (const pid of pids) assert.ok(readProcess(pid)?.zombie !== false, `process ${pid} lives`);
    await mine.stop();
  });
});

test("lets in what processes need of the host's environment and nothing that may be secret", () => {
  const env = {
    PATH: "/bin",
    HOME: "/h",
    LC_ALL: "C",
    https_proxy: "http://p",
    GITHUB_TOKEN: "x",
    ACTIONS_RUNTIME_TOKEN: "x",
    INPUT_TOKEN: "x",
    RUNNER_TEMP: "x",
    ANTHROPIC_API_KEY: "x",
    LD_PRELOAD: "x",
    NODE_OPTIONS: "x",
    PYTHONPATH: "x",
    EMPTY: undefined,
  };
  assert.deepEqual(hostEnvironment(env), { PATH: "/bin", HOME: "/h", LC_ALL: "C", https_proxy: "http://p" });
  assert.ok(hostEnvironment({}).PATH?.includes("/usr/bin"));
});
