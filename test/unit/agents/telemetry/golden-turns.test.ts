import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type { AgentEvent } from "../../../../src/agents/agent-event.ts";
import { claudeCode } from "../../../../src/agents/cli/claude-code.ts";
import type { StreamParser } from "../../../../src/agents/cli/cli-agent.ts";
import { codex } from "../../../../src/agents/cli/codex.ts";
import { copilot } from "../../../../src/agents/cli/copilot.ts";
import { gemini } from "../../../../src/agents/cli/gemini.ts";
import { opencode } from "../../../../src/agents/cli/opencode.ts";
import { pi } from "../../../../src/agents/cli/pi.ts";
import { qwen } from "../../../../src/agents/cli/qwen.ts";
import { priceOf } from "../../../../src/agents/prices/price-of.ts";
import { createTelemetry } from "../../../../src/agents/telemetry/telemetry.ts";
import { type TurnRecord, turnRecordSchema } from "../../../../src/results/turn-record.ts";
import { sumTurns } from "../../../../src/run/sum-turns.ts";

// `UPDATE_GOLDEN=1` writes the files anew: read the difference before you commit it.
const update = process.env.UPDATE_GOLDEN === "1";
const fixtures = join(import.meta.dirname, "../../../fixtures/agents");
const parsers: Readonly<Record<string, () => StreamParser>> = {
  claude: claudeCode.createParser,
  codex: codex.createParser,
  copilot: copilot.createParser,
  gemini: gemini.createParser,
  opencode: opencode.createParser,
  pi: pi.createParser,
  qwen: qwen.createParser,
};

/** What the scripted service told each agent for the same three calls (two of codex). */
const totals: Readonly<Record<string, { input: number; cached: number; output: number }>> = {
  claude: { input: 2700, cached: 600, output: 153 },
  codex: { input: 1700, cached: 400, output: 101 },
  copilot: { input: 2700, cached: 600, output: 153 },
  gemini: { input: 2700, cached: 600, output: 153 },
  opencode: { input: 2700, cached: 600, output: 153 },
  pi: { input: 2700, cached: 600, output: 153 },
  qwen: { input: 2700, cached: 600, output: 153 },
};

const failures = ["claude.toolfail", "codex.drop", "copilot.500", "gemini.500", "opencode.401", "pi.429", "qwen.maxturns"];

function read(name: string): string {
  return readFileSync(join(fixtures, "streams", name), "utf8");
}

/** Copilot writes its tokens to a file below its home. */
function afterwardsOf(stream: string, lines: readonly string[]): { path: string; text: string }[] {
  if (stream !== "copilot") return [];
  const sessionId = lines.flatMap((line) => /"sessionId":"(?<id>[^"]+)"/.exec(line)?.groups?.id ?? []).at(-1);
  return [{ path: `.copilot/session-state/${sessionId}/events.jsonl`, text: read("copilot.session-shutdown.jsonl") }];
}

function turnOf(stream: string): TurnRecord {
  const create = parsers[stream.split(".")[0] ?? ""];
  assert.ok(create);
  const parser = create();
  const lines = read(`${stream}.jsonl`)
    .split("\n")
    .filter((line) => line !== "");
  const pushed = lines.map((line) => parser.push(line));
  const batches: (readonly AgentEvent[])[] = [...pushed, parser.end(afterwardsOf(stream, lines))];
  // What has no time of its own arrives 10 ms after what came before it.
  const firstMs =
    batches
      .flat()
      .find((event) => event.at !== undefined)
      ?.at?.getTime() ?? Date.UTC(2026, 0, 1);
  const startedAt = new Date(firstMs - 10);
  let now = startedAt.getTime();
  const telemetry = createTelemetry({ prompt: "Write hello.py and run it.", startedAt, priceOf });
  for (const batch of batches) {
    for (const event of batch) {
      now = Math.max(now + 10, event.at?.getTime() ?? 0);
      telemetry.push(event, new Date(now));
    }
  }
  const endedAt = new Date(now + 10);
  return telemetry.finish({
    endedAt,
    durationSeconds: (endedAt.getTime() - startedAt.getTime()) / 1000,
    crashReason: null,
    maxTurnsExhausted: false,
  });
}

for (const stream of [...Object.keys(parsers), ...failures]) {
  test(`the turn of ${stream} is as it was reviewed, and a file of it reads back the same`, () => {
    const turn = turnOf(stream);
    const path = join(fixtures, "golden", `${stream}.turn.json`);
    if (update) writeFileSync(path, `${JSON.stringify(turn, null, 2)}\n`);
    const written: unknown = JSON.parse(JSON.stringify(turn));
    assert.deepEqual(written, JSON.parse(readFileSync(path, "utf8")));
    assert.deepEqual(turnRecordSchema.parse(written), written);
  });
}

for (const [agent, { input, cached, output }] of Object.entries(totals)) {
  test(`${agent}: the tokens of the turn are those that its service told`, () => {
    const usage = turnOf(agent).token_usage;
    assert.deepEqual(
      [usage?.uncached_input_tokens, usage?.cache_read_input_tokens, usage?.cache_creation_input_tokens, usage?.output_tokens],
      [input, cached, 0, output],
    );
  });

  test(`${agent}: the file was written by a tool and run by another, and the reply is the last word`, () => {
    const turn = turnOf(agent);
    assert.ok(turn.commands.some((command) => command.tool_name === "Bash" && JSON.stringify(command.parameters).includes("hello.py")));
    assert.ok(turn.commands.every((command) => command.result_status === "success"));
    assert.match(turn.result_summary?.result ?? "", /^Done: hello\.py/);
    assert.match(turn.agent_output, /\[RESULT - SUCCESS\] Done: hello\.py[^\n]*$/);
    assert.equal(sumTurns([turn], null).command_stats?.success_rate, 100);
  });
}
