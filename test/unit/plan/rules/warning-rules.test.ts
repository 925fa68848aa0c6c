import assert from "node:assert/strict";
import test from "node:test";
import { ruleProblems } from "../../../../src/plan/task-rules.ts";
import { criterion, type Fields } from "./rule-table.ts";

const warnings = (more: Fields): string[] =>
  ruleProblems({ task_id: "t", description: "d", initial_prompt: "p", success_criteria: [criterion], ...more })
    .filter(({ severity }) => severity === "warning")
    .map(({ path, message }) => `${path.join(".")}: ${message}`);

test("1.7 a placeholder in a task without a dataset stays as it is", () => {
  assert.deepEqual(warnings({ initial_prompt: "Do ${row.what}.", success_criteria: [{ ...criterion, path: "out/${row.name}" }] }), [
    "initial_prompt: '${row.what}' stays as it is: the task has no dataset",
    "success_criteria.0.path: '${row.name}' stays as it is: the task has no dataset",
  ]);
  assert.deepEqual(warnings({ initial_prompt: "Do ${row.what}.", dataset: { rows: [{ id: "a" }] } }), []);
  assert.deepEqual(warnings({ initial_prompt: "Do ${row.what}.", suite_id: "s" }), []);
  assert.deepEqual(warnings({ initial_prompt: "${rows.a} $row.a {row.a} ${row.}" }), []);
});

test("1.1 a criterion that names $REFERENCE_DIR wants a reference directory", () => {
  const run = { type: "run_command", description: "r", command: "diff -r . ${REFERENCE_DIR}/x" };
  const judge = { type: "llm_judge", description: "j", prompt: "p", files: ["a", "$REFERENCE_DIR/b"] };
  const success_criteria = [run, judge];
  const message = "$REFERENCE_DIR is not set without reference.directory";
  const expected = [`success_criteria.0.command: ${message}`, `success_criteria.1.files.1: ${message}`];
  assert.deepEqual(warnings({ success_criteria }), expected);
  assert.deepEqual(warnings({ success_criteria, reference: { file: "x" } }), expected);
  assert.deepEqual(warnings({ success_criteria, reference: { directory: "x" } }), []);
  assert.deepEqual(warnings({ success_criteria: [{ ...run, command: "echo $REFERENCE_DIRECTORY" }] }), []);
});

test("1.4 more than ten template sources only warn", () => {
  const sources = (count: number) => ({ template_sources: Array.from({ length: count }, () => ({ type: "starter_files", files: [] })) });
  assert.deepEqual(warnings({ sandbox: sources(10) }), []);
  assert.deepEqual(warnings({ sandbox: sources(11) }), ["sandbox.template_sources: 11 template sources are unusually many"]);
});

test("1.4 max_disk_mb is reserved and not enforced", () => {
  assert.deepEqual(warnings({ sandbox: { limits: { max_disk_mb: 5 } } }), [
    "sandbox.limits.max_disk_mb: max_disk_mb is reserved and not enforced",
  ]);
});

test("2.2 reference_comparison without a reference scores 0, as in 0.8.2", () => {
  const success_criteria = [{ type: "reference_comparison", description: "c", agent_file: "a.py" }];
  assert.deepEqual(warnings({ success_criteria }), ["success_criteria.0: without a reference this criterion always scores 0"]);
});
