import assert from "node:assert/strict";
import test from "node:test";
import { recordSelection, selectionLines, selectionSchema } from "../../../src/results/selection.ts";

const dataset = { suiteId: "s", rowsTotal: 30, rowsSelected: 5, mode: "sample", seed: "7", limit: 5 };

test("a run without datasets and cap records no selection", () => {
  assert.equal(recordSelection({ datasets: [], cap: undefined }), null);
  assert.deepEqual(selectionLines(null), []);
});

test("what was drawn is recorded with its seed, and told where it is less than all", () => {
  const all = { ...dataset, suiteId: "whole", rowsSelected: 30, mode: "all", seed: null, limit: null };
  const selection = recordSelection({ datasets: [dataset, all], cap: { maxTasks: 10, planned: 35, kept: 10, seed: "12" } });
  assert.deepEqual(selectionSchema.parse(JSON.parse(JSON.stringify(selection))), selection);
  assert.deepEqual(selectionLines(selection), ["a sample of 10 of 35 tasks (at most 10, seed 12)", "s: a sample of 5 of 30 rows (seed 7)"]);
});

test("a hundred sampled datasets are told in a few lines", () => {
  const datasets = Array.from({ length: 100 }, (_dataset, index) => ({ ...dataset, suiteId: `s${index}` }));
  const lines = selectionLines(recordSelection({ datasets, cap: undefined }));
  assert.deepEqual([lines.length, lines.at(-1)], [11, "90 more datasets of which a sample ran"]);
});

test("a seed that is a secret is recorded as one", () => {
  const drawn = { suiteId: "s", rowsTotal: 2, rowsSelected: 1, mode: "sample", seed: "hidden words", limit: 1 };
  const none = { ...drawn, seed: null };
  const cap = { maxTasks: 1, planned: 2, kept: 1, seed: "hidden words" };
  const selection = recordSelection({ datasets: [drawn, none], cap }, (text) => text.replace("hidden", "***"));
  assert.deepEqual([...(selection?.datasets.map(({ seed }) => seed) ?? []), selection?.cap?.seed], ["*** words", null, "*** words"]);
});
