import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type { AgentEnd } from "../../../src/agents/agent.ts";
import type { AgentEvent } from "../../../src/agents/agent-event.ts";
import { categorise } from "../../../src/agents/categorise.ts";
import { claudeCode } from "../../../src/agents/cli/claude-code.ts";
import type { CliEnd, CliVerdict, StreamParser } from "../../../src/agents/cli/cli-agent.ts";
import { codex } from "../../../src/agents/cli/codex.ts";
import { copilot } from "../../../src/agents/cli/copilot.ts";
import { gemini } from "../../../src/agents/cli/gemini.ts";
import { opencode } from "../../../src/agents/cli/opencode.ts";
import { pi } from "../../../src/agents/cli/pi.ts";
import { qwen } from "../../../src/agents/cli/qwen.ts";
import { emptyTurn } from "../../../src/agents/turn.ts";
import { AgentError } from "../../../src/errors.ts";
import { endOfAgent } from "../../../src/run/end-of-agent.ts";
import { applyLimits } from "../../../src/run/limit-verdict.ts";
import { runLimits } from "../run/run-limits.ts";

// What becomes of each agent in each kind of trouble, by its recorded stream and the exit code that came with it. Streams of agents that
// were still trying when they were killed are judged as they would be if they had been killed by somebody else.

interface Judged {
  createParser(): StreamParser;
  judge(end: CliEnd): CliVerdict;
}

const agents = { claude: claudeCode, codex, gemini, opencode, pi, qwen, copilot } as const satisfies Record<string, Judged>;
type Name = keyof typeof agents;

const [auth, rate, api, crash] = ["agent_auth_error", "agent_rate_limit", "agent_api_error", "agent_crash"] as const;

/** For each stream the exit code and what is expected, by agent. `SUCCESS` stands for work that was done and passes. */
const table: Readonly<Record<string, Readonly<Partial<Record<Name, readonly [exitCode: number, expected: string]>>>>> = {
  "": every([0, "SUCCESS"]),
  toolfail: every([0, "SUCCESS"]),
  flaky: every([0, "SUCCESS"]),
  "401": {
    claude: [143, auth],
    codex: [1, auth],
    gemini: [145, auth],
    opencode: [1, auth],
    pi: [0, auth],
    qwen: [1, auth],
    copilot: [1, auth],
  },
  "401-bounded": { claude: [1, auth] },
  "429": {
    claude: [143, rate],
    codex: [1, rate],
    // It tells nothing of what it tries again.
    gemini: [137, crash],
    opencode: [1, rate],
    pi: [0, rate],
    // Of its retries it does not tell the status.
    qwen: [143, api],
    copilot: [1, rate],
  },
  "429-bounded": { claude: [1, rate] },
  "500": {
    claude: [143, api],
    codex: [1, api],
    gemini: [137, crash],
    opencode: [1, api],
    pi: [0, api],
    qwen: [1, api],
    copilot: [1, api],
  },
  "500-bounded": { codex: [1, api] },
  "529": {
    claude: [143, api],
    codex: [1, api],
    gemini: [137, crash],
    opencode: [1, api],
    pi: [0, api],
    qwen: [1, api],
    copilot: [1, api],
  },
  drop: { claude: [143, api], codex: [1, api], gemini: [1, api], opencode: [1, api], pi: [0, api], qwen: [1, api], copilot: [1, api] },
  hang: { ...every([143, crash]), gemini: [137, crash] },
  "loop-head": { ...every([143, crash]), gemini: [137, crash] },
  maxturns: { claude: [1, "MAX_TURNS_EXHAUSTED"], gemini: [53, "MAX_TURNS_EXHAUSTED"], qwen: [53, "MAX_TURNS_EXHAUSTED"] },
  // Its own limit of money; what the harness makes of the sum is a matter of the budget.
  budget: { claude: [1, "SUCCESS"] },
};

for (const [scenario, expectations] of Object.entries(table)) {
  test(`${scenario === "" ? "success" : scenario}: each agent's stream and exit code give the right end`, () => {
    for (const [name, [exitCode, expected]] of entriesOf(expectations)) {
      const file = scenario === "" ? `${name}.jsonl` : `${name}.${scenario}.jsonl`;
      const { outcome, message } = outcomeOf(name, eventsOf(name, file), { exitCode });
      assert.equal(outcome, expected, `${file}: ${message}`);
    }
  });
}

test("an agent that the memory killer ended is out of memory, whatever its stream said", () => {
  for (const name of namesOf(agents)) {
    const { outcome } = outcomeOf(name, eventsOf(name, `${name}.loop-head.jsonl`), { exitCode: 137, killedBy: "out of memory" });
    assert.equal(outcome, "out_of_memory", name);
  }
});

test("a program that is not there or cannot be run is a matter of the configuration", () => {
  for (const name of namesOf(agents)) {
    for (const exitCode of [126, 127]) {
      assert.equal(outcomeOf(name, [], { exitCode, stderr: `sh: 1: ${name}: error\n` }).outcome, "agent_config_error", name);
    }
  }
});

test("an agent that talks of keys, bills and limits and then breaks off has broken off", () => {
  const talk = "The server answered 401 unauthorized: billing, credit, quota exceeded, 429 too many requests";
  const events: AgentEvent[] = [
    { kind: "text", text: talk },
    { kind: "tool call", id: "1", tool: "Bash", nativeTool: "bash", parameters: { command: "curl localhost" } },
    { kind: "tool result", id: "1", status: "error", text: talk },
  ];
  for (const name of namesOf(agents)) assert.equal(outcomeOf(name, events, { exitCode: 1 }).outcome, crash, name);
});

test("a stream that breaks off anywhere is never taken for done", () => {
  for (const name of namesOf(agents)) {
    const lines = linesOf(`${name}.jsonl`);
    const parser = agents[name].createParser();
    const events: AgentEvent[] = [];
    for (const line of lines.slice(0, -1)) {
      events.push(...parser.push(line));
      // What comes after the last word is no part of it.
      if (events.some((event) => event.kind === "end")) break;
      const { outcome } = outcomeOf(name, events, { exitCode: 1 });
      assert.notEqual(outcome, "SUCCESS", `${name}, after ${line.slice(0, 80)}`);
    }
  }
});

interface Facts {
  readonly exitCode: number;
  readonly killedBy?: "out of memory" | undefined;
  readonly stderr?: string;
}

/** The status of a task whose criteria pass where the work was done; the category of an error. */
function outcomeOf(name: Name, events: readonly AgentEvent[], facts: Facts): { outcome: string; message: string } {
  const { exitCode, killedBy, stderr = "" } = facts;
  const verdict = agents[name].judge({ exitCode, stderr, events });
  const end = endOf(verdict, { exitCode, killedBy, stderr });
  const early = endOfAgent(end, { kind: "task", seconds: 60 });
  if (early?.kind === "error" && early.error instanceof AgentError) return { outcome: early.error.code, message: early.error.message };
  assert.equal(early, undefined);
  const stopped = end.kind === "stopped" ? end.cause : undefined;
  const graded = { kind: "graded", passed: stopped === undefined, weightedScore: 0 } as const;
  const last = applyLimits(graded, { turns: [emptyTurn("p", new Date(0))], limits: runLimits({}), stopped }).end;
  return {
    outcome: last.kind === "graded" ? "SUCCESS" : last.kind === "max turns" ? "MAX_TURNS_EXHAUSTED" : last.kind,
    message: last.kind,
  };
}

function endOf(verdict: CliVerdict, facts: Parameters<typeof categorise>[1]): AgentEnd {
  if (facts.killedBy !== undefined) return { kind: "crashed", ...categorise({ kind: "failed", message: "" }, facts) };
  if (verdict.kind === "completed") return { kind: "completed" };
  if (verdict.kind === "max turns") return { kind: "stopped", cause: { kind: "max turns" } };
  return { kind: "crashed", ...categorise(verdict, facts) };
}

function eventsOf(name: Name, file: string): AgentEvent[] {
  const parser = agents[name].createParser();
  return [...linesOf(file).flatMap((line) => [...parser.push(line)]), ...parser.end()];
}

function linesOf(file: string): string[] {
  const text = readFileSync(join(import.meta.dirname, "../../fixtures/agents/streams", file), "utf8");
  return text.split("\n").filter((line) => line !== "");
}

function every<T>(value: T): Record<Name, T> {
  return { claude: value, codex: value, gemini: value, opencode: value, pi: value, qwen: value, copilot: value };
}

function namesOf<K extends string>(record: Readonly<Record<K, unknown>>): K[] {
  const names: K[] = [];
  for (const name in record) names.push(name);
  return names;
}

function entriesOf<K extends string, T>(record: Readonly<Partial<Record<K, T>>>): [K, T][] {
  const entries: [K, T][] = [];
  for (const name in record) {
    const value = record[name];
    if (value !== undefined) entries.push([name, value]);
  }
  return entries;
}
