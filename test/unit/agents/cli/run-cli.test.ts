import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentContext } from "../../../../src/agents/agent.ts";
import { homeless } from "../../../../src/agents/cli/agent-home.ts";
import type { CliAgent } from "../../../../src/agents/cli/cli-agent.ts";
import { cliAdapter } from "../../../../src/agents/cli/run-cli.ts";
import { SandboxLostError } from "../../../../src/errors.ts";
import { nodeKit } from "../../../../src/kits/node-kit.ts";
import { agentSchema } from "../../../../src/plan/schema/agent-schema.ts";
import type { AgentConfig } from "../../../../src/plan/schema/task-schema.ts";
import type { TurnRecord } from "../../../../src/results/turn-record.ts";
import type { ExecRequest, ExecResult, Sandbox } from "../../../../src/sandbox/sandbox.ts";

const secret = "Zq7-hidden-value-of-the-task";
const config: AgentConfig = agentSchema.parse({ type: "codex" });

/** Each line of its output is a call of a model; it fails with what stands on stderr. */
const talker: CliAgent = {
  type: "codex",
  kit: nodeKit,
  variables: [],
  invoke: () => ({ args: [], files: [], env: {}, stdin: undefined, warnings: [] }),
  createParser: () => ({
    push: () => [{ kind: "model call", usage: { uncachedInput: 10, cacheCreation: 0, cacheRead: 0, output: 5, reasoning: null } }],
    end: () => [],
  }),
  judge: ({ stderr }) => ({ kind: "failed", message: stderr }),
};

function sandboxOf(exec: (request: ExecRequest) => Promise<ExecResult>): Sandbox {
  const unused = () => Promise.reject(new Error("not part of this test"));
  return {
    driver: "tempdir",
    workDir: "/w",
    supportDir: "/s",
    kitDir: () => undefined,
    facts: { driver: "tempdir" },
    exec,
    kindOf: unused,
    readFile: unused,
    glob: unused,
    putFiles: async () => {},
    exportTo: unused,
    quiesce: async () => ({ killed: 0 }),
    wasOutOfMemory: async () => false,
    stop: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function contextOf(sandbox: Sandbox, more: Partial<AgentContext> = {}): AgentContext {
  return {
    sandbox,
    config,
    prompt: "work",
    env: {},
    secretEnv: {},
    program: "talker",
    pluginDirs: [],
    maxTurns: undefined,
    maxUsd: undefined,
    timeoutMs: 1000,
    now: () => new Date(0),
    signal: new AbortController().signal,
    onOutput: () => {},
    onEvent: () => undefined,
    ...more,
  };
}

const adapter = cliAdapter(talker, (given): given is AgentConfig => given.type === "codex");

test("a sandbox that is lost under the agent does not cost the turn: its tokens were paid for", async () => {
  const lost = new SandboxLostError("the container is gone");
  const sandbox = sandboxOf(async ({ onOutput }) => {
    onOutput?.("stdout", "one\ntwo\n");
    throw lost;
  });
  const turns: TurnRecord[] = [];
  await assert.rejects(adapter.run(contextOf(sandbox, { onCutOff: (turn) => turns.push(turn) })), lost);
  const [turn] = turns;
  assert.equal(turns.length, 1);
  assert.equal(turn?.token_usage?.input_tokens, 20);
  assert.equal(turn?.crashed, true);
  assert.match(turn?.crash_reason ?? "", /the container is gone/);
});

test("no part of a secret is left in an error that is cut in the middle of it", async () => {
  const hide = (text: string): string => text.replaceAll(secret, "***");
  for (const at of [200, 500, 1000, 16_000]) {
    const said = `error ${"x".repeat(at - 6 - secret.length / 2)}${secret} and more`;
    for (const text of [said, `${secret}${"y".repeat(16_000 - secret.length / 2)}`]) {
      const sandbox = sandboxOf(async ({ onOutput }) => {
        onOutput?.("stderr", text);
        return { kind: "exited", exitCode: 1, durationMs: 1, output: { stdout: "", stderr: "", droppedBytes: 0 } };
      });
      const { end, turn } = await adapter.run(contextOf(sandbox, { hide }));
      assert.equal(end.kind, "crashed");
      const kept = JSON.stringify([end, turn]);
      assert.ok(!kept.includes(secret.slice(0, 8)) && !kept.includes(secret.slice(-8)), `a part is kept at ${at}`);
    }
  }
});

test("a home that cannot be written is told as what it is, and not tried again", async () => {
  const sandbox = sandboxOf(async (request) => {
    request.onOutput?.("stderr", `mkdir: cannot create directory\n${homeless.mark}\n`);
    return { kind: "exited", exitCode: homeless.exitCode, durationMs: 1, output: { stdout: "", stderr: "", droppedBytes: 0 } };
  });
  const { end } = await cliAdapter(talker, (given): given is AgentConfig => given.type === "codex").run(contextOf(sandbox));
  assert.ok(end.kind === "crashed");
  assert.equal(end.category, "agent_config_error");
  assert.match(end.message, /home directory .* cannot be written/);
});

test("what is kept of a long stream for the verdict is short", async () => {
  let kept = 0;
  const shouter: CliAgent = {
    ...talker,
    createParser: () => ({ push: (line) => [{ kind: "text", text: line }], end: () => [] }),
    judge: ({ events }) => {
      kept = events.reduce((sum, event) => sum + (event.kind === "text" ? event.text.length : 0), 0);
      return { kind: "completed" };
    },
  };
  const sandbox = sandboxOf(async (request) => {
    for (let line = 0; line < 20; line += 1) request.onOutput?.("stdout", `${"x".repeat(100_000)}\n`);
    return { kind: "exited", exitCode: 0, durationMs: 1, output: { stdout: "", stderr: "", droppedBytes: 0 } };
  });
  await cliAdapter(shouter, (given): given is AgentConfig => given.type === "codex").run(contextOf(sandbox));
  assert.ok(kept > 0 && kept <= 20 * 500, String(kept));
});
