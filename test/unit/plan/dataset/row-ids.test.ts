import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { nameRows } from "../../../../src/plan/dataset/row-ids.ts";
import { RowIssues } from "../../../../src/plan/dataset/row-issues.ts";
import { datasetTask, expand, expandJsonl, idsOf, jsonl, problemsOf } from "./expand-task.ts";

test("the row id is the text of the id_field, which is 'id' where the task does not say", async () => {
  const rows = [
    { id: "a", n: 1 },
    { id: "b", n: 2.5 },
    { id: "c", n: true },
  ];
  const files = { "tasks/r.jsonl": jsonl(rows) };
  assert.deepEqual(idsOf(await expand(datasetTask("{paths: [r.jsonl]}"), { files })), ["a", "b", "c"]);
  assert.deepEqual(idsOf(await expand(datasetTask("{paths: [r.jsonl], id_field: n}"), { files })), ["1", "2.5", "True"]);
});

test("whole floats keep their point in an id, in YAML and in JSONL", async () => {
  assert.deepEqual(idsOf(await expandJsonl('{"id":1.0}\n{"id":1}\n')), ["1.0", "1"]);
  assert.deepEqual(idsOf(await expand(datasetTask("{rows: [{id: 1.0}, {id: 1}, {id: &x 2.0}, {id: 2}]}"))), ["1.0", "1", "2.0", "2"]);
  assert.deepEqual(idsOf(await expand(datasetTask("{rows: [{id: &x 2.0, v: 1}, {<<: {id: 3.0}}]}"))), ["2.0", "3.0"]);
  assert.deepEqual(problemsOf(await expand(datasetTask("{rows: [{id: &x 2.0}, {id: *x}]}"))).length, 1);
});

test("ids are unique as texts: 1 and '1' are one, and both places are named", async () => {
  const hint = "[ids are compared as text: the number 1 and the text '1' are one id]";
  assert.deepEqual(problemsOf(await expandJsonl('{"id":1}\n\n{"id":"x"}\n{"id":"1"}\n')), [
    `tasks/r.jsonl:4:1: the row id '1' at tasks/r.jsonl:4 is taken already at tasks/r.jsonl:1 ${hint}`,
  ]);
  assert.deepEqual(problemsOf(await expand(datasetTask("{rows: [{id: True}, {id: 'True'}]}"))), [
    `tasks/t.yaml:5:30: the row id 'True' at tasks/t.yaml:5:30 is taken already at tasks/t.yaml:5:18 ${hint}`,
  ]);
});

test("ids are unique over all files of a dataset", async () => {
  const files = { "tasks/a.jsonl": '{"id":"x"}\n', "b.jsonl": '{"id":"y"}\n{"id":"x"}\n' };
  assert.deepEqual(problemsOf(await expand(datasetTask("{paths: [a.jsonl, ../b.jsonl]}"), { files })), [
    "b.jsonl:2:1: the row id 'x' at b.jsonl:2 is taken already at tasks/a.jsonl:1",
  ]);
});

test("a row without the id_field is told what it has, and what may be meant", async () => {
  assert.deepEqual(problemsOf(await expandJsonl('{"ID":"a","text":"t"}\n{}\n')), [
    "tasks/r.jsonl:1:1: the row has no field 'id', which is to be its id [did you mean 'ID'? the row has 'ID', 'text']",
    "tasks/r.jsonl:2:1: the row has no field 'id', which is to be its id [the row is empty]",
  ]);
});

test("a list, a mapping or binary data is no id", async () => {
  assert.deepEqual(problemsOf(await expandJsonl('{"id":["a"]}\n{"id":{}}\n')), [
    "tasks/r.jsonl:1:1: the row's id, 'id', is a list of 1, expected text or a number",
    "tasks/r.jsonl:2:1: the row's id, 'id', is a mapping, expected text or a number",
  ]);
  assert.deepEqual(problemsOf(await expand(datasetTask("{rows: [{id: !!binary aGk=}]}"))), [
    "tasks/t.yaml:5:18: the row's id, 'id', is binary data, expected text or a number",
  ]);
});

test("an id that is accepted is a plain name: no slash, no blank, no line break, no leading dot", () => {
  const anyId = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("a", "1", "_", "-", ".", "/", "\n", " ", "\\", "é", "\0") }));
  fc.assert(
    fc.property(fc.array(anyId, { maxLength: 8 }), (ids) => {
      const rows = ids.map((id) => ({ fields: { id }, isFloat: () => false, place: () => ({ file: "r.jsonl", line: 1 }) }));
      const taken = nameRows(rows, "id", new RowIssues()).map(({ id }) => id);
      const plain = ids.filter((id) => [...id].every((c) => /[\w.-]/.test(c)) && id !== "" && !"-.".includes(id.charAt(0)));
      assert.deepEqual(taken, [...new Set(plain)]);
    }),
  );
});
