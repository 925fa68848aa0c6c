import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { compareOutcomes, expectedSchema, missingNeeds, needs } from "../../../scripts/demo/outcomes.ts";
import { root } from "./source-files.ts";

const taskFile = z.looseObject({ task_id: z.string(), description: z.string(), tags: z.array(z.string()).default([]) });
const examples = globSync("examples/*/task.yaml", { cwd: root })
  .sort()
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }))
  .map(({ file, text }) => ({ file, text, task: taskFile.parse(parse(text)) }));
const expected = expectedSchema.parse(JSON.parse(readFileSync(join(root, "examples/expected.json"), "utf8")));

test("every example has its expected outcome, and every expected outcome its example", () => {
  assert.deepEqual(Object.keys(expected).sort(), examples.map(({ task }) => task.task_id).sort());
});

test("the examples show passing, failing, timing out and failing to build", () => {
  const shown = new Set(Object.values(expected).map((row) => row.docker));
  for (const status of ["SUCCESS", "FAILURE", "TIMEOUT", "BUILD_FAILED"]) assert.ok(shown.has(z.enum([...shown]).parse(status)), status);
});

test("an example is left out of temporary directories exactly when it is marked as one for containers", () => {
  const marked = examples.filter(({ task }) => task.tags.includes("needs:docker")).map(({ task }) => task.task_id);
  const leftOut = Object.entries(expected).filter(([, row]) => row.tempdir === "left out");
  assert.deepEqual(leftOut.map(([id]) => id).sort(), marked.sort());
});

test("every example begins with a comment that says what it shows, and its folder is named after it", () => {
  for (const { file, text, task } of examples) {
    assert.match(text, /^# [A-Z]/, file);
    assert.match(file, new RegExp(`[\\\\/]\\d\\d-${task.task_id}[\\\\/]task\\.yaml$`));
  }
});

test("needs are spelt as the demo knows them", () => {
  const known = needs.map((need) => `needs:${need}`);
  const used = examples.flatMap(({ task }) => task.tags.filter((tag) => tag.startsWith("needs:")));
  assert.deepEqual(
    used.filter((tag) => !known.some((name) => name === tag)),
    [],
  );
});

const two = [
  { taskId: "a", tags: [] },
  { taskId: "b", tags: ["needs:python"] },
];
const bothPass = { a: { docker: "SUCCESS", tempdir: "FAILURE" }, b: { docker: "SUCCESS", tempdir: "SUCCESS" } } as const;
const row = (task_id: string, status: string) => ({ task_id, status, duration: 1 });

test("a need that the machine does not meet leaves an example out, and then it must not have run", () => {
  assert.deepEqual(missingNeeds(two[1] ?? { taskId: "", tags: [] }, new Set(["docker"])), ["python"]);
  const outcomes = compareOutcomes(two, bothPass, { task_results: [row("a", "FAILURE"), row("b", "SUCCESS")] }, "tempdir", new Set());
  assert.deepEqual(
    outcomes.map(({ taskId, ok }) => [taskId, ok]),
    [
      ["a", true],
      ["b", false],
    ],
  );
});

test("an example that should have run and did not is wrong, and so is a row that is no example", () => {
  const outcomes = compareOutcomes(
    two,
    bothPass,
    { task_results: [row("b", "SUCCESS"), row("c", "SUCCESS")] },
    "docker",
    new Set(["python"]),
  );
  assert.deepEqual(
    outcomes.map(({ taskId, found, ok }) => [taskId, found, ok]),
    [
      ["a", "left out", false],
      ["b", "SUCCESS", true],
      ["c", "SUCCESS", false],
    ],
  );
});
