import assert from "node:assert/strict";
import { EnvironmentError } from "../../src/errors.ts";
import type { Engine } from "../../src/sandbox/docker/connect.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { dockerTest, importImage, never, openDriver, removeImage } from "./engine.ts";

const facts = 'id -u; id -g; cd; echo in-home >f && cat f; cd "$OLDPWD"; pwd; echo w >w && cat w; echo t >/tmp/t && cat /tmp/t; echo $HOME';

async function run(sandbox: Sandbox, line: string): Promise<string> {
  const result = await sandbox.exec({ command: { shell: line }, timeoutMs: 30_000, maxOutputBytes: 100_000, signal: never });
  assert.deepEqual([result.kind, result.output.stderr], ["exited", ""], line);
  return result.output.stdout;
}

async function withImage(
  engine: Engine,
  changes: readonly string[],
  files: Readonly<Record<string, string>>,
  body: (image: string) => Promise<void>,
): Promise<void> {
  const image = `evalbatch-test-${process.pid}-${Math.random().toString(36).slice(2)}:latest`;
  await importImage(engine, image, "/bin/busybox", changes, files);
  try {
    await body(image);
  } finally {
    await removeImage(engine, image);
  }
}

const passwd =
  "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\nagent:x:1001:1002:agent:/home/agent:/bin/sh\n";

dockerTest("every kind of USER can write its working directory, its home and /tmp", async (engine) => {
  const cases: readonly [user: string, files: Readonly<Record<string, string>>, expected: string][] = [
    ["", {}, "0\n0\nin-home\n/work\nw\nt\n/root\n"],
    ["65532", {}, "65532\n0\nin-home\n/work\nw\nt\n/home/evalbatch\n"],
    ["65532:65533", {}, "65532\n65533\nin-home\n/work\nw\nt\n/home/evalbatch\n"],
    ["agent", { "etc/passwd": passwd }, "1001\n1002\nin-home\n/work\nw\nt\n/home/evalbatch\n"],
    ["1001", { "etc/passwd": passwd }, "1001\n1002\nin-home\n/work\nw\nt\n/home/evalbatch\n"],
    ["nobody:staff", { "etc/passwd": passwd, "etc/group": "staff:x:50:\n" }, "65534\n50\nin-home\n/work\nw\nt\n/home/evalbatch\n"],
  ];
  await using docker = await openDriver();
  for (const [user, files, expected] of cases) {
    await withImage(engine, user === "" ? ["LABEL none=none"] : [`USER ${user}`], files, async (image) => {
      await using sandbox = await docker.start({ docker: { image } });
      assert.equal(await run(sandbox, facts), expected, `USER ${user}`);
      await sandbox.putFiles([{ kind: "file", path: "put", mode: 0o600, content: Buffer.from("p") }]);
      assert.equal(await run(sandbox, "cat put; echo more >>put; rm put; echo ok"), "pok\n", `USER ${user}`);
    });
  }
});

dockerTest("a USER that the image does not have is an error of the machine, and leaves no container", async (engine) => {
  await withImage(engine, ["USER ghost"], { "etc/passwd": passwd }, async (image) => {
    await using docker = await openDriver();
    await assert.rejects(docker.start({ docker: { image } }), (error) => error instanceof EnvironmentError && error.code === "image-user");
  });
});

dockerTest("working_dir may be a path, or the image's own", async (engine) => {
  await withImage(engine, ["WORKDIR /srv/app", "USER 65532"], { "srv/app/own.txt": "own" }, async (image) => {
    await using docker = await openDriver();
    const dirs = [
      [null, "/work"],
      ["auto", "/srv/app"],
      ["/opt/place", "/opt/place"],
    ] as const;
    for (const [working_dir, expected] of dirs) {
      await using sandbox = await docker.start({ docker: { image, working_dir } });
      assert.equal(sandbox.workDir, expected);
      assert.equal(await run(sandbox, "pwd; echo x >made; cat made"), `${expected}\nx\n`);
    }
  });
  await using docker = await openDriver();
  await using sandbox = await docker.start({ docker: { working_dir: "auto" } });
  assert.equal(sandbox.workDir, "/root");
});
