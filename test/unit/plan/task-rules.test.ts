import assert from "node:assert/strict";
import test from "node:test";
import { ruleProblems } from "../../../src/plan/task-rules.ts";

const criterion = { type: "file_exists", description: "e", path: "a" };
const base = { task_id: "t", description: "d", initial_prompt: "p", success_criteria: [criterion] };

const codes = (more: Readonly<Record<string, unknown>>) =>
  ruleProblems({ ...base, ...more }).map(({ severity, code, path }) => `${severity} ${code} ${path.join(".")}`);

test("a task has exactly one prompt", () => {
  assert.deepEqual(codes({}), []);
  assert.deepEqual(codes({ initial_prompt: "" }), []);
  assert.deepEqual(codes({ initial_prompt: null }), ["error missing-field initial_prompt"]);
  assert.deepEqual(codes({ initial_prompt_file: "p.md" }), ["error exclusive-fields initial_prompt_file"]);
});

test("a dialog and a task without an agent need no prompt", () => {
  assert.deepEqual(codes({ initial_prompt: null, simulation: { enabled: "yes" } }), []);
  assert.deepEqual(codes({ initial_prompt: null, agent: { type: "none" } }), []);
  assert.deepEqual(codes({ initial_prompt: null, simulation: { enabled: false } }), ["error missing-field initial_prompt"]);
});

test("without an agent there is no prompt, no dialog and no criterion that judges an agent", () => {
  const agent = { type: "none" };
  assert.deepEqual(codes({ agent }), ["error no-agent initial_prompt"]);
  const types = ["command_executed", "command_not_executed", "skill_triggered", "reference_comparison", "commands_efficiency"];
  for (const type of types) {
    const found = codes({ agent, initial_prompt: null, reference: { code: "x" }, success_criteria: [criterion, { ...criterion, type }] });
    assert.deepEqual(found, ["error no-agent success_criteria.1.type"], type);
  }
  assert.deepEqual(codes({ agent, initial_prompt: null, simulation: { enabled: true } }), ["error no-agent simulation.enabled"]);
});

test("suite thresholds need a dataset, until a row of one carries the suite's id", () => {
  const success_criteria = [{ ...criterion, suite_thresholds: { accuracy: 0.8 } }];
  assert.deepEqual(codes({ success_criteria }), ["error no-dataset success_criteria.0.suite_thresholds"]);
  assert.deepEqual(codes({ success_criteria, dataset: { rows: [{}] } }), []);
  assert.deepEqual(codes({ success_criteria, suite_id: "s" }), []);
});

test("comparing with a directory needs the file in it", () => {
  const comparison = { type: "reference_comparison", description: "c", agent_file: "a.py" };
  const reference = { directory: "solution" };
  assert.deepEqual(codes({ reference, success_criteria: [comparison] }), ["error missing-field success_criteria.0"]);
  assert.deepEqual(codes({ reference, success_criteria: [{ ...comparison, reference_file: "a.py" }] }), []);
  assert.deepEqual(codes({ reference: { code: "x" }, success_criteria: [comparison] }), []);
  assert.deepEqual(codes({ success_criteria: [comparison] }), ["warning no-reference success_criteria.0"]);
});

test("criteria that all weigh nothing warn, since such a task passes with score 0", () => {
  assert.deepEqual(codes({ success_criteria: [{ ...criterion, weight: 0 }] }), ["warning no-weight success_criteria"]);
  assert.deepEqual(codes({ success_criteria: [{ ...criterion, weight: 0 }, criterion] }), []);
});

test("looks at anything without throwing", () => {
  for (const value of [null, 3, "x", [], [null], {}, { type: [] }]) {
    ruleProblems({ agent: value, sandbox: value, success_criteria: value, simulation: value, reference: value, dataset: value });
  }
});
