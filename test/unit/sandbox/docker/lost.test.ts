import assert from "node:assert/strict";
import test from "node:test";
import { SandboxLostError } from "../../../../src/errors.ts";
import type { EngineClient, EngineRequest } from "../../../../src/sandbox/docker/client.ts";
import { EngineConnectionError, EngineResponseError } from "../../../../src/sandbox/docker/engine-error.ts";
import { createDockerSandbox } from "../../../../src/sandbox/docker/sandbox.ts";
import type { Sandbox } from "../../../../src/sandbox/sandbox.ts";

const never = new AbortController().signal;

type State = "running" | "exited" | "removing" | "removed" | "no engine";

/** An engine with one container without files, whose state the test sets. Asks are counted. */
function fakeEngine(first: State) {
  const engine = { state: first, asks: 0, missing: 404 };
  const answer = (request: EngineRequest): unknown => {
    engine.asks += 1;
    if (engine.state === "no engine") throw new EngineConnectionError("ECONNREFUSED", "connection refused");
    if (engine.state === "removed") throw new EngineResponseError(404, "No such container: c");
    if (request.path.endsWith("/archive")) throw new EngineResponseError(engine.missing, "Could not find the file in container c");
    if (request.path.endsWith("/exec")) {
      if (engine.state === "running") throw new EngineResponseError(400, "not in this test");
      throw new EngineResponseError(409, "Container c is not running");
    }
    const Running = engine.state === "running";
    const State = { Status: engine.state, Running, OOMKilled: false, Pid: 0, ExitCode: Running ? 0 : 137, Error: "" };
    return { Id: "c", State, HostConfig: {} };
  };
  const client: EngineClient = {
    endpoint: { kind: "socket", path: "/none", source: "default socket" },
    json: async (schema, request) => schema.parse(answer(request)),
    call: async (request) => {
      answer(request);
      return {};
    },
    stream: async (request) => {
      answer(request);
      throw new Error("not in this test");
    },
    upgrade: async () => await Promise.reject(new Error("not in this test")),
    withVersion: () => client,
    close: () => undefined,
  };
  return { engine, client };
}

function sandboxOn(first: State) {
  const { engine, client } = fakeEngine(first);
  const sandbox = createDockerSandbox({
    container: {
      client,
      id: "c",
      name: "c",
      key: "default/task/00",
      user: { uid: 0, gid: 0, home: "/root" },
      home: undefined,
      workDir: "/work",
      ooms: { count: () => 0, hasMoreThan: async () => false, forget: () => undefined, close: () => undefined },
    },
    facts: { driver: "docker" },
    freshWorkDir: true,
    programsOfImage: async () => await Promise.reject(new Error("not in this test")),
    remove: async () => undefined,
    kits: [],
    isKilled: () => false,
  });
  return { engine, sandbox };
}

const checks: Readonly<Record<string, (sandbox: Sandbox) => Promise<unknown>>> = {
  kindOf: (sandbox) => sandbox.kindOf("x"),
  readFile: (sandbox) => sandbox.readFile("x", 10),
  glob: (sandbox) => sandbox.glob("x/*"),
};

const command = (sandbox: Sandbox) => sandbox.exec({ command: ["true"], timeoutMs: 1000, maxOutputBytes: 10, signal: never });

for (const [name, check] of Object.entries(checks)) {
  test(`${name}: a file that is not there is missing only where the container runs`, async () => {
    assert.deepEqual(await check(sandboxOn("running").sandbox), { kindOf: "missing", readFile: { kind: "missing" }, glob: [] }[name]);
    for (const state of ["exited", "removing", "removed", "no engine"] as const) {
      await assert.rejects(check(sandboxOn(state).sandbox), SandboxLostError, state);
    }
  });

  test(`${name}: an engine that can't look into a container that it is removing has found nothing out`, async () => {
    const { engine, sandbox } = sandboxOn("removing");
    engine.missing = 500;
    await assert.rejects(check(sandbox), /was removed/);
  });

  test(`${name}: once a command was lost with its container, no later answer is believed`, async () => {
    const { engine, sandbox } = sandboxOn("removing");
    await assert.rejects(command(sandbox), /was removed/);
    engine.state = "running";
    const before = engine.asks;
    await assert.rejects(check(sandbox), /was removed/);
    assert.equal(engine.asks, before);
  });
}

test("what a file check found out holds for commands, files and the look for processes too", async () => {
  const { engine, sandbox } = sandboxOn("exited");
  await assert.rejects(sandbox.kindOf("x"), /has ended: exit code 137/);
  engine.state = "running";
  await assert.rejects(command(sandbox), /has ended: exit code 137/);
  await assert.rejects(sandbox.putFiles([]), /has ended: exit code 137/);
  await assert.rejects(sandbox.quiesce(never), /has ended: exit code 137/);
  assert.equal(await sandbox.wasOutOfMemory(), false);
});

test("a file check that is under way while the sandbox is found lost has no answer", async () => {
  const { engine, sandbox } = sandboxOn("running");
  const check = sandbox.kindOf("x");
  engine.state = "removing";
  const lost = command(sandbox);
  engine.state = "running";
  await assert.rejects(lost, SandboxLostError);
  await assert.rejects(check, SandboxLostError);
});

test("the files of a container that has ended can still be copied, those of one that is going away cannot", async () => {
  const copy = (sandbox: Sandbox) => sandbox.exportTo("/nowhere", { exclude: [], maxBytes: 1, signal: never });
  const ended = sandboxOn("exited");
  await assert.rejects(ended.sandbox.kindOf("x"), SandboxLostError);
  ended.engine.missing = 418;
  await assert.rejects(copy(ended.sandbox), (error) => error instanceof EngineResponseError && error.status === 418);
  for (const state of ["removing", "removed", "no engine"] as const) {
    const { engine, sandbox } = sandboxOn(state);
    await assert.rejects(sandbox.kindOf("x"), SandboxLostError);
    engine.missing = 418;
    await assert.rejects(copy(sandbox), SandboxLostError, state);
  }
});
