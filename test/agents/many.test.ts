import assert from "node:assert/strict";
import { type AgentTask, runAgents } from "./run-agents.ts";
import { longAgentTest, openStage } from "./stage.ts";

longAgentTest("50 tasks of an agent, four at a time, all end as they should", async () => {
  await using stage = await openStage();
  const tasks = Array.from({ length: 50 }, (_none, index): AgentTask => {
    return { id: `task-${String(index).padStart(2, "0")}`, type: index % 2 === 0 ? "pi" : "codex", scenario: "ok" };
  });
  await using run = await runAgents(stage, tasks, { concurrency: 4 });
  assert.deepEqual(
    run.run.task_results.filter(({ status }) => status !== "SUCCESS"),
    [],
  );
  assert.equal(run.run.task_results.length, 50);
  for (const { id } of tasks) assert.equal(stage.server.calls(id).length, 3, id);
  assert.equal(run.end.code, 0);
});
