import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { loadTask } from "../../../../src/plan/load.ts";
import { taskFolder } from "../task-folder.ts";
import { datasetTask, expand, idsOf, rowsOf, shown } from "./expand-task.ts";

/** What loading says about a dataset block. */
async function refused(dataset: string): Promise<string[]> {
  await using folder = await taskFolder({ "t.yaml": datasetTask(dataset) });
  const loaded = await loadTask({ path: join(folder.path, "t.yaml"), name: "t.yaml", explicit: true }, {});
  return loaded.kind === "problem" ? loaded.issues.map(shown) : [];
}

test("a dataset has exactly one of paths and rows", async () => {
  const message = "t.yaml:5:10: give exactly one of paths, rows";
  assert.deepEqual(await refused("{}"), [message]);
  assert.deepEqual(await refused("{paths: null, rows: null}"), [message]);
  assert.deepEqual(await refused("{paths: [a.jsonl], rows: [{id: a}]}"), [message]);
});

test("paths and rows are not empty", async () => {
  assert.deepEqual(await refused("{rows: []}"), ["t.yaml:5:17: found 0 entries, expected at least 1"]);
  assert.deepEqual(await refused("{paths: []}"), ["t.yaml:5:18: found 0 entries, expected at least 1"]);
});

test("paths is a list of texts, rows a list of mappings with keys of text", async () => {
  assert.equal((await refused("{paths: a.jsonl}")).length, 1);
  assert.equal((await refused("{rows: [a]}")).length, 1);
  assert.equal((await refused("{rows: {id: a}}")).length, 1);
  assert.equal((await refused("{rows: [{id: a, 1: b}]}")).length, 1);
  assert.equal((await refused("{rows: [{id: a, __proto__: b}]}")).length, 1);
});

test("sample_per_stratum is at least 1, and seeds are whole numbers, as texts too", async () => {
  assert.equal((await refused("{rows: [{id: a}], sample_per_stratum: 0}")).length, 1);
  assert.equal((await refused("{rows: [{id: a}], sample_seed: 1.5}")).length, 1);
  assert.deepEqual(await refused("{rows: [{id: a}], sample_per_stratum: '2', sample_seed: -3}"), []);
});

test("an unknown field of a dataset is an error with what may be meant", async () => {
  const [message] = await refused("{rows: [{id: a}], idfield: name}");
  assert.match(message ?? "", /^t\.yaml:5:28: unknown field 'idfield' \[did you mean 'id_field'\?/);
});

test("a row's task is the task with the row's id behind its own, of the suite, and without a dataset", async () => {
  const yaml = datasetTask("{rows: [{id: a}, {id: b}]}").replace(
    "description: d\n",
    "description: d\nsuite_id: other\nrow_id: other\ntags: [x]\n",
  );
  const [first, second] = rowsOf(await expand(yaml)).map(({ definition }) => definition);
  assert.ok(first !== undefined && second !== undefined);
  const { task_id, suite_id, row_id, dataset, tags, description } = first;
  assert.deepEqual([task_id, suite_id, row_id, dataset, tags, description], ["t/a", "t", "a", null, ["x"], "d"]);
  assert.equal(second.task_id, "t/b");
});

test("rows stay in the order in which they stand", async () => {
  const order = ["z", "a", "_", "10", "9", "B"];
  assert.deepEqual(idsOf(await expand(datasetTask(`{rows: [${order.map((id) => `{id: "${id}"}`).join(", ")}]}`))), order);
});
