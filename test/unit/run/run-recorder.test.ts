import assert from "node:assert/strict";
import test from "node:test";
import { EnvironmentError } from "../../../src/errors.ts";
import { makePlan } from "../../../src/plan/plan.ts";
import { createRunRecorder } from "../../../src/run/run-recorder.ts";
import { noAgentTask, planOptions, taskFolder } from "../plan/task-folder.ts";
import { sampleResult } from "../results/fixtures.ts";

test("a result that cannot be written keeps its row, and only a full disk is called one", async () => {
  await using folder = await taskFolder({ "a.yaml": noAgentTask("a") });
  const { tasks } = await makePlan(planOptions(folder.path));
  const [task] = tasks;
  assert.ok(task !== undefined);
  for (const [code, isDiskFull] of [
    ["cannot-write", false],
    ["disk-full", true],
  ] as const) {
    const refuse = () => Promise.reject(new EnvironmentError(code, "no"));
    const recorder = createRunRecorder({ tasks, store: { writeTaskResult: refuse }, runDir: folder.path });
    await recorder.addResult(task, 0, sampleResult({ task_id: "a" }));
    assert.deepEqual([recorder.rows().length, recorder.storageProblems.length, recorder.isDiskFull()], [1, 1, isDiskFull]);
  }
});
