import assert from "node:assert/strict";
import test from "node:test";
import { renderRunHtml } from "../../../src/report/run-html.ts";
import { renderRunMarkdown } from "../../../src/report/run-markdown.ts";
import { timeText } from "../../../src/report/variant-text.ts";
import { buildExperimentResult } from "../../../src/results/experiment/build-experiment.ts";
import { runJsonChunks } from "../../../src/results/run-json.ts";
import { type RunRow, runRowSchema } from "../../../src/results/run-row.ts";
import { averageDuration, averageScore, runCost } from "../../../src/results/statistics.ts";
import { attemptFactsSchema } from "../../../src/results/task-result.ts";
import { toRunRow } from "../../../src/results/task-to-row.ts";
import { tokenUsageSchema } from "../../../src/results/token-usage.ts";
import { turnRecordSchema } from "../../../src/results/turn-record.ts";
import { sampleResult } from "./fixtures.ts";
import { runOf } from "./gate-runs.ts";
import { tried } from "./histories.ts";

// What nobody measured is no number: not 0, not NaN, and never the best one.

const meta = { replicateIndex: 0, variantId: "default", tags: [], taskPath: null };
const jsonOf = (rows: readonly RunRow[]) => JSON.parse([...runJsonChunks(runOf({ rows }))].join(""));
const usage = (tokens: number, cost: number | null) =>
  tokenUsageSchema.parse({ uncached_input_tokens: tokens, output_tokens: 0, total_cost_usd: cost });

test("NaN and Infinity in scores and durations are left out of every mean, and stand in no file", () => {
  const rows = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2].map((value, index) =>
    tried("SUCCESS", [], { task_id: `t${index}`, weighted_score: value, duration: value }),
  );
  assert.equal(averageScore(rows), 2);
  assert.equal(averageDuration(rows), 2);
  const { evalbatch } = buildExperimentResult({ experimentId: "e", description: "", variantIds: [], rows, durationSeconds: 1 });
  assert.equal(evalbatch.variants[0]?.average_duration, 2);
  const text = [...runJsonChunks(runOf({ rows }))].join("");
  assert.doesNotMatch(text, /NaN|Infinity/);
  assert.deepEqual(
    rows.map((row) => runRowSchema.parse(JSON.parse(JSON.stringify(row))).weighted_score),
    [null, null, null, 2],
  );
});

test("what was not measured is null in run.json, and a dash or N/A where people read", () => {
  const rows = [
    tried("ERROR", [], { weighted_score: null, duration: null }),
    tried("NOT_GRADED", [], { task_id: "u", weighted_score: null }),
  ];
  const [row] = jsonOf(rows).task_results;
  assert.deepEqual([row.weighted_score, row.duration, row.total_tokens, row.total_cost_usd], [null, null, null, null]);
  const ungraded = runOf({ rows: rows.slice(1) });
  assert.deepEqual(
    [ungraded.pass_rate, ungraded.error_share, ungraded.pass_rate_interval, ungraded.total_cost_usd],
    [null, null, null, null],
  );
  assert.match(renderRunHtml(ungraded), /<b>–<\/b><span>pass rate/);
  assert.match(renderRunMarkdown(ungraded), /Success Rate\*\*: N\/A/);
  const { evalbatch } = buildExperimentResult({ experimentId: "e", description: "", variantIds: [], rows, durationSeconds: 1 });
  const figures = evalbatch.variants[0];
  assert.equal(figures?.average_duration, null);
  assert.equal(figures === undefined ? undefined : timeText(figures), "–");
});

test("a row of 0 s was not timed: the mean is of those that were", () => {
  assert.equal(averageDuration([0, 4, 2].map((duration) => tried("SUCCESS", [], { duration }))), 3);
  assert.equal(averageDuration([tried("SUCCESS", [], { duration: 0 })]), undefined);
});

test("0 tokens of an agent that answered are unknown: no price of 0, an incomplete bill, and a warning", () => {
  const turn = turnRecordSchema.parse({ iteration: 1, assistant_turn_count: 2 });
  const silent = sampleResult({ iteration_count: 1, iterations: [{ ...turn, token_usage: usage(0, 0) }], total_token_usage: usage(0, 0) });
  const row = toRunRow(silent, meta);
  assert.deepEqual([row.agent_cost_usd, row.total_cost_usd, row.cost_complete], [null, null, false]);
  assert.deepEqual(runCost([row]), { incomplete: 1, agent: undefined, overhead: undefined, total: undefined });
  const summary = runOf({ rows: [row] });
  assert.deepEqual(summary.warnings, ["1 agent answered and told no tokens: what that cost is not known"]);
  assert.deepEqual([summary.cost_complete, summary.total_cost_usd], [false, null]);

  const told = sampleResult({
    iteration_count: 1,
    iterations: [{ ...turn, token_usage: usage(10, 0.5) }],
    total_token_usage: usage(10, 0.5),
  });
  assert.deepEqual(runOf({ rows: [toRunRow(told, meta)] }).warnings, []);
  const idle = sampleResult({ total_token_usage: usage(0, 0) });
  assert.deepEqual([toRunRow(idle, meta).cost_complete, toRunRow(idle, meta).agent_cost_usd], [true, 0]);
  const unknown = sampleResult({ iteration_count: 1, iterations: [turn], total_token_usage: null });
  assert.equal(toRunRow(unknown, meta).total_cost_usd, null);
});

test("an agent that was stopped before it told its tokens leaves the bill incomplete; in a file of another writer that is its own claim", () => {
  const turn = turnRecordSchema.parse({ iteration: 1, assistant_turn_count: 1, messages: [{ role: "assistant" }] });
  const told = { ...turn, token_usage: usage(10, 0.5) };
  const stopped = sampleResult({
    iteration_count: 1,
    iterations: [told, turn],
    total_token_usage: usage(10, 0.5),
    evalbatch: attemptFactsSchema.parse({}),
  });
  assert.deepEqual([toRunRow(stopped, meta).agent_cost_usd, toRunRow(stopped, meta).cost_complete], [0.5, false]);
  const foreign = sampleResult({ iteration_count: 1, iterations: [turn], total_token_usage: null, evalbatch: null });
  assert.equal(toRunRow(foreign, meta).cost_complete, true);
});
