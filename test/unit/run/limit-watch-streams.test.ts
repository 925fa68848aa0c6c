import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type { AgentStop } from "../../../src/agents/agent.ts";
import { claudeCode } from "../../../src/agents/cli/claude-code.ts";
import type { StreamParser } from "../../../src/agents/cli/cli-agent.ts";
import { codex } from "../../../src/agents/cli/codex.ts";
import { copilot } from "../../../src/agents/cli/copilot.ts";
import { gemini } from "../../../src/agents/cli/gemini.ts";
import { opencode } from "../../../src/agents/cli/opencode.ts";
import { pi } from "../../../src/agents/cli/pi.ts";
import { qwen } from "../../../src/agents/cli/qwen.ts";
import { createTelemetry } from "../../../src/agents/telemetry/telemetry.ts";
import type { RunLimits } from "../../../src/plan/schema/task-schema.ts";
import { createLimitWatch } from "../../../src/run/limit-watch.ts";
import { runLimits } from "./run-limits.ts";

const agents: Readonly<Record<string, { createParser(): StreamParser }>> = {
  claude: claudeCode,
  codex,
  gemini,
  opencode,
  pi,
  qwen,
  copilot,
};

/** What a recorded, whole stream is stopped for, and after how many of its lines. */
function watchStream(
  name: string,
  limits: Partial<RunLimits>,
): { stop: AgentStop | undefined; line: number; calls: number; lines: number } {
  const lines = readFileSync(join(import.meta.dirname, `../../fixtures/agents/streams/${name}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const parser = agents[name]?.createParser();
  assert.ok(parser !== undefined);
  const telemetry = createTelemetry({ prompt: "p", startedAt: new Date(0), priceOf: () => null });
  const watch = createLimitWatch(runLimits(limits), { maxTurns: false, maxUsd: false });
  for (const [index, line] of lines.entries()) {
    for (const event of parser.push(line)) {
      telemetry.push(event, new Date(0));
      const stop = watch(event, telemetry.live());
      if (stop !== undefined) return { stop, line: index + 1, calls: telemetry.live().modelCalls, lines: lines.length };
    }
  }
  return { stop: undefined, line: lines.length, calls: telemetry.live().modelCalls, lines: lines.length };
}

test("no agent is stopped within its turns, and each is as soon as it goes on beyond them", () => {
  for (const name in agents) {
    const { calls, lines } = watchStream(name, {});
    assert.ok(calls >= 2, name);
    assert.equal(watchStream(name, { max_turns: calls }).stop, undefined, name);
    const early = watchStream(name, { max_turns: 1 });
    assert.deepEqual(early.stop, { kind: "max turns" }, name);
    assert.ok(early.line < lines, `${name}: only at line ${early.line} of ${lines}`);
  }
});

test("a budget is kept after the call that exceeds it where the stream tells tokens by the call, else at its end", () => {
  const callsAtStop: Record<string, number | undefined> = {};
  for (const name in agents) {
    const { stop, calls } = watchStream(name, { max_output_tokens: 1 });
    callsAtStop[name] = stop?.kind === "budget" ? calls : undefined;
  }
  // Copilot's tokens stand in a file that is read afterwards.
  assert.deepEqual(callsAtStop, { claude: 3, codex: 2, gemini: 3, opencode: 1, pi: 1, qwen: 1, copilot: undefined });
});
