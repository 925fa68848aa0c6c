import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { renderRunHtml } from "../../../src/report/run-html.ts";
import { renderRunMarkdown } from "../../../src/report/run-markdown.ts";
import type { RunRow } from "../../../src/results/run-row.ts";
import { toRunRow } from "../../../src/results/task-to-row.ts";
import { createTelemetryTotals } from "../../../src/results/telemetry-totals.ts";
import { type TurnRecord, turnRecordSchema } from "../../../src/results/turn-record.ts";
import { sumTurns } from "../../../src/run/sum-turns.ts";
import { sampleResult } from "../results/fixtures.ts";
import { runOf } from "../results/gate-runs.ts";

// Turns of real agents, as their streams give them.

const golden = join(import.meta.dirname, "../../fixtures/agents/golden");
const turnOf = (stream: string): TurnRecord =>
  turnRecordSchema.parse(JSON.parse(readFileSync(join(golden, `${stream}.turn.json`), "utf8")));

function resultOf(stream: string) {
  const iterations = [turnOf(stream)];
  return sampleResult({
    task_id: stream,
    iterations,
    iteration_count: 1,
    expected_commands: 2,
    ...sumTurns(iterations, 2),
  });
}

function rowOf(stream: string): RunRow {
  return toRunRow(resultOf(stream), { replicateIndex: 0, variantId: "default", tags: [], taskPath: null });
}

test("a row of a real agent has its tokens, its price, its turns and its reply", () => {
  const { input_tokens, output_tokens, cache_read_input_tokens, total_tokens, ...row } = rowOf("claude");
  assert.deepEqual([input_tokens, output_tokens, cache_read_input_tokens, total_tokens], [2700, 153, 600, 3453]);
  assert.equal(row.total_cost_usd?.toFixed(6), "0.010575");
  assert.deepEqual([row.cost_complete, row.model_used, row.actual_commands, row.commands_efficiency], [true, "claude-sonnet-4-5", 2, 1]);
  assert.deepEqual([row.total_turns, row.visible_turns, row.has_final_reply, row.iterations[0]?.assistant_turn_count], [3, 3, true, 5]);
});

test("an agent whose model has no price has tokens and no cost, and the run's cost is at least what is known", () => {
  const rows = [rowOf("claude"), rowOf("copilot")];
  assert.deepEqual([rows[1]?.total_cost_usd, rows[1]?.cost_complete, rows[1]?.total_tokens], [null, false, 3453]);
  const summary = runOf({ rows });
  assert.deepEqual([summary.cost_complete, summary.total_cost_usd?.toFixed(6)], [false, "0.010575"]);
  const markdown = renderRunMarkdown(summary);
  assert.match(markdown, /\*\*Total Tokens\*\*: 6,906 \(input: 5,400, output: 306\)/);
  assert.match(markdown, /\*\*Total Cost\*\*: \$0\.0106 \(at least: 1 task with spend that has no price\)/);
  assert.match(markdown, /copilot.*\| 3,453 \| N\/A \|/);
  const html = renderRunHtml(summary);
  assert.match(html, /<b>≥ \$0\.01<\/b><span>6,906 tokens<\/span>/);
  assert.match(html, /<dt>tokens<\/dt><dd>3,453<\/dd><dt>cost<\/dt><dd>not known<\/dd>/);
});

test("the tool calls of real agents stand in the telemetry of the run", () => {
  const streams = ["claude", "pi", "claude.toolfail"];
  const telemetry = createTelemetryTotals();
  for (const stream of streams) telemetry.add(resultOf(stream));
  const markdown = renderRunMarkdown(runOf({ rows: streams.map(rowOf) }), { telemetry });
  assert.match(markdown, /Bash.*\| 4 \|/);
  assert.match(markdown, /Bash → Write → Bash/);
});
