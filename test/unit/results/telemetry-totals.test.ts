import assert from "node:assert/strict";
import test from "node:test";
import { createRunDetails } from "../../../src/results/run-details.ts";
import type { EvaluationResult } from "../../../src/results/task-result.ts";
import { evaluationResultSchema } from "../../../src/results/task-result.ts";
import { toRunRow } from "../../../src/results/task-to-row.ts";
import { createTelemetryTotals } from "../../../src/results/telemetry-totals.ts";

function resultWith(tools: readonly string[], command: Record<string, unknown> = {}): EvaluationResult {
  const commands = tools.map((tool_name) => ({ tool_name, duration_ms: 10, result_status: "success", parameters: { a: 1 }, ...command }));
  return evaluationResultSchema.parse({ task_id: "t", final_status: "SUCCESS", iterations: [{ iteration: 1, commands }] });
}

test("tool calls are summed over all results, most used first", () => {
  const totals = createTelemetryTotals();
  totals.add(resultWith(["Read", "Bash", "Skill"]));
  totals.add(resultWith(["Bash"], { duration_ms: null, result_status: "error" }));
  assert.equal(totals.total, 4);
  assert.equal(totals.successful, 3);
  assert.equal(totals.skills, 1);
  assert.equal(totals.timed, 3);
  assert.equal(totals.timeMs, 30);
  assert.deepEqual(totals.byTool(), [
    { tool: "Bash", count: 2 },
    { tool: "Read", count: 1 },
    { tool: "Skill", count: 1 },
  ]);
  assert.equal(totals.mostCommonSequence(), "Read → Bash → Skill");
});

test("the five slowest calls are kept, equal ones in the order in which they came", () => {
  const totals = createTelemetryTotals();
  for (const [tool, duration_ms] of [
    ["a", 5],
    ["b", 9],
    ["c", 5],
    ["d", 1],
    ["e", 7],
    ["f", 5],
    ["g", 9],
  ] as const)
    totals.add(resultWith([tool], { duration_ms }));
  assert.deepEqual(
    totals.slowest().map(({ tool }) => tool),
    ["b", "g", "e", "a", "c"],
  );
});

test("an agent that invents a new tool name for each call does not fill the memory", () => {
  const totals = createTelemetryTotals();
  for (let i = 0; i < 5000; i += 1)
    totals.add(resultWith([`tool-${i}${"x".repeat(1000)}`, "b", "c"], { parameters: { text: "y".repeat(100_000) } }));
  assert.ok(totals.byTool().length <= 501);
  assert.equal(
    totals.byTool().reduce((sum, { count }) => sum + count, 0),
    15_000,
  );
  assert.ok(JSON.stringify(totals.slowest()).length < 3000);
});

test("details of rows stay within their budget, and rows that did not succeed have their own", () => {
  const details = createRunDetails({ missed: 20_000, succeeded: 5000 });
  const rowOf = (index: number, final_status: "SUCCESS" | "FAILURE") => {
    const result = evaluationResultSchema.parse({
      task_id: `${final_status}-${index}`,
      final_status,
      success_criteria_results: [{ criterion_type: "x", description: "d", score: 0, details: "z".repeat(10_000) }],
    });
    const row = toRunRow(result, { replicateIndex: 0, variantId: "default", tags: [], taskPath: null });
    details.add(result, row);
    return row;
  };
  const succeeded = Array.from({ length: 50 }, (_, index) => rowOf(index, "SUCCESS"));
  const missed = Array.from({ length: 50 }, (_, index) => rowOf(index, "FAILURE"));
  const kept = (rows: typeof missed) => rows.filter((row) => details.of(row) !== undefined).length;
  assert.equal(kept(succeeded), 3);
  assert.equal(kept(missed), 9);
});
