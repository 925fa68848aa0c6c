import assert from "node:assert/strict";
import test from "node:test";
import type { ResolvedDefinition } from "../../../../src/plan/resolved-task.ts";
import { agentSchema } from "../../../../src/plan/schema/agent-schema.ts";
import { runLimitsSchema } from "../../../../src/plan/schema/run-limits-schema.ts";
import { taskSchema } from "../../../../src/plan/schema/task-schema.ts";
import { resolvedRuleProblems } from "../../../../src/plan/task-rules.ts";
import { criterion } from "./rule-table.ts";

// What one layer sets against what another one sets: a resolved task is validated again (formats.md 1.1, 2.3).
function codes(fields: object, agent: unknown, run_limits: unknown = {}): string[] {
  const task = taskSchema.parse({ task_id: "t", description: "d", success_criteria: [criterion], ...fields });
  const resolved: ResolvedDefinition = { ...task, agent: agentSchema.parse(agent), run_limits: runLimitsSchema.parse(run_limits) };
  return resolvedRuleProblems(resolved).map(({ code, path }) => `${code} ${path.join(".")}`);
}

test("agent type none from another layer meets the prompt of the task", () => {
  assert.deepEqual(codes({ initial_prompt: "p" }, { type: "none" }), ["no-agent initial_prompt"]);
  assert.deepEqual(codes({ initial_prompt: "p" }, { type: "codex" }), []);
});

test("an agent from another layer needs a prompt", () => {
  assert.deepEqual(codes({}, { type: "codex" }), ["missing-field initial_prompt"]);
  assert.deepEqual(codes({}, { type: "none" }), []);
});

test("agent type none from another layer meets criteria that judge an agent", () => {
  const success_criteria = [{ type: "skill_triggered", description: "s", expected_skill: "a", skill_name: "a" }];
  assert.deepEqual(codes({ success_criteria }, { type: "none" }), ["no-agent success_criteria.0.type"]);
});

test("limits of another layer arm, break and switch off early stops", () => {
  const task = { initial_prompt: "p", success_criteria: [{ type: "command_executed", description: "c", stop_early: {} }] };
  assert.deepEqual(codes(task, { type: "codex" }), []);
  assert.deepEqual(codes(task, { type: "codex" }, { stop_early: true }), ["early-stop run_limits.stop_early"]);
  assert.deepEqual(codes(task, { type: "codex" }, { stop_early_gate_threshold: 0 }), ["early-stop run_limits.stop_early_gate_threshold"]);
  assert.deepEqual(codes(task, { type: "command", command: "x" }), ["early-stop success_criteria.0.stop_early"]);
  assert.deepEqual(codes(task, { type: "command", command: "x" }, { stop_early: false }), []);
});
