import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";
import { z } from "zod";
import { expandDataset } from "../../../../src/plan/dataset/expand-dataset.ts";
import { loadTask } from "../../../../src/plan/load.ts";
import { expandFile, idsOf, problemsOf, rowsOf } from "./expand-task.ts";

// Task files with datasets and the rows that the Python tool made of them (only the agent of `skills` is another one).
const root = resolve(import.meta.dirname, "../../../..");
const fixtures = join(root, "test/fixtures/plan/dataset");
const factsSchema = z.record(
  z.string(),
  z.array(
    z.object({
      task_id: z.string(),
      suite_id: z.string(),
      row_id: z.string(),
      dataset: z.null(),
      initial_prompt: z.string().nullable(),
      success_criteria: z.array(z.record(z.string(), z.unknown())),
    }),
  ),
);
const facts = factsSchema.parse(JSON.parse(readFileSync(join(fixtures, "upstream-rows.json"), "utf8")));

for (const [suite, expected] of Object.entries(facts)) {
  test(`the rows of ${suite} are those of the Python tool: ids, order, prompts, criteria`, async () => {
    const rows = rowsOf(await expandFile(join(fixtures, "upstream", `${suite}.yaml`)));
    const mine = rows.map(({ definition }, row) => ({
      task_id: definition.task_id,
      suite_id: definition.suite_id,
      row_id: definition.row_id,
      dataset: definition.dataset,
      initial_prompt: definition.initial_prompt,
      // Of each criterion the fields that this version of the tool knows.
      success_criteria: definition.success_criteria.map((criterion, index) => {
        const known = Object.keys(expected[row]?.success_criteria[index] ?? {});
        return Object.fromEntries(Object.entries(criterion).filter(([name]) => known.includes(name)));
      }),
    }));
    assert.deepEqual(mine, expected);
  });
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

const shared = process.env.EVALBATCH_SHARED ?? join(root, "../shared");
const corpusFacts = join(shared, "corpus-expected/tasks.json");
const skip = existsSync(corpusFacts) ? false : `no corpus at ${shared} (EVALBATCH_SHARED)`;
const datasetFacts = z.union([
  z.object({ rows: z.number(), row_ids: z.array(z.string()) }),
  z.object({ error: z.object({ class: z.string() }) }),
]);
const corpusSchema = z.object({
  tasks: z.array(z.object({ file: z.string(), dataset: datasetFacts.nullish() })),
});

test("every real dataset has the rows that the Python tool reads", { skip }, async () => {
  const { tasks } = corpusSchema.parse(JSON.parse(readFileSync(corpusFacts, "utf8")));
  let compared = 0;
  for (const { file, dataset } of tasks) {
    if (dataset === undefined || dataset === null) continue;
    const loaded = await loadTask({ path: join(shared, file), name: file, explicit: true }, {});
    assert.ok(loaded.kind === "loaded", file);
    const expanded = await expandDataset(loaded, { runSeed: "x" }, {});
    compared += 1;
    if ("error" in dataset) {
      // Their JSONL files are not part of the corpus.
      assert.equal(dataset.error.class, "FileNotFoundError");
      assert.deepEqual(expanded.kind === "problem" && new Set(expanded.issues.map(({ code }) => code)), new Set(["missing-file"]), file);
      continue;
    }
    assert.deepEqual(expanded.kind === "rows" ? expanded.warnings : [], [], file);
    const ids = idsOf(expanded);
    assert.deepEqual(ids, dataset.row_ids, file);
  }
  assert.ok(compared >= 5, String(compared));
});
