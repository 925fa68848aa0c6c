import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Readable } from "node:stream";
import { pack } from "tar-stream";
import { EnvironmentError, InputError } from "../../src/errors.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { dockerTest, leftOf, never, openDriver, removeImage } from "./engine.ts";

const run = (sandbox: Sandbox, line: string) =>
  sandbox.exec({ command: { shell: line }, timeoutMs: 60_000, maxOutputBytes: 100_000, signal: never });

dockerTest("an image without a shell is refused with the remedy, and leaves nothing", async (engine) => {
  const repo = `evalbatch-test-${process.pid}-empty`;
  const tar = pack();
  tar.entry({ name: "only-file" }, "x");
  tar.finalize();
  await engine.client.call({
    method: "POST",
    path: "/images/create",
    query: { fromSrc: "-", repo, tag: "latest" },
    upload: Readable.from(tar),
  });
  try {
    await using docker = await openDriver();
    await assert.rejects(docker.start({ docker: { image: repo } }), (error) => {
      assert.ok(error instanceof EnvironmentError && error.code === "image-no-shell", String(error));
      assert.match(error.hint ?? "", /\/bin\/sh/);
      return true;
    });
    assert.deepEqual(await leftOf(engine, docker.runId), []);
  } finally {
    await removeImage(engine, repo);
  }
});

dockerTest("extra_mounts are the only host directories that a container sees, read-only unless they say rw", async (_engine, t) => {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-mounts-"));
  try {
    await chmod(dir, 0o777);
    await writeFile(join(dir, "data"), "from the host");
    await using docker = await openDriver({ env: { ...process.env, DATA_DIR: dir } });
    const started = await docker.start({ docker: { extra_mounts: ["$DATA_DIR:/ro", `${dir}:/rw:rw`] } }).catch((error: unknown) => {
      if (error instanceof EnvironmentError && error.code === "extra-mount") return undefined;
      throw error;
    });
    if (started === undefined) return t.skip("the engine has other files than this machine, and says so");
    await using sandbox = started;
    const result = await run(sandbox, "cat /ro/data; echo x 2>/dev/null >/ro/new || echo refused; echo made >/rw/new; chmod 666 /rw/new");
    assert.equal(result.output.stdout, "from the hostrefused\n");
    assert.equal(await readFile(join(dir, "new"), "utf8"), "made\n");
    await assert.rejects(
      docker.start({ docker: { extra_mounts: [`${dir}/missing:/x`] } }),
      (error) => error instanceof InputError && /does not exist/.test(error.message),
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

dockerTest("values of variables are in no process's argv, and hostile output is only in the result", async () => {
  await using docker = await openDriver();
  await using sandbox = await docker.start({}, { env: { TASK_SECRET: "canary-of-task", HOME: "/home-of-task" } });
  const result = await sandbox.exec({
    command: {
      shell:
        'cat /proc/[0-9]*/cmdline | tr "\\0" " "; echo; echo "$TASK_SECRET $OWN_SECRET $HOME"; echo "::error::forged"; echo "##[group]forged" >&2',
    },
    env: { OWN_SECRET: "canary-of-exec" },
    timeoutMs: 60_000,
    maxOutputBytes: 100_000,
    signal: never,
  });
  const [argv, values, command] = result.output.stdout.split("\n").slice(-4);
  assert.equal(values, "canary-of-task canary-of-exec /home-of-task");
  assert.ok(!argv?.includes("canary"), argv);
  assert.equal(command, "::error::forged");
  assert.equal(result.output.stderr, "##[group]forged\n");
  assert.ok(!docker.lines.some((line) => line.includes("forged") || line.includes("canary")));
});

dockerTest("a command that does not read its input, and one that floods, both end with their output", async () => {
  await using docker = await openDriver();
  await using sandbox = await docker.start();
  const more = { timeoutMs: 60_000, signal: never };
  const deaf = await sandbox.exec({ command: { shell: "echo not reading" }, stdin: "x".repeat(4_000_000), maxOutputBytes: 1000, ...more });
  assert.deepEqual([deaf.kind, deaf.output.stdout], ["exited", "not reading\n"]);
  const flood = await sandbox.exec({
    command: { shell: "yes 0123456789 | head -c 20000000; echo end >&2" },
    maxOutputBytes: 1000,
    ...more,
  });
  assert.deepEqual([flood.output.stdout.length, flood.output.stderr, flood.output.droppedBytes], [1000, "end\n", 19_999_000]);
});

dockerTest("an engine behind ssh is reached through the user's own ssh program", async (engine, t) => {
  const { endpoint } = engine.client;
  if (endpoint.kind !== "socket") return t.skip("the engine is not behind a socket");
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-ssh-"));
  try {
    // Stands for ssh and the remote docker: bridges the engine's socket to its own input and output.
    const bridge = `const s = require("node:net").connect(${JSON.stringify(endpoint.path)}); process.stdin.pipe(s); s.pipe(process.stdout);`;
    await writeFile(join(dir, "ssh"), `#!/bin/sh\necho "$@" >>${dir}/calls\nexec ${process.execPath} -e '${bridge}'\n`, { mode: 0o755 });
    const path = process.env.PATH;
    process.env.PATH = `${dir}${delimiter}${path}`;
    try {
      await using docker = await openDriver({ env: { ...process.env, DOCKER_HOST: "ssh://me@far.example:2222" } });
      await using sandbox = await docker.start();
      assert.equal((await run(sandbox, "echo over ssh")).output.stdout, "over ssh\n");
      const piped = await sandbox.exec({ command: ["cat"], stdin: "input", timeoutMs: 60_000, maxOutputBytes: 100, signal: never });
      assert.equal(piped.output.stdout, "input");
      await sandbox.putFiles([{ kind: "file", path: "f", mode: 0o644, content: Buffer.from("put") }]);
      assert.equal((await sandbox.readFile("f", 10)).kind, "read");
    } finally {
      process.env.PATH = path;
    }
    assert.match(await readFile(join(dir, "calls"), "utf8"), /^-p 2222 .* me@far\.example docker system dial-stdio$/m);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
