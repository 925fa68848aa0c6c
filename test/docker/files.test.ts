import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SandboxLostError, TooLargeError } from "../../src/errors.ts";
import type { FileEntry, Sandbox } from "../../src/sandbox/sandbox.ts";
import { dockerTest, leftOf, never, openDriver } from "./engine.ts";

const run = (sandbox: Sandbox, line: string) =>
  sandbox.exec({ command: { shell: line }, timeoutMs: 60_000, maxOutputBytes: 1000, signal: never });

/** Files that claim two terabytes and hold nothing. */
const sparse = "mkdir d; echo a >d/a; truncate -s 2000G d/b && echo c >d/c && echo ok";

dockerTest("a file of any size neither holds up a search nor the export, nor does it hide what is small", async () => {
  await using docker = await openDriver();
  await using sandbox = await docker.start();
  assert.equal((await run(sandbox, sparse)).output.stdout, "ok\n");
  await assert.rejects(sandbox.glob("d/*"), (error) => error instanceof TooLargeError && /too large to search/.test(error.message));
  assert.equal((await sandbox.readFile("d/b", 100)).kind, "too large");
  assert.equal((await sandbox.readFile("d/c", 100)).kind, "read");
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-files-"));
  try {
    const report = await sandbox.exportTo(dir, { exclude: [], maxBytes: 1000, signal: never });
    assert.match(report.leftOut.at(-1)?.reason ?? "", /was not looked at/);
    assert.equal(await readFile(join(dir, "d/a"), "utf8"), "a\n");
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

dockerTest("an abort and a stop end what is read from a container, and nothing is left of it", async (engine) => {
  await using docker = await openDriver();
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-files-"));
  try {
    const sandbox = await docker.start();
    // Below the limit of a search, but longer than anybody waits.
    await run(sandbox, "mkdir d; truncate -s 1000M d/b");
    const stop = new AbortController();
    const reason = new Error("enough");
    const aborted = assert.rejects(sandbox.glob("d/*", stop.signal), reason);
    setTimeout(() => stop.abort(reason), 200);
    await aborted;
    for (const late of [sandbox.glob("*", stop.signal), sandbox.kindOf("d", stop.signal), sandbox.readFile("d", 1, stop.signal)]) {
      await assert.rejects(late, reason);
    }
    await assert.rejects(sandbox.putFiles([], ".", stop.signal), reason);
    const lost = assert.rejects(sandbox.glob("d/*"), SandboxLostError);
    const exported = assert.rejects(sandbox.exportTo(dir, { exclude: ["b"], maxBytes: 10, signal: never }), SandboxLostError);
    setTimeout(() => void sandbox.stop(), 200);
    await Promise.all([lost, exported]);
    await sandbox.stop();
    assert.deepEqual(await leftOf(engine, docker.runId), []);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

dockerTest("files that come through a link of an earlier source go where it leads", async () => {
  await using docker = await openDriver();
  await using sandbox = await docker.start();
  const file = (path: string, text: string): FileEntry => ({ kind: "file", path, mode: 0o644, content: Buffer.from(text) });
  await sandbox.putFiles([file("src/a", "a"), { kind: "symlink", path: "lib", target: "src" }]);
  await sandbox.putFiles([file("lib/b", "b")]);
  assert.equal((await run(sandbox, "cat src/a src/b lib/b; ls lib | wc -l")).output.stdout, "abb2\n");
  // What the engine has against it is told.
  const beyond = file(`${"n".repeat(300)}`, "x");
  await assert.rejects(sandbox.putFiles([beyond]), (error: Error) =>
    /cannot write files into \/work: .*name too long/i.test(error.message),
  );
});
