import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { claudeCode } from "../../../../src/agents/cli/claude-code.ts";
import type { CliVerdict, StreamParser } from "../../../../src/agents/cli/cli-agent.ts";
import { codex } from "../../../../src/agents/cli/codex.ts";
import { qwen } from "../../../../src/agents/cli/qwen.ts";

interface Judged {
  createParser(): StreamParser;
  judge(end: Parameters<typeof codex.judge>[0]): CliVerdict;
}
const agents: Readonly<Record<string, Judged>> = { claude: claudeCode, codex, qwen };

function verdictOn(stream: string, exitCode: number | undefined, stderr = ""): CliVerdict {
  const agent = agents[stream.split(".")[0] ?? ""];
  assert.ok(agent);
  const parser = agent.createParser();
  const path = join(import.meta.dirname, "../../../fixtures/agents/streams", `${stream}.jsonl`);
  const events = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => parser.push(line));
  return agent.judge({ exitCode, stderr, events: [...events, ...parser.end()] });
}

const done: CliVerdict = { kind: "completed" };
const maxTurns: CliVerdict = { kind: "max turns" };

for (const [stream, exitCode, verdict] of [
  ["claude", 0, done],
  ["claude.partial", 0, done],
  ["claude.flaky", 0, done],
  ["claude.toolfail", 0, done],
  // Its streaming calls broke off, and it took the whole answers instead.
  ["claude.drop-partial", 0, done],
  // Said to be done, then killed.
  ["claude", 143, done],
  ["claude.budget", 1, done],
  ["claude.maxturns", 1, maxTurns],
  ["codex", 0, done],
  ["codex.flaky", 0, done],
  ["codex.toolfail", 0, done],
  ["qwen", 0, done],
  ["qwen.flaky", 0, done],
  ["qwen.toolfail", 0, done],
  ["qwen.maxturns", 53, maxTurns],
] as const) {
  test(`${stream} with exit code ${exitCode} is ${verdict.kind}`, () => {
    assert.deepEqual(verdictOn(stream, exitCode), verdict);
  });
}

for (const [stream, exitCode, apiStatus, said] of [
  // `subtype` is `success` in both.
  ["claude.401-bounded", 1, 401, /invalid api key/],
  ["claude.429-bounded", 1, 429, /rate limited/],
  ["claude.401", undefined, 401, /authentication_failed/],
  ["claude.429", 143, 429, /rate_limit/],
  ["claude.529", 143, 529, /./],
  ["claude.500", 143, 500, /./],
  ["claude.drop", 143, undefined, /no answer from the service/],
  ["codex.401", 1, 401, /invalid api key/],
  ["codex.429", 1, 429, /Too Many Requests/],
  ["codex.529", 1, 529, /Overloaded/],
  ["codex.500-bounded", 1, undefined, /high demand/],
  ["codex.drop", 1, undefined, /network error/],
  ["qwen.401", 1, 401, /invalid api key/],
  ["qwen.429", 143, undefined, /no answer from the service/],
  ["qwen.529", 1, 529, /Overloaded/],
  ["qwen.500", 1, 500, /internal error/],
  ["qwen.drop", 1, undefined, /UND_ERR_SOCKET/],
] as const) {
  test(`${stream} is a failure because of the service`, () => {
    const verdict = verdictOn(stream, exitCode);
    assert.ok(verdict.kind === "failed");
    assert.equal(verdict.apiStatus, apiStatus);
    assert.match(verdict.message, said);
    assert.equal(verdict.category, undefined);
  });
}

for (const stream of ["claude.hang", "claude.loop-head", "codex.hang", "codex.loop-head", "qwen.hang", "qwen.loop-head"]) {
  test(`${stream} has no last word: a failure whose reason those know who killed it, whatever the exit code`, () => {
    for (const exitCode of [0, 1, 137, 143, undefined]) assert.deepEqual(verdictOn(stream, exitCode), { kind: "failed", message: "" });
  });
}

test("another limit of qwen's own is not the task's", () => {
  const verdict = verdictOn("qwen.maxcalls", 55);
  assert.ok(verdict.kind === "failed" && verdict.category === "agent_config_error");
});

for (const [name, complaint] of [
  ["claude", "error: unknown option '--nonsense'"],
  ["claude", "error: option '--max-turns <turns>' argument 'x' is invalid. must be a number"],
  ["codex", "Error loading config.toml: invalid type: string"],
] as const) {
  test(`"${complaint}" of ${name} is a mistake of the configuration`, () => {
    const agent = agents[name];
    assert.deepEqual(agent?.judge({ exitCode: 1, stderr: `noise\n${complaint}\n`, events: [] }), {
      kind: "failed",
      message: complaint,
      category: "agent_config_error",
    });
  });
}
