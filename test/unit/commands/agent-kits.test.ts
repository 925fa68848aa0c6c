import assert from "node:assert/strict";
import test from "node:test";
import { agentVersionsOf } from "../../../src/commands/agent-kits.ts";
import { makePlan } from "../../../src/plan/plan.ts";
import { planOptions, taskFolder } from "../plan/task-folder.ts";

test("a run is known by the versions of its agents, as they were asked for or as its release has them", async () => {
  const yaml = (id: string, agent: string) =>
    `task_id: ${id}\ndescription: d\n${agent === "none" ? "" : "initial_prompt: p\n"}agent: {type: ${agent}}\nsuccess_criteria:\n  - {type: file_exists, description: e, path: a}\n`;
  await using folder = await taskFolder({ "a.yaml": yaml("a", "pi"), "b.yaml": yaml("b", "antigravity"), "c.yaml": yaml("c", "none") });
  const { tasks } = await makePlan(planOptions(folder.path));
  assert.deepEqual(Object.keys(agentVersionsOf(tasks)), ["agent gemini", "agent pi"]);
  assert.match(agentVersionsOf(tasks)["agent pi"] ?? "", /^\d+\.\d+\.\d+$/);
  assert.deepEqual(agentVersionsOf(tasks, { byType: { pi: "1.2.3", gemini: "image" } }), { "agent gemini": "image", "agent pi": "1.2.3" });
});
