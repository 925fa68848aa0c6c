import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";
import { z } from "zod";
import { makePlan } from "../../../../src/plan/plan.ts";
import { planOptions } from "../task-folder.ts";
import { expandFile, problemsOf } from "./expand-task.ts";

// Task files with datasets and the whole tasks that 0.8.2 made of their rows. Only the agent of `skills` is another one.
const root = resolve(import.meta.dirname, "../../../..");
const fixtures = join(root, "test/fixtures/plan/dataset");
const tree = z.record(z.string(), z.unknown());
const rowSchema = z.object({ resolved: tree.and(z.object({ agent: tree })), lineage: tree });
const facts = z.record(z.string(), z.array(rowSchema)).parse(JSON.parse(readFileSync(join(fixtures, "upstream-rows.json"), "utf8")));

for (const [suite, expected] of Object.entries(facts)) {
  test(`the rows of ${suite} are those of the Python tool: ids, order, prompts, criteria, settings, lineage`, async () => {
    const folder = join(fixtures, "upstream");
    const { tasks } = await makePlan(planOptions(folder, { patterns: [`${suite}.yaml`], unsupported: "note" }));
    assert.equal(tasks.length, expected.length);
    for (const [index, { resolved, lineage }] of expected.entries()) {
      const mine: unknown = JSON.parse(JSON.stringify(tasks[index]).replaceAll(folder, "/workspace/tasks"));
      assert.deepEqual(
        inBoth(z.object({ task: rowSchema.shape.resolved, lineage: tree }).parse(mine)),
        inBoth({ task: resolved, lineage }),
      );
    }
  });
}

const commonAgentFields = [
  "type",
  "model",
  "permission_mode",
  "allowed_tools",
  "disallowed_tools",
  "plugins",
  "system_prompt",
  "system_prompt_file",
  "ignore_patterns",
];

/** The agent of `skills` is a scripted one there: what all agents have is compared, and who they are is not. */
function inBoth({ task, lineage }: { readonly task: z.infer<typeof rowSchema>["resolved"]; readonly lineage: z.infer<typeof tree> }) {
  if (task.task_id !== "skills" && task.suite_id !== "skills") return { task, lineage };
  const { type: _type, ...agent } = Object.fromEntries(Object.entries(task.agent).filter(([field]) => commonAgentFields.includes(field)));
  const isOwn = (path: string) => path.startsWith("agent.") && !commonAgentFields.includes(path.split(".")[1] ?? "");
  const { "agent.type": _entry, ...paths } = Object.fromEntries(Object.entries(lineage).filter(([path]) => !isOwn(path)));
  return { task: { ...task, agent }, lineage: paths };
}

test("what skips a file, or ends the whole run, of the Python tool is a problem of the file", async () => {
  const broken = async (name: string) => problemsOf(await expandFile(join(fixtures, "upstream", `${name}.yaml`)));
  assert.deepEqual(await broken("bad-row-id"), [
    "tasks/t.yaml:4:18: the row id 'a/b' is not allowed [an id is letters from a to z, digits, '_', '-' and '.', and begins with neither '-' nor '.']",
  ]);
  assert.deepEqual(await broken("duplicate-row-id"), [
    "tasks/t.yaml:4:27: the row id 'a' at tasks/t.yaml:4:27 is taken already at tasks/t.yaml:4:18",
  ]);
  assert.deepEqual(await broken("missing-rows-file"), [
    "tasks/t.yaml:4:19: the dataset file 'nowhere.jsonl' does not exist [a relative path starts at the folder of the file that names it]",
  ]);
  assert.deepEqual(await broken("missing-field"), [
    "tasks/t.yaml:5:53: ${row.nope} names no field of row 'a' (tasks/t.yaml:4:18) [the row has 'id']",
  ]);
  assert.deepEqual(await broken("nested-value"), [
    "tasks/t.yaml:5:53: ${row.many} takes text or a number, and in row 'a' (tasks/t.yaml:4:18) it is a list of 2",
  ]);
});

test("a file whose rows cannot be had is skipped with the type of error that 0.8.2 names", async () => {
  const reasonOf = async (name: string) => {
    const { tasks, skipped } = await makePlan(planOptions(join(fixtures, "upstream"), { patterns: [`${name}.yaml`] }));
    assert.deepEqual(tasks, []);
    return skipped.map(({ path, reason }) => [path, reason]);
  };
  assert.deepEqual(await reasonOf("missing-rows-file"), [
    ["missing-rows-file.yaml", "FileNotFoundError: dataset.paths[0]: the dataset file 'nowhere.jsonl' does not exist"],
  ]);
  for (const name of ["bad-row-id", "duplicate-row-id"]) assert.match(String(await reasonOf(name)), /,ValueError: .*dataset\.rows\[/);
});
