import assert from "node:assert/strict";
import test from "node:test";
import { makePlan } from "../../../src/plan/plan.ts";
import { agentSettings } from "../../../src/run/agent-settings.ts";
import { planOptions, taskFolder } from "../plan/task-folder.ts";

async function settingsOf(agent: string) {
  const yaml = `task_id: t\ndescription: d\ninitial_prompt: p\nagent: ${agent}\nsuccess_criteria:\n  - {type: file_exists, description: e, path: a}\n`;
  await using folder = await taskFolder({ "t.yaml": yaml });
  const { tasks, issues } = await makePlan(planOptions(folder.path));
  const [task] = tasks;
  assert.ok(task !== undefined, JSON.stringify(issues));
  const { model, allowed_tools } = agentSettings(task);
  return { model, allowed_tools };
}

test("a model and tools that only the built-in experiment names are for claude-code alone", async () => {
  const claude = await settingsOf("{type: claude-code}");
  assert.equal(claude.model, "claude-sonnet-4-6");
  assert.ok(claude.allowed_tools?.includes("Bash"));
  for (const type of ["codex", "gemini", "opencode", "pi", "qwen", "copilot"]) {
    assert.deepEqual(await settingsOf(`{type: ${type}}`), { model: null, allowed_tools: null }, type);
  }
});

test("a model and tools that a task names are the agent's, whatever they are", async () => {
  assert.deepEqual(await settingsOf("{type: codex, model: claude-sonnet-4-6, allowed_tools: [Read]}"), {
    model: "claude-sonnet-4-6",
    allowed_tools: ["Read"],
  });
});
