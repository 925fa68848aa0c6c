import assert from "node:assert/strict";
import test from "node:test";
import { criteria, foreseen } from "./resolved-task.ts";

const only = (criterion: object): string[] => foreseen(criteria(criterion)).map((text) => text.replace("warning success_criteria.0.", ""));
const json = (operator: string, expected: unknown) =>
  only({ type: "json_check", path: "a", assertions: [{ expression: "x", operator, expected }] });

test("a criterion that any run passes is told", () => {
  const always = "every run passes it, so it measures nothing";
  assert.deepEqual(only({ type: "command_executed", min_count: 0 }), [
    `min_count: 'min_count: 0' without 'max_count' allows any number of calls / ${always}`,
  ]);
  assert.deepEqual(only({ type: "command_executed", min_count: 0, max_count: 3 }), []);
  assert.deepEqual(only({ type: "uipath_eval", agent_name: "a", eval_set: "e", thresholds: {} }), [
    `thresholds: there is no threshold to reach / ${always}`,
  ]);
});

test("a text that has to be there and must not be there is told", () => {
  const hint = "no file has a text and has it not";
  assert.deepEqual(only({ type: "file_contains", path: "a", includes: ["x", "import os"], excludes: ["y", "os"] }), [
    `excludes.1: 'os' is part of 'import os' in includes / ${hint}`,
  ]);
  assert.deepEqual(only({ type: "file_check", path: "a", includes: ["x"], excludes: ["x"] }), [
    `excludes.0: 'x' is in includes, too / ${hint}`,
  ]);
  assert.deepEqual(only({ type: "file_check", path: "a", includes: ["os"], excludes: ["import os"] }), []);
});

test("a path that leads out of the sandbox is told", () => {
  const hint = "give a path relative to the sandbox, without '..'";
  assert.deepEqual(only({ type: "file_exists", path: "a/../../b" }), [
    `path: the path 'a/../../b' leads outside of the sandbox, where nothing is looked at / ${hint}`,
  ]);
  assert.deepEqual(only({ type: "json_check", path: "a.json", json_schema: "../schema.json" }), [
    `json_schema: the path '../schema.json' leads outside of the sandbox, where nothing is looked at / ${hint}`,
  ]);
  for (const path of ["a/../b", "..a", "/work/a", "*/a", ""]) assert.deepEqual(only({ type: "file_exists", path }), []);
});

test("exit codes and time limits that no command has are told", () => {
  const run = (more: object) => only({ type: "run_command", command: "x", ...more });
  for (const expected_exit_code of [0, 1, 255, -1, -9]) assert.deepEqual(run({ expected_exit_code }), []);
  assert.match(run({ expected_exit_code: 256 })[0] ?? "", /^expected_exit_code: no command ends with exit code 256/);
  assert.match(run({ expected_exit_code: -65 })[0] ?? "", /^expected_exit_code: no command ends with exit code -65/);
  assert.deepEqual(run({ timeout: 0 }), ["timeout: a timeout of 0 s is over before the command starts / no run can pass it"]);
  assert.deepEqual(run({ timeout: 0, expected_exit_code: -1 }), []);
});

test("an expected label that is not allowed is told with the one that was meant", () => {
  const match = (expected_label: string, more = {}) =>
    only({ type: "classification_match", path: "a", expected_label, allowed_labels: ["Refund", "Invoice"], ...more });
  assert.deepEqual(match("refund"), []);
  assert.deepEqual(match("Refnd"), [
    "expected_label: the expected label 'Refnd' is not one of allowed_labels: it counts as '(other)' / did you mean 'Refund'?",
  ]);
  assert.match(match("refund", { case_sensitive: true })[0] ?? "", /did you mean 'Refund'\?$/);
  assert.match(match("spam")[0] ?? "", / every label that is not allowed passes then$/);
});

test("what an assertion's operator cannot be asked is told", () => {
  assert.deepEqual(json("type", "strng"), [
    "assertions.0.expected: found text 'strng', expected one of string, number, boolean, array, object, null / did you mean 'string'?",
  ]);
  assert.deepEqual(json("type", 1).length, 1);
  assert.deepEqual(json("regex", 5), [
    "assertions.0.expected: found the number 5, expected a regular expression / the assertion cannot be met",
  ]);
  assert.deepEqual(json("gt", null), ["assertions.0.expected: null is neither more nor less than anything / the assertion cannot be met"]);
  assert.deepEqual(json("lte", { a: 1 }).length, 1);
  for (const expected of [1, "a", true, [1]]) assert.deepEqual(json("gt", expected), []);
});

test("a suite's threshold names a metric of the criterion", () => {
  const row = (criterion: object, suite_thresholds: object) =>
    foreseen({ suite_id: "s", ...criteria({ ...criterion, suite_thresholds }) }).map((text) =>
      text.replace("warning success_criteria.0.", ""),
    );
  const file = { type: "file_exists", path: "a" };
  const match = { type: "classification_match", path: "a", expected_label: "x", allowed_labels: ["x"] };
  assert.deepEqual(row(file, { mean: 1, completion_rate: 1 }), []);
  assert.deepEqual(row(match, { accuracy: 1, "recall.x": 1, macro_f1: 1, mean: 1 }), []);
  assert.deepEqual(row(file, { meen: 1 }), [
    "suite_thresholds.meen: file_exists has no metric 'meen', so the threshold is never reached / did you mean 'mean'?",
  ]);
  assert.match(row(file, { "recall.x": 1 })[0] ?? "", / metrics: count, mean, median, std, min, max, completion_rate$/);
  assert.match(row(match, { recall: 1 })[0] ?? "", /classification_match has no metric 'recall'/);
});

test("the same criterion twice is told, one with another weight or description is not", () => {
  const file = { type: "file_exists", description: "there", path: "a" };
  assert.deepEqual(foreseen(criteria(file, { ...file, path: "b" }, file)), [
    "warning success_criteria.2: the criterion is the same as success_criteria[0] / it counts twice: change it, or remove it",
  ]);
  assert.deepEqual(foreseen(criteria(file, { ...file, weight: 2 }, { ...file, description: "again" })), []);
  const big = { type: "json_check", description: "j", path: "a", assertions: [{ expression: "x", expected: 12345678901234567891n }] };
  assert.equal(foreseen(criteria(big, big)).length, 1);
});

test("a command that may take longer than its task is told, with where the task's limit comes from", () => {
  const long = criteria({ type: "run_command", command: "x", timeout: 700 });
  const message =
    "warning success_criteria.0.timeout: the command may take 700 s, and the whole task 600 s / lower the timeout, or raise run_limits.task_timeout";
  const limits = { run_limits: { task_timeout: 600 } };
  const entry = { value: 600, source_detail: null } as const;
  assert.deepEqual(foreseen({ ...long, ...limits }, {}, { "run_limits.task_timeout": { ...entry, source: "task" } }), [message]);
  assert.deepEqual(
    foreseen({ ...long, ...limits }, {}, { "run_limits.task_timeout": { ...entry, source: "variant", source_detail: "slow" } }),
    [`${message}, which comes from variant 'slow'`],
  );
  assert.deepEqual(foreseen({ ...long, run_limits: { task_timeout: 700 } }), []);
  assert.deepEqual(foreseen(long), []);
});
