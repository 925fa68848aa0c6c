import assert from "node:assert/strict";
import test from "node:test";
import { emptySecretsOf } from "../../../src/commands/foreign-run.ts";
import { makePlan } from "../../../src/plan/plan.ts";
import { planOptions, taskFolder } from "../plan/task-folder.ts";

async function emptyOf(agent: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  const prompt = agent === "none" ? "" : "initial_prompt: p\n";
  const yaml = `task_id: t\ndescription: d\n${prompt}agent: {type: ${agent}}\nsuccess_criteria:\n  - {type: file_exists, description: e, path: a}\n`;
  await using folder = await taskFolder({ "t.yaml": yaml });
  const { tasks } = await makePlan(planOptions(folder.path));
  return emptySecretsOf(tasks, env);
}

test("a key that only the agent knows of is missed in a job without secrets too", async () => {
  assert.deepEqual(await emptyOf("copilot", { COPILOT_GITHUB_TOKEN: "" }), ["COPILOT_GITHUB_TOKEN"]);
  assert.deepEqual(await emptyOf("pi", { OPENAI_API_KEY: "", GROQ_API_KEY: "k" }), ["OPENAI_API_KEY"]);
  assert.deepEqual(await emptyOf("none", { COPILOT_GITHUB_TOKEN: "" }), []);
  assert.deepEqual(await emptyOf("copilot", { COPILOT_GITHUB_TOKEN: "t" }), []);
});
