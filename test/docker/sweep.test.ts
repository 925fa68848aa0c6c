import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SandboxLostError } from "../../src/errors.ts";
import { createdSchema } from "../../src/sandbox/docker/responses.ts";
import { dockerTest, leftOf, never, newRunId, openDriver, testImage } from "./engine.ts";

async function startOwner(runId: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "owner-child.ts"), runId], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

dockerTest("a new run sweeps what a killed one left, and leaves a living one alone", async (engine) => {
  const [deadRun, livingRun] = [newRunId(), newRunId()];
  const [dead, living] = await Promise.all([startOwner(deadRun), startOwner(livingRun)]);
  try {
    dead.kill("SIGKILL");
    await once(dead, "close");
    // Any run of this machine sweeps the dead one, also that of another test: what counts is what is left.
    await using docker = await openDriver();
    await using sandbox = await docker.start();
    await docker.driver.sweep();
    assert.deepEqual(await leftOf(engine, deadRun), []);
    assert.equal((await leftOf(engine, livingRun)).length, 1);
    assert.equal((await leftOf(engine, docker.runId)).length, 1);
    const result = await sandbox.exec({ command: ["true"], timeoutMs: 20_000, maxOutputBytes: 10, signal: never });
    assert.equal(result.kind, "exited");
  } finally {
    living.kill("SIGKILL");
    await once(living, "close").catch(() => undefined);
    await using last = await openDriver();
    await last.driver.sweep();
  }
  assert.deepEqual(await leftOf(engine, livingRun), []);
});

dockerTest("a sweep takes volumes and networks of dead runs too, and nothing without our label", async (engine) => {
  const runId = newRunId();
  const { client } = engine;
  const Labels = { "evalbatch.run": runId, "evalbatch.expires": "1000" };
  await client.call({ method: "POST", path: "/volumes/create", body: { Name: `evalbatch-${runId}`, Labels } });
  await client.call({ method: "POST", path: "/networks/create", body: { Name: `evalbatch-${runId}`, Labels } });
  const foreign = await client.json(createdSchema, {
    method: "POST",
    path: "/containers/create",
    body: { Image: testImage, Cmd: ["true"] },
  });
  try {
    await using docker = await openDriver();
    await docker.driver.sweep();
    assert.deepEqual(await leftOf(engine, runId), []);
    await client.call({ method: "GET", path: `/containers/${foreign.Id}/json` });
  } finally {
    await client.call({ method: "DELETE", path: `/containers/${foreign.Id}` });
  }
});

dockerTest("killAll removes every container of the run, running commands or not, and can be called twice", async (engine) => {
  await using docker = await openDriver();
  const sandboxes = await Promise.all(Array.from({ length: 8 }, () => docker.start()));
  const running = sandboxes.map((sandbox) =>
    sandbox.exec({ command: ["sleep", "300"], timeoutMs: 300_000, maxOutputBytes: 10, signal: never }),
  );
  const ends = Promise.allSettled(running);
  await delay(200);
  await Promise.all([docker.driver.killAll(), docker.driver.killAll()]);
  assert.deepEqual(await leftOf(engine, docker.runId), []);
  assert.deepEqual(new Set((await ends).map((end) => end.status)), new Set(["rejected"]));
});

dockerTest("once killAll has begun no command has a result, not even one that ends by itself before its container does", async (engine) => {
  await using docker = await openDriver();
  const sandbox = await docker.start();
  const run = (...command: string[]) => sandbox.exec({ command, timeoutMs: 60_000, maxOutputBytes: 10, signal: never });
  const before = run("sleep", "0.05");
  const ends = Promise.allSettled([before]);
  const killing = docker.driver.killAll();
  await assert.rejects(run("true"), SandboxLostError);
  assert.deepEqual(
    (await ends).map((end) => end.status),
    ["rejected"],
  );
  await killing;
  assert.deepEqual(await leftOf(engine, docker.runId), []);
});

dockerTest("killAll also removes what is only being made, although nobody waits for it any more", async (engine) => {
  for (const afterMs of [0, 1, 2, 4, 8, 12, 16, 24, 32, 48]) {
    await using docker = await openDriver();
    await docker.driver.prepare(docker.request(), never);
    const stop = new AbortController();
    const starts = Promise.allSettled([1, 2, 3, 4].map(() => docker.driver.start(docker.request(), stop.signal)));
    await delay(afterMs);
    stop.abort(new Error("stopped"));
    await docker.driver.killAll();
    assert.deepEqual(await leftOf(engine, docker.runId), [], `stopped after ${afterMs} ms`);
    await starts;
  }
});

dockerTest("an abort at any moment of a start leaves nothing, and rejects with the signal's reason", async (engine) => {
  await using docker = await openDriver();
  await docker.driver.prepare(docker.request(), never);
  const reason = new Error("stopped");
  // The last ones may be too late to stop anything: then there is a sandbox to be stopped.
  for (const afterMs of [0, 5, 10, 20, 40, 60, 80, 100, 150, 200, 300, 400]) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(reason), afterMs);
    const started = docker.driver.start(docker.request(), stop.signal);
    await started.then(
      async (sandbox) => await sandbox.stop(),
      (error: unknown) => assert.equal(error, reason),
    );
    clearTimeout(timer);
    assert.deepEqual(await leftOf(engine, docker.runId), [], `abort after ${afterMs} ms`);
  }
});
