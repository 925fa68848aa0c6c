import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../src/sandbox/docker/connect.ts";
import { pullImage } from "../../src/sandbox/docker/pull.ts";
import { dockerTest, never, openDriver, removeImage } from "./engine.ts";
import { hasRegistry, login, startRegistry, writeLogin } from "./registry.ts";

const codeOf = (code: string) => (error: unknown) => error instanceof Error && "code" in error && error.code === code;

dockerTest("a missing image is an error of the machine that names the image, and is not tried again", async (engine, t) => {
  if (!hasRegistry()) return t.skip("docker-registry is not installed");
  await using registry = await startRegistry(engine);
  await using dir = await temporary();
  await writeLogin(dir.path, registry.host);
  await using docker = await openDriver({ env: { ...process.env, DOCKER_CONFIG: dir.path } });
  for (const image of [`${registry.host}/team/image:no-such-tag`, `${registry.host}/team/nothing:1`]) {
    await assert.rejects(docker.driver.prepare(docker.request({ docker: { image } }), never), (error: Error) => {
      assert.ok(codeOf("image-not-found")(error), error.message);
      assert.match(error.message, new RegExp(image));
      return true;
    });
  }
  assert.ok(!docker.lines.some((line) => line.includes("next try")));
});

dockerTest("a private image needs the log-in of the user's docker configuration, and is pulled once for all tasks", async (engine, t) => {
  if (!hasRegistry()) return t.skip("docker-registry is not installed");
  await using registry = await startRegistry(engine);
  await using dir = await temporary();
  const env = { ...process.env, DOCKER_CONFIG: dir.path };
  const image = `${registry.host}/team/image:1`;
  await using _pulled = pulled(engine, image);
  const pull = async () => {
    await using docker = await openDriver({ env });
    const request = docker.request({ docker: { image } });
    await Promise.all([1, 2, 3, 4].map(() => docker.driver.prepare(request, never)));
    return docker.lines;
  };
  await assert.rejects(pull, codeOf("image-unauthorized"));
  await writeLogin(dir.path, registry.host, "wrong");
  await assert.rejects(pull, codeOf("image-unauthorized"));

  await writeLogin(dir.path, registry.host);
  const lines = await pull();
  assert.equal(lines.filter((line) => line.startsWith("pulling ")).length, 1);
  assert.ok(!lines.some((line) => line.includes(login.password)));
  await removeImage(engine, image);

  // A credential helper is asked as the docker CLI asks it: the registry on standard input, JSON back.
  const helper = join(dir.path, "docker-credential-test");
  await writeFile(
    helper,
    `#!/bin/sh\nread -r host\n[ "$1 $host" = "get ${registry.host}" ] && echo '{"Username":"${login.username}","Secret":"${login.password}"}'\n`,
  );
  await chmod(helper, 0o755);
  await writeFile(join(dir.path, "config.json"), JSON.stringify({ credHelpers: { [registry.host]: "test" } }));
  await using docker = await openDriver({ env: { ...env, PATH: `${dir.path}:${process.env.PATH}` } });
  await docker.driver.prepare(docker.request({ docker: { image } }), never);
});

dockerTest("a pull is tried again while the registry says 429, 503 or breaks off", async (engine, t) => {
  if (!hasRegistry()) return t.skip("docker-registry is not installed");
  await using registry = await startRegistry(engine);
  const image = `${registry.host}/team/image:1`;
  await using _pulled = pulled(engine, image);
  const lines: string[] = [];
  const auth = async () => ({ ...login, serveraddress: registry.host });
  registry.failures.push(503, 503);
  const waits: number[] = [];
  const deps = {
    client: engine.client,
    auth,
    log: (line: string) => void lines.push(line),
    backoffMs: (tries: number) => {
      waits.push(tries);
      // The next try meets another failure, the one after that none.
      if (tries === 1) registry.failures.splice(0, registry.failures.length, 429, 429, "hang up", "hang up");
      else registry.failures.length = 0;
      return 1;
    },
  };
  await pullImage(image, { repository: `${registry.host}/team/image`, version: "1", registry: registry.host }, deps, never);
  assert.deepEqual(waits, [1, 2]);
  assert.equal(lines.filter((line) => line.includes("next try")).length, 2);
});

/** Gone at the end of the test, however it ends. */
function pulled(engine: Engine, image: string): AsyncDisposable {
  return { [Symbol.asyncDispose]: async () => await removeImage(engine, image) };
}

async function temporary() {
  const path = await mkdtemp(join(tmpdir(), "evalbatch-images-"));
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }) };
}
