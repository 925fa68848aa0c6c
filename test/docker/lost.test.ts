import assert from "node:assert/strict";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "../../src/clock.ts";
import { EnvironmentError, SandboxLostError } from "../../src/errors.ts";
import { createDockerDriver } from "../../src/sandbox/docker/driver.ts";
import type { ExecRequest } from "../../src/sandbox/sandbox.ts";
import { dockerTest, leftOf, never, openDriver } from "./engine.ts";
import { startEngineProxy } from "./engine-proxy.ts";

const sleeper: ExecRequest = { command: { shell: "echo started; sleep 300" }, timeoutMs: 300_000, maxOutputBytes: 1000, signal: never };

dockerTest("an engine that goes away under a command loses the sandbox at once, and the next run sweeps what is left", async (engine) => {
  await using proxy = await startEngineProxy(engine);
  await using docker = await openDriver({ env: { ...process.env, DOCKER_HOST: proxy.address } });
  const sandbox = await docker.start();
  const lost = sandbox.exec({ ...sleeper, onOutput: () => proxy.cut() });
  await assert.rejects(
    lost,
    (error) => error instanceof SandboxLostError && !error.oomKilled && /lost the Docker engine/.test(error.message),
  );
  await assert.rejects(sandbox.readFile("x", 10), SandboxLostError);
  await assert.rejects(sandbox.quiesce(never), SandboxLostError);
  await assert.rejects(docker.start(), (error) => error instanceof EnvironmentError && error.code === "engine-lost");
  // Neither throws, whatever the engine does.
  await sandbox.stop();
  await docker.driver.killAll();
  assert.equal((await leftOf(engine, docker.runId)).length, 1);
  proxy.restore();
  await docker.driver.killAll();
  assert.deepEqual(await leftOf(engine, docker.runId), []);
});

dockerTest("a stop and the removal of a run give up soon on an engine that says nothing any more", async (engine) => {
  await using proxy = await startEngineProxy(engine);
  await using docker = await openDriver({ env: { ...process.env, DOCKER_HOST: proxy.address } });
  const sandbox = await docker.start();
  proxy.freeze();
  const tooLate = new Promise<string>((resolve) => setTimeout(resolve, 30_000, "still waiting").unref());
  const given = Promise.all([sandbox.stop(), docker.driver.killAll()]).then(() => "given up");
  assert.equal(await Promise.race([given, tooLate]), "given up");
  assert.match(docker.lines.join("\n"), /could not remove container .*does not answer any more/);
  assert.match(docker.lines.join("\n"), /could not remove the containers of run .*does not answer any more/);
  assert.equal((await leftOf(engine, docker.runId)).length, 1);
  proxy.cut();
  proxy.restore();
  await docker.driver.killAll();
  assert.deepEqual(await leftOf(engine, docker.runId), []);
});

dockerTest("a container that is removed under a command loses the sandbox, with its last state where there is one", async (engine) => {
  await using docker = await openDriver();
  const removed = await docker.start();
  // The command ends before its container is gone: until then the engine still answers for its files.
  const first = removed.exec({
    ...sleeper,
    onOutput: () => void engine.client.call({ method: "DELETE", path: `/containers/${removed.facts.containerId}`, query: { force: true } }),
  });
  await assert.rejects(first, (error) => error instanceof SandboxLostError && /removed|ended/.test(error.message));
  await assert.rejects(removed.exec(sleeper), SandboxLostError);
  await assert.rejects(removed.kindOf("x"), SandboxLostError);
  await assert.rejects(removed.glob("*"), SandboxLostError);
  await assert.rejects(removed.putFiles([]), SandboxLostError);

  const killed = await docker.start();
  const second = killed.exec({
    ...sleeper,
    onOutput: () => void engine.client.call({ method: "POST", path: `/containers/${killed.facts.containerId}/kill` }),
  });
  await assert.rejects(second, (error) => error instanceof SandboxLostError && /has ended: exit code 137/.test(error.message));
});

dockerTest("files of a container that is removed while they are asked for are lost, never missing", async (engine) => {
  await using docker = await openDriver();
  const sandbox = await docker.start();
  const files = Array.from(
    { length: 200 },
    (_, at) => ({ kind: "file", path: `d/${at}`, mode: 0o644, content: Buffer.from("x") }) as const,
  );
  await sandbox.putFiles(files);
  const removal = engine.client.call({ method: "DELETE", path: `/containers/${sandbox.facts.containerId}`, query: { force: true } });
  const answers = new Set<string>();
  const askUntilLost = async (ask: () => Promise<string>): Promise<void> => {
    for (;;) {
      try {
        answers.add(await ask());
      } catch (error) {
        if (error instanceof SandboxLostError) return;
        throw error;
      }
    }
  };
  await Promise.all([
    askUntilLost(async () => await sandbox.kindOf("d/7")),
    askUntilLost(async () => (await sandbox.readFile("d/199", 10)).kind),
    askUntilLost(async () => String((await sandbox.glob("d/*")).length)),
  ]);
  await removal;
  for (const answer of answers) assert.ok(["file", "read", "200"].includes(answer), answer);
});

dockerTest("a container that was ended has no missing files, and what it left can be copied", async (engine) => {
  await using docker = await openDriver();
  const sandbox = await docker.start();
  await sandbox.putFiles([{ kind: "file", path: "kept", mode: 0o644, content: Buffer.from("x") }]);
  assert.equal(await sandbox.kindOf("nothing"), "missing");
  await engine.client.call({ method: "POST", path: `/containers/${sandbox.facts.containerId}/kill` });
  await engine.client.call({ method: "POST", path: `/containers/${sandbox.facts.containerId}/wait` });
  await assert.rejects(sandbox.kindOf("nothing"), /has ended: exit code 137/);
  await assert.rejects(sandbox.kindOf("kept"), SandboxLostError);
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-ended-"));
  try {
    const report = await sandbox.exportTo(dir, { exclude: [], maxBytes: 1000, signal: never });
    assert.equal(report.files, 1);
  } finally {
    await rm(dir, { recursive: true });
  }
});

dockerTest("a driver that was closed holds no connection to its engine, and can still remove what it made", async (engine) => {
  await using proxy = await startEngineProxy(engine);
  await using docker = await openDriver({ env: { ...process.env, DOCKER_HOST: proxy.address } });
  const sandbox = await docker.start();
  assert.ok(proxy.connections() > 0);
  docker.driver.close();
  for (let tries = 0; proxy.connections() > 0 && tries < 200; tries += 1) await delay(50);
  assert.equal(proxy.connections(), 0);
  await sandbox.stop();
  assert.deepEqual(await leftOf(engine, docker.runId), []);
});

dockerTest("a sandbox ends itself when its life is over", async (engine) => {
  await using docker = await openDriver();
  await using sandbox = await docker.start({}, { lifeSeconds: 2 });
  await assert.rejects(sandbox.exec(sleeper), SandboxLostError);
  assert.equal((await leftOf(engine, docker.runId)).length, 1);
});

dockerTest("no engine: the error says what was tried, why it failed and what to do", async () => {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-none-"));
  const open = (env: Record<string, string>) =>
    createDockerDriver({ runId: "none", env, concurrency: 1, clock: systemClock, log: () => undefined });
  try {
    const missing = `unix://${join(dir, "missing.sock")}`;
    await assert.rejects(open({ DOCKER_HOST: missing }), (error) => {
      assert.ok(error instanceof EnvironmentError && error.code === "no-engine");
      assert.ok(
        error.message.includes(missing) && error.message.includes("DOCKER_HOST") && error.message.includes("not running"),
        error.message,
      );
      assert.match(error.hint ?? "", /DOCKER_HOST/);
      return true;
    });
    await assert.rejects(open({ DOCKER_HOST: "tcp://127.0.0.1:1" }), /connection refused/);
    await assert.rejects(
      open({ DOCKER_HOST: "nonsense://x" }),
      (error) => error instanceof EnvironmentError && error.code === "docker-host",
    );
    await assert.rejects(
      open({ DOCKER_CONTEXT: "nope", HOME: dir }),
      (error) => error instanceof EnvironmentError && error.code === "docker-context",
    );

    const deaf = join(dir, "deaf.sock");
    const server = net.createServer((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")).listen(deaf);
    await assert.rejects(open({ DOCKER_HOST: `unix://${deaf}` }), /not like a Docker engine/);
    server.close();
  } finally {
    await chmod(dir, 0o700);
    await rm(dir, { recursive: true, force: true });
  }
});
