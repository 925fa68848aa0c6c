import assert from "node:assert/strict";
import test from "node:test";
import { timesOf } from "../../../src/run/limits.ts";
import { runLimits } from "./run-limits.ts";

test("the turn's limit holds for each attempt, the task's for all of them", () => {
  const table: [task: number | null, turn: number | null, taskSeconds: number, turnSeconds: number | undefined][] = [
    [600, 300, 600, 300],
    [60, 300, 60, undefined],
    [60, 60, 60, undefined],
    [60, null, 60, undefined],
    [null, null, 600, undefined],
    [null, 30, 600, 30],
    // Without a limit for the task, a long turn ends by its own.
    [null, 1200, 1201, 1200],
  ];
  for (const [task_timeout, turn_timeout, taskSeconds, turnSeconds] of table) {
    assert.deepEqual(timesOf(runLimits({ task_timeout, turn_timeout })), { taskSeconds, turnSeconds }, `${task_timeout} ${turn_timeout}`);
  }
});
