import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { SandboxLostError } from "../../src/errors.ts";
import type { Engine } from "../../src/sandbox/docker/connect.ts";
import { topSchema } from "../../src/sandbox/docker/responses.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { dockerTest, importImage, never, openDriver, removeImage } from "./engine.ts";

const run = (sandbox: Sandbox, line: string, timeoutMs = 60_000) =>
  sandbox.exec({ command: { shell: line }, timeoutMs, maxOutputBytes: 100_000, signal: never });

/** Processes of the container, as the engine's host sees them. */
async function processesOf(engine: Engine, sandbox: Sandbox): Promise<number> {
  const top = await engine.client.json(topSchema, { method: "GET", path: `/containers/${sandbox.facts.containerId}/top` });
  return top.Processes?.length ?? 0;
}

/** PID 1 and its `sleep`. */
const ownProcesses = 2;

/** Daemons that ignore every signal that can be ignored, in sessions of their own, under a hostile name. */
const daemons = [
  "cat >d <<'END'\n#!/bin/sh\ntrap '' TERM HUP INT QUIT USR1 USR2\nwhile :; do sleep 1; done\nEND",
  'chmod 755 d; cp d "$(printf "a) Z 1 1\\n-rf")"',
  'for i in 1 2 3; do setsid ./d >/dev/null 2>&1 & setsid "./$(printf "a) Z 1 1\\n-rf")" >/dev/null 2>&1 & done; sleep 0.3; echo started',
].join("\n");

dockerTest("a quiet sandbox is told quiet without a kill", async () => {
  await using docker = await openDriver();
  await using sandbox = await docker.start();
  assert.deepEqual(await sandbox.quiesce(never), { killed: 0 });
  await run(sandbox, "true");
  assert.deepEqual(await sandbox.quiesce(never), { killed: 0 });
});

for (const [who, changes] of [
  ["root", ["LABEL none=none"]],
  ["another user", ["USER 65532"]],
] as const) {
  dockerTest(`daemons of ${who} that ignore signals are dead after a quiesce, and files stay`, async (engine) => {
    const image = `evalbatch-test-${process.pid}-quiesce:latest`;
    await importImage(engine, image, "/bin/busybox", changes);
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(async () => await removeImage(engine, image));
    await using docker = await openDriver();
    await using sandbox = await docker.start({ docker: { image } });
    assert.equal((await run(sandbox, daemons)).output.stdout, "started\n");
    const { killed } = await sandbox.quiesce(never);
    assert.ok(killed >= 6, `${killed} killed`);
    assert.equal(await processesOf(engine, sandbox), ownProcesses);
    assert.equal((await run(sandbox, "ls d && echo alive")).output.stdout, "d\nalive\n");
  });
}

dockerTest("processes of several users are found and killed", async (engine) => {
  await using docker = await openDriver();
  await using sandbox = await docker.start();
  // Root may become anybody, and what it starts so is beyond the reach of a kill by root: it has no such capability in an exec.
  const line =
    'for u in 1001 1002; do echo "u$u:x:$u:$u::/:/bin/sh" >>/etc/passwd; su -s /bin/sh u$u -c "setsid sleep 300 >/dev/null 2>&1 &"; done; echo ok';
  await run(sandbox, `mkdir -p /etc; ${line}`);
  await sandbox.quiesce(never);
  assert.equal(await processesOf(engine, sandbox), ownProcesses);
});

/** Kills PID 1's own `sleep`, which no agent process is left to tell of. */
const killSleep =
  'for f in /proc/[0-9]*/comm; do read -r n <$f; p=${f#/proc/}; p=${p%/comm}; read -r s </proc/$p/stat; set -- ${s##*) }; [ "$n:$2" = sleep:1 ] && kill -9 $p; done; echo ok';
const fakeSleep =
  "rm -f /usr/bin/sleep; mkdir -p /usr/bin; printf '#!/bin/sh\\n: >/work/ran; while :; do :; done\\n' >/usr/bin/sleep; chmod 755 /usr/bin/sleep";
const daemon = "setsid sh -c 'while :; do :; done' >/dev/null 2>&1 & echo ok";
const cannotBeGraded = (error: unknown) => error instanceof SandboxLostError && /cannot be graded/.test(error.message);

dockerTest("a program laid in place of sleep is not started by PID 1, and who laid it is not graded", async (engine) => {
  await using docker = await openDriver();
  await using sandbox = await docker.start();
  const line = `cp /bin/busybox /bin/real; ${fakeSleep}; cp /usr/bin/sleep /bin/fake; rm /bin/sleep; mv /bin/fake /bin/sleep; ${killSleep}`;
  assert.equal((await run(sandbox, line)).output.stdout, "ok\n");
  await delay(500);
  assert.equal(await processesOf(engine, sandbox), 1);
  await assert.rejects(sandbox.quiesce(never), cannotBeGraded);
});

for (const [what, line] of [
  ["sleep", fakeSleep],
  ["the shell", "cp /bin/busybox /bin/other; echo >>/bin/other; ln -sf other /bin/sh.new; mv /bin/sh.new /bin/sh"],
  ["every program, by a library loaded before it,", "mkdir -p /etc; echo /work/x.so >/etc/ld.so.preload"],
] as const) {
  dockerTest(`an agent that replaced ${what} and left a process is not graded`, async (engine) => {
    await using docker = await openDriver();
    await using sandbox = await docker.start();
    assert.equal((await run(sandbox, `${daemon}; ${line}`)).output.stdout, "ok\n");
    await assert.rejects(sandbox.quiesce(never), cannotBeGraded);
    assert.ok((await processesOf(engine, sandbox)) <= ownProcesses);
  });
}

dockerTest("an agent that killed every sleep is graded, and nothing of its container is started by PID 1 from then on", async (engine) => {
  await using docker = await openDriver();
  await using sandbox = await docker.start();
  assert.equal((await run(sandbox, `${daemon}; ${killSleep}`)).output.stdout, "ok\nok\n");
  assert.equal((await sandbox.quiesce(never)).killed, 1);
  assert.equal(await processesOf(engine, sandbox), 1);
  await run(sandbox, "(setsid true &); (setsid true &); sleep 0.2");
  await sandbox.quiesce(never);
  assert.equal(await processesOf(engine, sandbox), 1);
});

dockerTest("a process that stands in for PID 1's sleep from the first moment on is found", async (engine) => {
  await using docker = await openDriver();
  await using sandbox = await docker.start();
  assert.equal((await run(sandbox, `setsid sh -c 'while :; do :; done' >/dev/null 2>&1 & ${killSleep}`)).output.stdout, "ok\n");
  assert.equal((await sandbox.quiesce(never)).killed, 1);
  assert.equal(await processesOf(engine, sandbox), 1);
});

dockerTest("PID 1 and its sleep keep the container's life after a quiesce that had to kill", async (engine) => {
  await using docker = await openDriver();
  await using sandbox = await docker.start({}, { lifeSeconds: 6 });
  await run(sandbox, daemon);
  await sandbox.quiesce(never);
  assert.equal(await processesOf(engine, sandbox), ownProcesses);
  await assert.rejects(run(sandbox, "sleep 100", 100_000), SandboxLostError);
});

dockerTest("a container whose processes are used up becomes quiet without a restart", async (engine) => {
  await using docker = await openDriver();
  await using sandbox = await docker.start({ limits: { max_pids: 30 } });
  await run(sandbox, "echo kept >/dev/shm/kept; setsid sh -c 'f() { f & f & sleep 100; }; f' >/dev/null 2>&1 & sleep 1; echo ok", 10_000);
  await sandbox.quiesce(never);
  assert.equal(await processesOf(engine, sandbox), ownProcesses);
  assert.equal((await run(sandbox, "cat /dev/shm/kept")).output.stdout, "kept\n");
});

dockerTest("a sandbox without /bin still says what became of commands, gives its files, and is not graded", async () => {
  await using docker = await openDriver();
  await using sandbox = await docker.start();
  await run(sandbox, "echo kept >kept; sleep 300 >/dev/null 2>&1 & rm -rf /bin");
  const gone = await run(sandbox, "echo ran");
  assert.ok(gone.kind === "exited" && [126, 127].includes(gone.exitCode), JSON.stringify(gone));
  assert.equal((await sandbox.readFile("kept", 100)).kind, "read");
  assert.deepEqual(await sandbox.glob("*"), ["kept"]);
  await assert.rejects(sandbox.quiesce(never), cannotBeGraded);
});

dockerTest("a deadline ends a whole tree that ignores SIGTERM and leaves no watchdog, and so does an abort", async (engine) => {
  await using docker = await openDriver();
  await using sandbox = await docker.start();
  const tree = "trap '' TERM; (trap '' TERM; sleep 300 & sleep 300) & sleep 300";
  const late = await run(sandbox, tree, 500);
  assert.equal(late.kind, "timed out");
  for (let tries = 0; tries < 50 && (await processesOf(engine, sandbox)) > ownProcesses; tries += 1) await delay(100);
  assert.equal(await processesOf(engine, sandbox), ownProcesses);

  const stop = new AbortController();
  const reason = new Error("stop");
  const aborted = sandbox.exec({
    command: { shell: `echo on; ${tree}` },
    timeoutMs: 300_000,
    maxOutputBytes: 100,
    signal: stop.signal,
    onOutput: () => stop.abort(reason),
  });
  await assert.rejects(aborted, reason);
  for (let tries = 0; tries < 100 && (await processesOf(engine, sandbox)) > ownProcesses; tries += 1) await delay(100);
  assert.equal(await processesOf(engine, sandbox), ownProcesses);

  // After the end of each command its watchdog has gone.
  for (const line of ["true", "exit 3", "kill -9 $$", "kill 0", "kill -INT 0"]) await run(sandbox, line);
  assert.equal(await processesOf(engine, sandbox), ownProcesses);
});
