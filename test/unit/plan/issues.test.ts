import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fieldText } from "../../../src/plan/issues.ts";
import { loadTask } from "../../../src/plan/load.ts";
import { renderIssues } from "../../../src/plan/render-issues.ts";
import { taskFolder } from "./task-folder.ts";

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/plan/issues/${name}`, import.meta.url), "utf8");

async function rendered(text: string): Promise<string> {
  await using folder = await taskFolder({ "tasks/bad.yaml": text });
  const result = await loadTask({ path: `${folder.path}/tasks/bad.yaml`, name: "tasks/bad.yaml", explicit: true }, {});
  assert.equal(result.kind, "problem");
  return renderIssues(result.issues, (_file, line) => result.source?.lineAt(line));
}

test("shows all problems of a file at once, each with its place, what was found and what is allowed", async () => {
  assert.equal(`${await rendered(fixture("everything-wrong.yaml"))}\n`, fixture("everything-wrong.txt"));
});

test("a problem behind an alias or a merge key is shown where the value stands", async () => {
  const text = [
    "task_id: a",
    "description: d",
    "x: &limits {task_timeout: 5}",
    "run_limits: {<<: *limits, max_turns: 3}",
    "agent: {type: none}",
    "success_criteria: [{type: file_exists, description: e, path: p}]",
  ].join("\n");
  assert.match(await rendered(text), /^tasks\/bad\.yaml:3:27: error: run_limits\.task_timeout: found the number 5, expected at least 30$/m);
});

test("a mapping whose keys are no text says which key", async () => {
  const text = "task_id: a\ndescription: d\nagent: {type: none, on: x}\nsuccess_criteria: [{type: file_exists, description: e, path: p}]\n";
  assert.match(await rendered(text), /agent: found a mapping whose key true is not text/);
});

test("a field's path is written as in the documentation", () => {
  assert.equal(fieldText(["success_criteria", 2, "path"]), "success_criteria[2].path");
  assert.equal(fieldText(["sandbox", "docker", "build", "args", "A B"]), "sandbox.docker.build.args['A B']");
});
