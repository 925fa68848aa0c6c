import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { ExecResult, Sandbox } from "../../src/sandbox/sandbox.ts";
import { dockerTest, never, openDriver } from "./engine.ts";

const run = (sandbox: Sandbox, line: string, timeoutMs = 60_000): Promise<ExecResult> =>
  sandbox.exec({ command: { shell: line }, timeoutMs, maxOutputBytes: 100_000, signal: never });

dockerTest("the memory limit is the engine's, and its killer is told apart from another SIGKILL", async () => {
  await using docker = await openDriver();
  await using sandbox = await docker.start({ limits: { max_memory_mb: 64 } });
  assert.equal(sandbox.facts.limits?.memoryBytes, 64 * 1024 ** 2);
  assert.equal(await sandbox.wasOutOfMemory(), false);
  const killed = await run(sandbox, "kill -9 $$");
  assert.deepEqual([killed.kind, killed.kind === "exited" && [killed.exitCode, killed.killedBy]], ["exited", [137, "unknown"]]);
  assert.equal(await sandbox.wasOutOfMemory(), false);

  const direct = await run(sandbox, "exec tail /dev/zero");
  assert.deepEqual([direct.kind, direct.kind === "exited" && [direct.exitCode, direct.killedBy]], ["exited", [137, "out of memory"]]);
  assert.equal(await sandbox.wasOutOfMemory(), true);

  // A task can be graded after its agent ran out of memory.
  const after = await run(sandbox, "echo still here");
  assert.equal(after.output.stdout, "still here\n");
});

dockerTest("a command that survives its child's death by memory has its own exit code, and the sandbox remembers", async () => {
  await using docker = await openDriver();
  await using sandbox = await docker.start({ limits: { max_memory_mb: 64 } });
  const result = await run(sandbox, "tail /dev/zero; echo survived; exit 7");
  assert.deepEqual([result.kind, result.kind === "exited" && result.exitCode, result.output.stdout], ["exited", 7, "survived\n"]);
  for (let tries = 0; tries < 50 && !(await sandbox.wasOutOfMemory()); tries += 1) await delay(50);
  assert.equal(await sandbox.wasOutOfMemory(), true);
});

dockerTest("a time limit of many years is one, and not none", async () => {
  await using docker = await openDriver();
  await using sandbox = await docker.start({}, { lifeSeconds: 2 ** 33 });
  const request = { command: ["sleep", "1"], maxOutputBytes: 10, signal: never };
  assert.equal((await sandbox.exec({ ...request, timeoutMs: 2 ** 40 })).kind, "exited");
});

dockerTest("the process limit holds, and a fork bomb is over with its deadline", async () => {
  await using docker = await openDriver();
  await using sandbox = await docker.start({ limits: { max_pids: 40 } });
  assert.equal(sandbox.facts.limits?.pids, 40);
  const refused = await run(sandbox, "for i in $(seq 100); do sleep 20 & done; echo all");
  assert.notDeepEqual([refused.kind, refused.output.stdout], ["exited", "all\n"]);
  await sandbox.quiesce(never);

  const bomb = await run(sandbox, "f() { f | f & wait; }; f", 2_000);
  assert.ok(["timed out", "exited"].includes(bomb.kind));
  await sandbox.quiesce(never);
  assert.equal((await run(sandbox, "echo quiet")).output.stdout, "quiet\n");
});

dockerTest("a task without limits of its own gets a share of the machine", async () => {
  await using docker = await openDriver({ concurrency: 4 });
  await using sandbox = await docker.start();
  const { memoryBytes = 0, pids, cpus = 0 } = sandbox.facts.limits ?? {};
  assert.ok(memoryBytes >= 512 * 1024 ** 2);
  assert.equal(pids, 2048);
  assert.ok(cpus >= 1);
});

dockerTest("a container has no capabilities but the seven, no new privileges, and no swap", async (engine) => {
  await using docker = await openDriver();
  await using sandbox = await docker.start({ limits: { max_memory_mb: 64 } });
  const status = (await run(sandbox, "grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status")).output.stdout;
  // CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID are bits 0, 1, 3, 4, 5, 6, 7.
  assert.equal(status.replaceAll(/\s+/g, " "), "CapEff: 00000000000000fb CapBnd: 00000000000000fb NoNewPrivs: 1 ");
  const schema = z.object({
    HostConfig: z.object({ MemorySwap: z.number(), Binds: z.array(z.string()).nullish(), Privileged: z.boolean() }),
    Mounts: z.array(z.unknown()),
  });
  const facts = await engine.client.json(schema, { method: "GET", path: `/containers/${sandbox.facts.containerId}/json` });
  assert.deepEqual(facts, { HostConfig: { MemorySwap: 64 * 1024 ** 2, Binds: null, Privileged: false }, Mounts: [] });
});
