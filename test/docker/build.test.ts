import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EnvironmentError, ImageBuildError } from "../../src/errors.ts";
import type { Engine } from "../../src/sandbox/docker/connect.ts";
import { containerListSchema } from "../../src/sandbox/docker/responses.ts";
import { dockerTest, never, openDriver, testImage } from "./engine.ts";

const canary = "canary-build-value-4711";
/** No image of an earlier run of these tests may do. */
const fresh = `LABEL test=${process.pid}-${Date.now()}`;

dockerTest("a task's Dockerfile is built once for all its tasks, and not again while nothing of it changes", async () => {
  await using dir = await temporary({
    Dockerfile: `FROM ${testImage}\n${fresh}\nARG GREETING\nCOPY hello.txt /hello.txt\nRUN ["/bin/sh", "-c", "echo $GREETING >/greeting"]\n`,
    "hello.txt": "hello",
  });
  const config = { docker: { dockerfile_path: "Dockerfile", build: { args: { GREETING: "$BUILD_VALUE!" } } } };
  const more = { taskDir: dir.path };
  const env = { ...process.env, BUILD_VALUE: canary };
  await using docker = await openDriver({ env });
  const request = docker.request(config, more);
  await Promise.all([1, 2, 3].map(() => docker.driver.prepare(request, never)));
  assert.equal(docker.lines.filter((line) => line.startsWith("building ")).length, 1);
  await using sandbox = await docker.start(config, more);
  const result = await sandbox.exec({
    command: ["cat", "/hello.txt", "/greeting"],
    timeoutMs: 20_000,
    maxOutputBytes: 1000,
    signal: never,
  });
  assert.equal(result.output.stdout, `hello${canary}!\n`);

  await using second = await openDriver({ env });
  await second.driver.prepare(second.request(config, more), never);
  assert.ok(!second.lines.some((line) => line.startsWith("building ")));

  await writeFile(join(dir.path, "hello.txt"), "changed");
  await using third = await openDriver({ env });
  await using changed = await third.start(config, more);
  assert.equal(third.lines.filter((line) => line.startsWith("building ")).length, 1);
  assert.notEqual(changed.facts.image, undefined);
});

dockerTest("values of build arguments are on no command line, and one that looks like a secret is warned of", async () => {
  await using dir = await temporary({
    Dockerfile: `FROM ${testImage}\n${fresh}\nARG API_TOKEN\nRUN ["/bin/sh", "-c", "sleep 2"]\n`,
    "bin/docker": "",
  });
  // In front of the real CLI: notes how it is called, then becomes it.
  const seen = join(dir.path, "..", `evalbatch-argv-${process.pid}`);
  await using wrapper = await temporary({ docker: `#!/bin/sh\necho "$@" >>${seen}\nPATH=\${PATH#*:}; exec docker "$@"\n` });
  const env = { ...process.env, PATH: `${wrapper.path}:${process.env.PATH}`, ACTIONS_RUNTIME_TOKEN: "canary-runtime" };
  await using docker = await openDriver({ env });
  const args = { API_TOKEN: canary, PLAIN: "x" };
  await docker.driver.prepare(docker.request({ docker: { dockerfile_path: "Dockerfile", build: { args } } }, { taskDir: dir.path }), never);
  const argv = await readFile(seen, "utf8");
  await rm(seen);
  assert.match(argv, /--build-arg API_TOKEN --build-arg PLAIN/);
  assert.ok(!argv.includes("canary"), argv);
  assert.ok(docker.lines.some((line) => line.startsWith("warning:") && line.includes("API_TOKEN") && !line.includes(canary)));
  assert.ok(!docker.lines.some((line) => line.includes("canary-runtime")));
});

dockerTest("a broken Dockerfile fails its build with the whole log and leaves no container, and the driver goes on", async (engine) => {
  await using dir = await temporary({ Dockerfile: `FROM ${testImage}\n${fresh}\nRUN ["/bin/sh", "-c", "echo about to fail; exit 3"]\n` });
  await using docker = await openDriver();
  const request = docker.request({ docker: { dockerfile_path: "Dockerfile" } }, { taskDir: dir.path });
  await assert.rejects(docker.driver.prepare(request, never), (error) => {
    assert.ok(error instanceof ImageBuildError);
    assert.match(error.message, /could not build the image of .*Dockerfile: .+/);
    assert.match(error.log, /about to fail/);
    return true;
  });
  assert.ok(docker.lines.some((line) => line.includes("about to fail")));
  assert.deepEqual(await containersOfSteps(engine), []);
  await using sandbox = await docker.start();
  assert.equal(sandbox.driver, "docker");
});

dockerTest("a build that takes too long is ended with everything that it started", async (engine) => {
  await using dir = await temporary({ Dockerfile: `FROM ${testImage}\n${fresh}\nRUN ["/bin/sh", "-c", "echo started; sleep 300"]\n` });
  await using docker = await openDriver({ buildTimeoutMs: 4_000 });
  const request = docker.request(
    { docker: { dockerfile_path: "Dockerfile", build: { extra_args: ["--no-cache"] } } },
    { taskDir: dir.path },
  );
  await assert.rejects(
    docker.driver.prepare(request, never),
    (error) => error instanceof ImageBuildError && /longer than 4 s/.test(error.message),
  );
  // The engine takes a moment to end the step.
  for (let tries = 0; tries < 100 && (await containersOfSteps(engine)).length > 0; tries += 1) await delay(100);
  assert.deepEqual(await containersOfSteps(engine), []);
});

dockerTest("an abort ends a build and rejects with the signal's reason", async () => {
  await using dir = await temporary({ Dockerfile: `FROM ${testImage}\n${fresh}\nRUN ["/bin/sh", "-c", "sleep 300"]\n` });
  const stop = new AbortController();
  const reason = new Error("stop");
  await using docker = await openDriver({ env: process.env });
  const request = docker.request(
    { docker: { dockerfile_path: "Dockerfile" } },
    { taskDir: dir.path, log: (line) => (line.startsWith("building") ? stop.abort(reason) : undefined) },
  );
  await assert.rejects(docker.driver.prepare(request, stop.signal), reason);
});

dockerTest("without the docker command only a build is impossible, and the error says what to install", async () => {
  await using dir = await temporary({ Dockerfile: `FROM ${testImage}\n${fresh}\n` });
  await using docker = await openDriver({ env: { ...process.env, PATH: dir.path } });
  const request = docker.request({ docker: { dockerfile_path: "Dockerfile" } }, { taskDir: dir.path });
  await assert.rejects(docker.driver.prepare(request, never), (error) => {
    assert.ok(error instanceof EnvironmentError && error.code === "no-docker-cli");
    assert.match(error.hint ?? "", /docker CLI/);
    return true;
  });
  await using sandbox = await docker.start();
  assert.equal(sandbox.driver, "docker");
});

/** Containers of build steps of these tests, in any state; they have the image's labels. */
async function containersOfSteps(engine: Engine): Promise<string[]> {
  const query = { all: true, filters: JSON.stringify({ label: [fresh.replace("LABEL ", "")] }) };
  return (await engine.client.json(containerListSchema, { method: "GET", path: "/containers/json", query })).map(({ Id }) => Id);
}

async function temporary(files: Readonly<Record<string, string>>) {
  const path = await mkdtemp(join(tmpdir(), "evalbatch-build-"));
  for (const [name, text] of Object.entries(files)) {
    if (!name.includes("/")) await writeFile(join(path, name), text, { mode: 0o755 });
  }
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }) };
}
