import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import { z } from "zod";
import { datasetTask, expand, expandJsonl, idsOf, jsonl, problemsOf, promptsOf, rowsOf } from "./expand-task.ts";

// What the Python tool made of placeholders and row ids.
const failed = z.object({ class: z.string() });
const goldenSchema = z.object({
  placeholders: z.object({ cases: z.array(z.object({ text: z.string(), result: z.string().optional(), error: failed.optional() })) }),
  row_ids: z.array(
    z.object({
      case: z.string(),
      rows: z.array(z.record(z.string(), z.unknown())),
      row_ids: z.array(z.string()).optional(),
      error: failed.optional(),
    }),
  ),
  rows30: z.array(z.record(z.string(), z.unknown())),
  expand_dataset: z.array(
    z.object({
      case: z.string(),
      dataset: z.object({ stratify_field: z.string().default("expected_skill") }).loose(),
      cli: z.object({ max_rows: z.number().optional(), sample_per_stratum: z.number().optional() }),
      row_ids: z.array(z.string()),
    }),
  ),
});
const file = resolve(import.meta.dirname, "../../../fixtures/plan/dataset/golden.json");
const golden = goldenSchema.parse(JSON.parse(readFileSync(file, "utf8")));

const row =
  '"s": "x y", "i": 5, "f": 1.0, "f2": 1e21, "f3": 0.1, "t": true, "n": null, "neg": -0.0, "big": 100000000000000000000, "u": "é😀"';

for (const { text, result } of golden.placeholders.cases) {
  test(`the placeholders of ${JSON.stringify(text)} are filled as in Python, from JSONL and from YAML`, async () => {
    const fromJson = await expandJsonl(`{"id": "a", ${row}}\n`, { prompt: text });
    const inline = datasetTask(`{rows: [{id: a, ${row.replace("1e21", "1.0e+21")}}]}`, { prompt: text, description: text });
    const fromYaml = await expand(inline);
    if (result === undefined) {
      assert.match(
        problemsOf(fromJson).join("\n"),
        /^tasks\/t\.yaml:4:17: \$\{row\.nope\} names no field of row 'a' \(tasks\/r\.jsonl:1\)/,
      );
      assert.equal(problemsOf(fromYaml).length, 2);
      return;
    }
    assert.deepEqual([promptsOf(fromJson), promptsOf(fromYaml)], [[result], [result]]);
    assert.deepEqual(
      rowsOf(fromYaml).map(({ definition }) => definition.success_criteria.map(({ description }) => description)),
      [[result]],
    );
    // The same rules for texts that other files bring.
    assert.deepEqual(rowsOf(fromJson)[0]?.fill(text), { kind: "text", text: result });
  });
}

// Python's `$` lets a line break at the end of an id pass; it would end up in a path.
const stricter = "newline at the end";

for (const { case: name, rows, row_ids: ids } of golden.row_ids.filter((fact) => fact.rows.length > 0)) {
  test(`a row id with ${name} is ${ids === undefined || name === stricter ? "refused" : "taken"}`, async () => {
    const field = name === "id_field" ? "name" : "id";
    const expanded = await expand(datasetTask(`{paths: [r.jsonl], id_field: ${field}}`), { files: { "tasks/r.jsonl": jsonl(rows) } });
    if (ids === undefined || name === stricter) assert.equal(problemsOf(expanded).length, 1);
    else assert.deepEqual(idsOf(expanded), ids);
  });
}

// Which rows are drawn is ours to decide; how many, and of which stratum each, is not.
for (const { case: name, dataset, cli, row_ids: theirs } of golden.expand_dataset) {
  test(`as many rows of each stratum are drawn as in Python: ${name}`, async () => {
    const { max_rows: sample, sample_per_stratum: samplePerStratum } = cli;
    const text = datasetTask(JSON.stringify({ paths: ["r.jsonl"], ...dataset }));
    const expanded = await expand(text, { files: { "tasks/r.jsonl": jsonl(golden.rows30) }, sampling: { sample, samplePerStratum } });
    const ids = idsOf(expanded);
    assert.equal(ids.length, theirs.length);
    assert.deepEqual(
      ids,
      golden.rows30.map(({ id }) => String(id)).filter((id) => ids.includes(id)),
    );
    if (sample !== undefined) return;
    const stratum = (row: Readonly<Record<string, unknown>>) => {
      const value = row[dataset.stratify_field] ?? (dataset.stratify_field in row ? "None" : "");
      return String(value);
    };
    const strataOf = (chosen: readonly unknown[]) =>
      golden.rows30
        .filter(({ id }) => chosen.includes(id))
        .map(stratum)
        .toSorted();
    assert.deepEqual(strataOf(ids), strataOf(theirs));
  });
}
