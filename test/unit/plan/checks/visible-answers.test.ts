import assert from "node:assert/strict";
import test from "node:test";
import { makePlan } from "../../../../src/plan/plan.ts";
import { planOptions, taskFolder } from "../task-folder.ts";

/** What is said of a task with these lines, beside a solution and rows. */
async function said(lines: string, agent = "pi"): Promise<string[]> {
  const prompt = agent === "none" ? "" : "initial_prompt: p\n";
  const criteria = "success_criteria: [{type: file_exists, description: e, path: a.txt}]\n";
  await using folder = await taskFolder({
    "tasks/t/task.yaml": `task_id: t\ndescription: d\n${prompt}agent: {type: ${agent}}\n${lines}${criteria}`,
    "tasks/t/seed/a.py": "",
    "tasks/t/solution/a.py": "",
    "tasks/t/rows/r.jsonl": '{"id": "a"}\n',
    "tasks/t-more/b.py": "",
  });
  const { issues } = await makePlan(planOptions(folder.path, { patterns: ["tasks/t"], unsupported: "note" }));
  return issues.filter(({ code }) => code === "visible-answer").map(({ line, message }) => `${line}: ${message}`);
}

const sources = (...sources: readonly string[]) =>
  `sandbox: {template_sources: [${sources.map((source) => `{type: template_dir, ${source}}`).join(", ")}]}\n`;
const brings = (what: string) => `5: this folder brings ${what} before the agent's eyes: it holds`;

test("a template that holds the task file is told: the agent could read its criteria", async () => {
  const found = [`${brings("the task file with its criteria")} 'task.yaml'`];
  assert.deepEqual(await said(sources("path: .")), found);
  assert.deepEqual(await said(sources("path: seed", "path: ../t, mount_point: x")), found);
  assert.deepEqual(await said(sources("path: ..")), [`${brings("the task file with its criteria")} 't/task.yaml'`]);
});

test("a template that holds the reference or the dataset is told too", async () => {
  const reference = `${sources("path: solution")}reference: {directory: solution}\n`;
  assert.deepEqual(await said(reference), [`${brings("the reference")} '.'`]);
  assert.deepEqual(await said(`${sources("path: solution")}reference: {file: solution/a.py}\n`), [`${brings("the reference")} 'a.py'`]);
  assert.deepEqual(await said(`${sources("path: rows")}dataset: {paths: [rows/r.jsonl]}\n`), [
    `${brings("the rows of the dataset")} 'r.jsonl'`,
  ]);
});

test("a folder beside the task, patterns that may leave it out, and a task without an agent are fine", async () => {
  assert.deepEqual(await said(`${sources("path: seed", "path: ../t-more")}reference: {directory: solution}\n`), []);
  assert.deepEqual(await said(sources("path: ., include_patterns: ['*.py']")), []);
  assert.deepEqual(await said(sources("path: .").replace("}]}", "}], ignore_patterns: ['task.yaml']}")), []);
  assert.deepEqual(await said(sources("path: ."), "none"), []);
});
