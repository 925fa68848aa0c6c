import assert from "node:assert/strict";
import test from "node:test";
import { commonCause } from "../../../src/results/common-cause.ts";
import { type RunRow, runRowSchema } from "../../../src/results/run-row.ts";

function error(taskId: string, message: string | null, category: string | null = null): RunRow {
  return runRowSchema.parse({ task_id: taskId, status: "ERROR", error_message: message, error_category: category });
}

test("the most frequent message is the cause", () => {
  assert.deepEqual(commonCause([error("a", "disk full"), error("b", "401"), error("c", "401")]), { text: "401", rows: 2 });
});

test("messages that differ in the task's name, numbers and ids only are the same one", () => {
  const rows = [
    error("first", "task first: no container 0a1b2c3d4e5f after 31 s"),
    error("second", "task second: no container ffeeddccbbaa after 7 s"),
    error("third", "something else"),
  ];
  assert.deepEqual(commonCause(rows), { text: "task first: no container 0a1b2c3d4e5f after 31 s", rows: 2 });
});

test("where all messages differ, the most frequent category stands for them", () => {
  const rows = [error("a", "x", "agent_error"), error("b", "y", "agent_error"), error("c", "z", "image_error")];
  assert.deepEqual(commonCause(rows), { text: "agent_error, e.g. x", rows: 2 });
});

test("a row that says nothing is no cause", () => {
  assert.equal(commonCause([error("a", null), error("b", "")]), undefined);
  assert.equal(commonCause([]), undefined);
  assert.deepEqual(commonCause([error("a", null), error("b", null, "image_error")]), { text: "image_error", rows: 1 });
});

test("the row's own reason counts before the raw message, and a long one is cut", () => {
  const row: RunRow = { ...error("a", "raw"), failure: { reason: "r".repeat(1000), criteria: [], criteria_missed: 0, log_tail: null } };
  assert.equal(commonCause([row])?.text, `${"r".repeat(299)}…`);
});
