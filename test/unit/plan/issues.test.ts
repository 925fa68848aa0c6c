import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fieldText, firstProblems, inFileOrder, maxProblems, type Problem } from "../../../src/plan/issues.ts";
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

test("of very many problems the first hundred are told, errors before warnings, and that there are more", () => {
  const problem = (severity: Problem["severity"], index: number): Problem => ({ severity, code: "c", path: [index], message: "m" });
  const warnings = Array.from({ length: 80 }, (_none, index) => problem("warning", index));
  const errors = Array.from({ length: 60 }, (_none, index) => problem("error", index));
  assert.deepEqual(firstProblems([...warnings.slice(0, 40), ...errors]), [...warnings.slice(0, 40), ...errors]);
  const told = firstProblems([...warnings, ...errors]);
  assert.deepEqual(told.slice(0, maxProblems), [...errors, ...warnings.slice(0, 40)]);
  assert.deepEqual(
    told.slice(maxProblems).map(({ severity, code, message }) => ({ severity, code, message })),
    [{ severity: "warning", code: "more-problems", message: "only the first 100 problems of this file are listed" }],
  );
});

test("names and numbers of a file are cut in what is said about them", async () => {
  const long = "k".repeat(5000);
  const text = `task_id: a\ndescription: d\nagent:\n  type: none\n  ? ${long}\n  : 1\nsuccess_criteria: []\nrun_limits: {max_turns: 0x${"f".repeat(4000)}}\n`;
  const shown = await rendered(text);
  assert.match(shown, /agent\['k{60}…'\]: unknown field 'k{60}…'/);
  assert.match(shown, /found the number [0-9]{60}… of 4817 digits/);
  assert.ok(shown.length < 2500, String(shown.length));
});

test("issues stand in the order of their file, then those of other files, then what is said of the file as a whole", () => {
  const issue = (message: string, file: string, line?: number, column?: number) => ({
    severity: "error" as const,
    code: "c",
    message,
    file,
    line,
    column,
  });
  const mixed = [
    issue("more", "t"),
    issue("third", "t", 2, 1),
    issue("row 9", "r", 9),
    issue("row 1", "r", 1),
    issue("second", "t", 1, 7),
    issue("first", "t", 1, 2),
  ];
  assert.deepEqual(
    inFileOrder(mixed, "t").map(({ message }) => message),
    ["first", "second", "third", "row 9", "row 1", "more"],
  );
});
