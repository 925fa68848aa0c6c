import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type { CliAgent, CliEnd, CliVerdict } from "../../../../src/agents/cli/cli-agent.ts";
import { copilot } from "../../../../src/agents/cli/copilot.ts";
import { gemini } from "../../../../src/agents/cli/gemini.ts";
import { opencode } from "../../../../src/agents/cli/opencode.ts";
import { pi } from "../../../../src/agents/cli/pi.ts";
import { agentSchema } from "../../../../src/plan/schema/agent-schema.ts";

type Judged = Pick<CliAgent, "createParser"> & { judge(end: CliEnd): CliVerdict };
const agents: Readonly<Record<string, Judged>> = { gemini, opencode, pi, copilot };

function endOf(stream: string, exitCode: number, stderr = ""): CliEnd {
  const agent = agents[stream.split(".")[0] ?? ""];
  assert.ok(agent);
  const parser = agent.createParser();
  const text = readFileSync(join(import.meta.dirname, `../../../fixtures/agents/streams/${stream}.jsonl`), "utf8");
  const events = text.split("\n").flatMap((line) => (line === "" ? [] : parser.push(line)));
  return { exitCode, stderr, events: [...events, ...parser.end()] };
}

function judge(stream: string, exitCode: number, stderr = ""): CliVerdict {
  const agent = agents[stream.split(".")[0] ?? ""];
  assert.ok(agent);
  return agent.judge(endOf(stream, exitCode, stderr));
}

for (const name of Object.keys(agents)) {
  for (const stream of [name, `${name}.toolfail`, `${name}.flaky`]) {
    test(`${stream} is a completed work`, () => {
      assert.deepEqual(judge(stream, 0), { kind: "completed" });
    });
  }
}

// What the real programs did: their stream, their exit code.
const failures: readonly (readonly [stream: string, exitCode: number, status: number | undefined, message: RegExp])[] = [
  ["gemini.401", 145, 401, /invalid api key/],
  ["gemini.drop", 1, undefined, /terminated/],
  ["opencode.401", 1, 401, /invalid api key/],
  ["opencode.429", 1, 429, /rate limited/],
  ["opencode.500", 1, 500, /internal error/],
  ["opencode.529", 1, 529, /Overloaded/],
  ["opencode.drop", 1, undefined, /Connection reset/],
  ["pi.401", 0, 401, /invalid api key/],
  ["pi.429", 0, 429, /rate limited/],
  ["pi.500", 0, 500, /internal error/],
  ["pi.529", 0, 529, /Overloaded/],
  ["pi.drop", 0, undefined, /terminated/],
  ["copilot.401", 1, 401, /Authentication failed/],
  ["copilot.429", 1, 429, /rate limited/],
  ["copilot.500", 1, 500, /internal error/],
  ["copilot.529", 1, 529, /Overloaded/],
  ["copilot.drop", 1, undefined, /unexpected EOF/],
];
for (const [stream, exitCode, status, message] of failures) {
  test(`${stream} with exit code ${exitCode} is a failure with ${status === undefined ? "no status" : `status ${status}`}`, () => {
    const verdict = judge(stream, exitCode);
    assert.ok(verdict.kind === "failed");
    assert.equal(verdict.apiStatus, status);
    assert.match(verdict.message, message);
  });
}

for (const name of Object.keys(agents)) {
  for (const [scenario, exitCode] of [
    ["hang", 143],
    ["hang", 137],
    ["hang", 0],
    ["loop-head", 137],
  ] as const) {
    test(`${name} whose stream breaks off (${scenario}, exit code ${exitCode}) is never a completed work`, () => {
      const verdict = judge(`${name}.${scenario}`, exitCode);
      assert.ok(verdict.kind === "failed");
      assert.equal(verdict.category, "agent_crash");
      assert.match(verdict.message, new RegExp(`exit code ${exitCode}`));
    });
  }

  test(`${name} that says success and ends with another exit code than 0 has failed`, () => {
    assert.equal(judge(name, 139).kind, "failed");
  });

  test(`${name} that never came to work is judged by what it wrote to stderr`, () => {
    const verdict = agents[name]?.judge({ exitCode: 1, stderr: "Warning: no colours\nError: no such thing here\n", events: [] });
    assert.deepEqual(verdict, { kind: "failed", message: "Error: no such thing here" });
  });
}

test("what a killed program wrote to stderr before is no reason of its end", () => {
  const noise = "[STARTUP] Cannot measure phase 'cleanup_ops': start mark not found\nError: a tool failed\n";
  const verdict = judge("gemini.hang", 137, noise);
  assert.deepEqual(verdict, {
    kind: "failed",
    message: "the agent ended with exit code 137 before its work was over",
    category: "agent_crash",
  });
});

test("gemini's own turn limit is one, by its stream or by its exit code alone", () => {
  assert.deepEqual(judge("gemini.maxturns", 53), { kind: "max turns" });
  assert.deepEqual(gemini.judge({ exitCode: 53, stderr: "", events: [] }), { kind: "max turns" });
});

test("gemini's exit code tells the status where its words do not", () => {
  for (const [exitCode, status] of [
    [145, 401],
    [173, 429],
    [244, 500],
    [17, 529],
  ] as const) {
    const silent = gemini.judge({ exitCode, stderr: "", events: [] });
    assert.equal(silent.kind === "failed" && silent.apiStatus, status);
    const said = gemini.judge({
      exitCode,
      stderr: "",
      events: [{ kind: "end", isError: true, subtype: "unknown", result: "[API Error: no words for it]" }],
    });
    assert.equal(said.kind === "failed" && said.apiStatus, status);
  }
});

test("gemini without a way to log in or with a wrong setting is told apart from a crash", () => {
  const auth = gemini.judge({ exitCode: 41, stderr: "Invalid auth method selected.\n", events: [] });
  assert.match(auth.kind === "failed" ? auth.message : "", /authentication.*Invalid auth method/);
  const config = gemini.judge({ exitCode: 52, stderr: "Error in settings\n", events: [] });
  assert.equal(config.kind === "failed" && config.category, "agent_config_error");
});

test("opencode without any tokens has crashed, unless the task does not require them", () => {
  const end: CliEnd = { exitCode: 0, stderr: "", events: [{ kind: "end", isError: false, subtype: "success" }] };
  const verdict = opencode.judge(end);
  assert.equal(verdict.kind === "failed" && verdict.category, "agent_crash");
  assert.match(verdict.kind === "failed" ? verdict.message : "", /require_token_telemetry/);
  const config = agentSchema.parse({ type: "opencode", require_token_telemetry: false });
  assert.ok(config.type === "opencode");
  assert.deepEqual(opencode.judge(end, config), { kind: "completed" });
});

test("opencode whose last step asked for tools has not come to its end", () => {
  const parser = opencode.createParser();
  const events = parser.push(
    JSON.stringify({ type: "step_finish", part: { messageID: "m", reason: "tool-calls", tokens: { input: 1, output: 1 } } }),
  );
  assert.equal(opencode.judge({ exitCode: 0, stderr: "", events: [...events, ...parser.end()] }).kind, "failed");
});
