import assert from "node:assert/strict";
import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { sandboxSchema } from "../../../src/plan/schema/sandbox-schema.ts";
import { newAttempt } from "../../../src/run/attempt.ts";
import { keepArtifacts } from "../../../src/run/keep-artifacts.ts";
import type { TaskLog } from "../../../src/run/task-log.ts";
import { createTempdirDriver } from "../../../src/sandbox/tempdir/driver.ts";
import { removeTree } from "../../../src/sandbox/tempdir/leftovers.ts";

const { signal } = new AbortController();
const log: TaskLog = { write: () => {}, foreign: () => {}, raw: () => {}, close: async () => {} };

/** What stays of a task that ran `shell` in a directory of this machine. */
async function keep(mode: "MOVE_ON_WRITE" | "DIRECT_WRITE", shell: string, look: (kept: string) => Promise<void>) {
  const tmpDir = await realpath(await mkdtemp(join(tmpdir(), "keep-test-")));
  try {
    const runDir = join(tmpDir, "run");
    const keepIn = join(runDir, "default/t/00/artifacts/t");
    await mkdir(join(runDir, "default/t/00"), { recursive: true });
    const workIn = mode === "DIRECT_WRITE" ? keepIn : undefined;
    await writeFile(join(tmpDir, "host"), "h", { mode: 0o400 });
    const driver = createTempdirDriver({ runId: "r", env: { PATH: process.env.PATH }, tmpDir, log: () => {} });
    const config = sandboxSchema.parse({});
    const request = { key: "k", taskId: "t", config, taskDir: "/", env: { HOST: join(tmpDir, "host") }, lifeSeconds: 60, log: () => {} };
    await using sandbox = await driver.start({ ...request, directory: workIn }, signal);
    await sandbox.exec({ command: { shell }, timeoutMs: 20_000, maxOutputBytes: 1000, signal });
    const attempt = newAttempt(new Date(0));
    await keepArtifacts({ sandbox, attempt, log, preservation: { mode, keepIn, shownAs: "shown", workIn }, runDir, signal });
    await look(keepIn);
    assert.equal(await readFile(join(tmpDir, "host"), "utf8"), "h");
    assert.equal((await stat(join(tmpDir, "host"))).mode & 0o777, 0o400);
    return attempt.artifacts;
  } finally {
    await removeTree(tmpDir);
  }
}

const hostile = `
  umask 022
  mkdir -p d/node_modules/x closed .venv/bin; echo x >d/f; echo y >closed/g; : >d/node_modules/x/n; ln -s python3 .venv/bin/python
  ln -s "$HOST" link; ln -s /etc d/dir; mkfifo d/pipe; echo r >run; chmod 4755 run; echo p >private; chmod 600 private; echo n >none
  chmod 000 none; chmod 300 .venv/bin; chmod 000 closed .venv; : >"$(printf 'not\\377utf8')"; mkdir "$(printf 'd\\377')"; : >"$(printf 'd\\377/f')"`;

for (const mode of ["MOVE_ON_WRITE", "DIRECT_WRITE"] as const) {
  test(`${mode} keeps regular files and directories, with the same modes and the same report`, async () => {
    const report = await keep(mode, hostile, async (kept) => {
      const names = (await readdir(kept, { recursive: true })).sort();
      assert.deepEqual(names, ["closed", "closed/g", "d", "d/f", "none", "private", "run"]);
      const modes = await Promise.all(
        [".", "..", ...names].map(async (name) => `${name} ${((await lstat(join(kept, name))).mode & 0o7777).toString(8)}`),
      );
      const expected = [". 755", ".. 755", "closed 700", "closed/g 644", "d 755", "d/f 644", "none 600", "private 600", "run 755"];
      assert.deepEqual(modes, expected);
    });
    assert.deepEqual([report?.files, report?.bytes, report?.leftOutCount], [5, 10, 7]);
    assert.deepEqual(report?.leftOut.map(({ path, reason }) => `${path}: ${reason}`).sort(), [
      ".venv: excluded",
      "d/dir: link",
      "d/node_modules: excluded",
      "d/pipe: fifo",
      "d\uFFFD: name is not UTF-8",
      "link: link",
      "not\uFFFDutf8: name is not UTF-8",
    ]);
  });

  test(`${mode} neither changes nor takes a file of the host that the task gave a second name`, async () => {
    const report = await keep(mode, 'ln "$HOST" hard', async (kept) => assert.equal(await readFile(join(kept, "hard"), "utf8"), "h"));
    assert.deepEqual([report?.files, report?.leftOutCount], [1, 0]);
  });
}

test("DIRECT_WRITE holds files to the same limit in size", async () => {
  const report = await keep("DIRECT_WRITE", "echo x >a; truncate -s 1G big; echo y >c", async (kept) => {
    assert.deepEqual((await readdir(kept)).sort(), ["a", "c"]);
  });
  assert.deepEqual([report?.files, report?.leftOut], [2, [{ path: "big", reason: "over the size limit" }]]);
});
