import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { documentTables } from "../../../scripts/field-docs/documents.ts";
import { plannedTexts } from "../../../scripts/field-docs/planned.ts";
import { withTables } from "../../../scripts/readme/tables.ts";
import { InputError } from "../../../src/errors.ts";
import { loadExperiment } from "../../../src/plan/experiment/load-experiment.ts";
import { makePlan } from "../../../src/plan/plan.ts";
import { refusedFields } from "../../../src/plan/unsupported.ts";
import { maxYamlBytes } from "../../../src/plan/yaml/yaml.ts";
import { planOptions, taskFolder } from "../plan/task-folder.ts";
import { marksIn } from "../schemas/editor.ts";
import { root } from "./source-files.ts";

const read = (document: string) => readFileSync(join(root, document), "utf8");

interface Block {
  readonly document: string;
  readonly yaml: string;
  /** Its first key. */
  readonly begins: string;
}

/** The blocks of a document that a reader copies into a file. */
function yamlBlocks(document: string): Block[] {
  const blocks = [...read(document).matchAll(/^ *```ya?ml\n([\s\S]*?)^ *```$/gm)].map(([, block = ""]) => block);
  return blocks.map((yaml) => ({ document, yaml, begins: /^\w+(?=:)/.exec(yaml)?.[0] ?? "" }));
}

const blocks = ["README.md", ...globSync("docs/*.md", { cwd: root })].flatMap(yamlBlocks);
const blocksOf = (...begins: readonly string[]) => blocks.filter((block) => begins.includes(block.begins));

test("every whole task in the documents loads without a word, for evalbatch and for an editor", async () => {
  const tasks = blocksOf("task_id");
  assert.ok(tasks.length >= 5);
  for (const { document, yaml } of tasks) {
    await using folder = await taskFolder({ "task.yaml": yaml });
    const plan = await makePlan(planOptions(folder.path));
    assert.deepEqual([document, plan.issues, plan.tasks.length > 0], [document, [], true]);
    assert.deepEqual(marksIn("task", yaml), [], yaml);
  }
});

test("every part of a task in the documents loads in a task", async () => {
  const parts = blocksOf("sandbox", "run_limits", "success_criteria", "agent", "dataset").filter(
    ({ document }) => document === "docs/tasks.md",
  );
  assert.ok(parts.length >= 8);
  for (const { yaml, begins } of parts) {
    const criteria = begins === "success_criteria" ? "" : "success_criteria: [{type: file_exists, description: d, path: p}]\n";
    const task = `task_id: t\ndescription: d\nagent: {type: none}\n${criteria}${yaml}`;
    await using folder = await taskFolder({ "task.yaml": task });
    const { issues, tasks } = await makePlan(planOptions(folder.path, { env: { REGISTRY_TOKEN: "x" } }));
    assert.deepEqual([issues, tasks.length], [[], 1], yaml);
    assert.deepEqual(marksIn("task", task), [], yaml);
  }
});

test("every criterion that is run has an example in the documents", () => {
  const examples = blocksOf("success_criteria", "task_id")
    .map(({ yaml }) => yaml)
    .join("\n");
  for (const type of read("docs/tasks.md").matchAll(/^### `(\w+)`$/gm)) assert.match(examples, new RegExp(`type: ${type[1]}\\b`));
});

test("every whole experiment in the documents loads without a word, for evalbatch and for an editor", async () => {
  const experiments = blocksOf("experiment_id");
  assert.ok(experiments.length >= 4);
  for (const { yaml } of experiments) {
    await using folder = await taskFolder({ "e.yaml": yaml });
    const experiment = await loadExperiment("e.yaml", { cwd: folder.path, env: {} }).catch((error: unknown) => {
      throw error instanceof InputError ? new Error(JSON.stringify(error.issues)) : error;
    });
    assert.deepEqual(experiment.warnings, [], yaml);
    assert.deepEqual(marksIn("experiment", yaml), [], yaml);
  }
});

test("blocks of the references of tasks and experiments are of a kind that is tried", () => {
  const known = ["task_id", "experiment_id", "sandbox", "run_limits", "success_criteria", "jobs"];
  const strange = blocks.filter(({ document, begins }) => /tasks|experiments/.test(document) && !known.includes(begins));
  assert.deepEqual(strange, []);
});

test("the tables of the references are what the loader's schemas and rules give (npm run schemas writes them)", () => {
  for (const [document, tables] of Object.entries(documentTables)) {
    assert.equal(read(document), withTables(read(document), tables()), document);
  }
});

test("what is not run yet is what a plan refuses", () => {
  assert.deepEqual(Object.keys(plannedTexts), refusedFields);
});

test("numbers that the text names are those of the program", () => {
  assert.match(read("docs/tasks.md"), new RegExp(`at most ${maxYamlBytes / 1024 / 1024} MiB`));
});
