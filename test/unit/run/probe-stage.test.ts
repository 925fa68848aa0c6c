import assert from "node:assert/strict";
import test from "node:test";
import { SandboxLostError } from "../../../src/errors.ts";
import type { EnvProbe } from "../../../src/plan/env-probes.ts";
import { agentSchema } from "../../../src/plan/schema/agent-schema.ts";
import { taskSchema } from "../../../src/plan/schema/task-schema.ts";
import { createVersionProbes, type ProbeContext, type VersionProbes } from "../../../src/run/probe-stage.ts";
import type { ExecRequest, ExecResult, Sandbox, SandboxFacts } from "../../../src/sandbox/sandbox.ts";
import { createRedactor } from "../../../src/untrusted/redact.ts";
import { exited, memorySandbox } from "../../fakes/memory-sandbox.ts";

const never = new AbortController().signal;
const imageA: SandboxFacts = { driver: "docker", image: "a", imageId: "sha256:a" };
const common = "python Python 3.12.1\nnode v24.1.0\n";
const commonVersions = { python: "Python 3.12.1", node: "v24.1.0", git: "Not Found" };

function taskOf(fields: Readonly<Record<string, unknown>> = {}): ProbeContext["task"] {
  const { sandbox, pre_run } = taskSchema.parse({
    task_id: "t",
    description: "t",
    success_criteria: [{ type: "file_exists", description: "d", path: "p" }],
    ...fields,
  });
  return { taskDir: "/tasks", task: { agent: agentSchema.parse({ type: "none" }), sandbox, pre_run } };
}

type Exec = (request: ExecRequest) => Promise<ExecResult> | ExecResult;

function sandboxOf(facts: SandboxFacts, exec: Exec): Sandbox {
  return { ...memorySandbox({ exec }), driver: facts.driver, facts };
}

/** Answers the common programs with `common`; a user's command by the table, else as one that is not there. */
function answering(answers: Readonly<Record<string, ExecResult>> = {}) {
  const asked: ExecRequest[] = [];
  const exec: Exec = (request) => {
    asked.push(request);
    const line = "shell" in request.command ? request.command.shell : "";
    return line.includes("python3 --version") ? exited(0, common) : (answers[line] ?? exited(127, "", "not found"));
  };
  return { exec, asked };
}

function probesOf(own: readonly EnvProbe[] = [], secrets: readonly string[] = []): VersionProbes {
  const redactor = createRedactor(secrets);
  return createVersionProbes({ own, redact: (text) => redactor.redact(text).text });
}

function contextOf(
  exec: Exec,
  more: Partial<ProbeContext> & { readonly facts?: SandboxFacts; readonly lines?: string[] } = {},
): ProbeContext {
  const { facts = imageA, lines = [], ...rest } = more;
  const log = { foreign: (source: string, text: string) => void lines.push(`${source}: ${text}`) };
  return {
    task: taskOf(),
    sandbox: sandboxOf(facts, exec),
    prepared: { python: undefined, agentEnv: {}, mockDirs: [] },
    log,
    signal: never,
    ...rest,
  };
}

test("two hundred tasks of one image and set-up cost one exec, those that come at once too", async () => {
  const { exec, asked } = answering();
  const probes = probesOf();
  const all = await Promise.all(Array.from({ length: 200 }, () => probes.of(contextOf(exec))));
  assert.equal(asked.length, 1);
  for (const versions of all) assert.deepEqual(versions, commonVersions);
});

test("another image, other packages and other commands before the agent are asked anew, limits and templates are not", async () => {
  const { exec, asked } = answering();
  const probes = probesOf();
  await probes.of(contextOf(exec));
  const same = [
    { sandbox: { limits: { max_memory_mb: 64 } } },
    { sandbox: { template_sources: [{ type: "starter_files", files: [{ path: "a", content: "b" }] }] } },
  ];
  for (const fields of same) await probes.of(contextOf(exec, { task: taskOf(fields) }));
  assert.equal(asked.length, 1);
  await probes.of(contextOf(exec, { facts: { ...imageA, imageId: "sha256:b" } }));
  await probes.of(contextOf(exec, { task: taskOf({ sandbox: { python: { env_packages: ["a"] } } }) }));
  await probes.of(contextOf(exec, { task: taskOf({ pre_run: [{ command: "apk add git" }] }) }));
  assert.equal(asked.length, 4);
});

test("a user's command may read what a template brings, so that then each template is asked", async () => {
  const { exec, asked } = answering({ "cat v": exited(0, "1.2.3\n") });
  const probes = probesOf([{ name: "v", command: "cat v" }]);
  const task = (content: string) => taskOf({ sandbox: { template_sources: [{ type: "starter_files", files: [{ path: "v", content }] }] } });
  for (const content of ["1", "1", "2"]) {
    assert.deepEqual(await probes.of(contextOf(exec, { task: task(content) })), { ...commonVersions, v: "1.2.3" });
  }
  assert.equal(asked.filter(({ command }) => "shell" in command && command.shell === "cat v").length, 2);
});

test("on the host the common programs are asked once per run, whatever tasks do before", async () => {
  const { exec, asked } = answering();
  const probes = probesOf();
  for (const command of ["a", "b"])
    await probes.of(contextOf(exec, { facts: { driver: "tempdir" }, task: taskOf({ pre_run: [{ command }] }) }));
  assert.equal(asked.length, 1);
});

test("what is asked is what the agent will see, within bounds of time and size", async () => {
  const { exec, asked } = answering({ "tool -v": exited(0, "7") });
  const prepared = { python: undefined, agentEnv: { PATH: "/venv/bin:/bin" }, mockDirs: [] };
  await probesOf([{ name: "tool", command: "tool -v" }]).of(contextOf(exec, { prepared }));
  assert.equal(asked.length, 2);
  for (const { env, timeoutMs, maxOutputBytes } of asked) {
    assert.deepEqual(env, prepared.agentEnv);
    assert.equal(timeoutMs, 10_000);
    assert.ok(maxOutputBytes <= 4096 * 4);
  }
});

test("only the first line is kept, of stderr where stdout has none, without control characters and secrets", async () => {
  const answers = {
    java: exited(0, "", '\n  openjdk version "17.0.9" \u001b[31m2023\u001b[0m\u0007\nRuntime\n'),
    secret: exited(0, "1.2.3 hunter2-hunter2\n"),
    long: exited(0, `1.2.3 ${"x".repeat(1000)}\n`),
    endless: exited(0, `1.2.3 ${"x".repeat(4090)}`, "", 10_000),
    noisy: exited(0, "2.0.0\n", "y".repeat(4096), 10_000),
    fails: exited(3, "1.2.3\n"),
    silent: exited(0, "\n\n"),
    hangs: { kind: "timed out", afterMs: 10_000, durationMs: 10_000, output: { stdout: "1.2.3\n", stderr: "", droppedBytes: 0 } } as const,
  };
  const { exec } = answering(answers);
  const own = Object.keys(answers).map((name) => ({ name, command: name }));
  const versions = await probesOf(own, ["hunter2-hunter2"]).of(contextOf(exec));
  assert.deepEqual(versions, {
    ...commonVersions,
    java: 'openjdk version "17.0.9" 2023',
    secret: "1.2.3 ***",
    long: `1.2.3 ${"x".repeat(193)}…`,
    endless: "Not Found",
    noisy: "2.0.0",
    fails: "Not Found",
    silent: "Not Found",
    hangs: "Not Found",
  });
});

test("a sandbox without a shell tells nothing, and is not asked again", async () => {
  let asked = 0;
  const exec: Exec = () => {
    asked += 1;
    return exited(127, "", "no such file");
  };
  const probes = probesOf();
  for (const _ of [1, 2]) assert.deepEqual(await probes.of(contextOf(exec)), {});
  assert.equal(asked, 1);
});

test("a sandbox that is lost fails no task and says nothing of the next one, which is asked", async () => {
  const lost = Promise.withResolvers<ExecResult>();
  const { exec, asked } = answering();
  const probes = probesOf();
  const lines: string[] = [];
  const first = probes.of(contextOf(() => lost.promise, { lines }));
  const second = probes.of(contextOf(exec));
  lost.reject(new SandboxLostError("the container is gone"));
  assert.deepEqual(await first, {});
  assert.deepEqual(await second, commonVersions);
  assert.equal(asked.length, 1);
  assert.match(lines.join("\n"), /not asked for: the container is gone/);
});

test("a stop ends the asking and the waiting for another's answer", async () => {
  const stop = new AbortController();
  const exec: Exec = ({ signal }) => new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason), { once: true }));
  const probes = probesOf();
  const both = [probes.of(contextOf(exec, { signal: stop.signal })), probes.of(contextOf(exec, { signal: stop.signal }))];
  const reason = new Error("stopped");
  stop.abort(reason);
  for (const each of both) await assert.rejects(each, reason);
});
