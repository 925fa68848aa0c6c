import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { splitRunJson } from "../../../src/results/run-json-rows.ts";
import { fixtureRuns } from "./fixtures.ts";

test("rows read one at a time are the rows of the file, whatever they hold and however it is indented", () => {
  const file = fc.record({
    run_id: fc.string(),
    task_results: fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
    not_run: fc.array(fc.jsonValue()),
  });
  fc.assert(
    fc.property(file, fc.constantFrom(0, 1, 2, 4), (value, indent) => {
      const plain = JSON.parse(JSON.stringify(value));
      const { rest, rows } = splitRunJson(JSON.stringify(value, null, indent));
      assert.deepEqual([...rows], plain.task_results);
      assert.deepEqual(rest instanceof Object ? { ...rest, task_results: [] } : rest, { ...plain, task_results: [] });
    }),
  );
});

test("files of coder_eval are split the same", () => {
  for (const run of ["mixed", "mixed-0.12.16", "damaged"]) {
    const text = readFileSync(join(fixtureRuns, run, "run.json"), "utf8");
    assert.deepEqual([...splitRunJson(text).rows], JSON.parse(text).task_results);
  }
});

test("a file that was cut within its rows is refused", () => {
  const text = readFileSync(join(fixtureRuns, "mixed/run.json"), "utf8");
  for (const share of [0.1, 0.5, 0.9]) assert.throws(() => [...splitRunJson(text.slice(0, text.length * share)).rows], SyntaxError);
});
