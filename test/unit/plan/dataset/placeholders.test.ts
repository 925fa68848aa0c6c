import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { datasetLimits } from "../../../../src/plan/dataset/dataset-limits.ts";
import { fillText, valueTemplate } from "../../../../src/plan/dataset/placeholders.ts";
import type { Row } from "../../../../src/plan/dataset/row.ts";
import { TextBudget } from "../../../../src/plan/dataset/text-budget.ts";
import { datasetTask, expand, expandJsonl, jsonl, problemsOf, promptsOf, rowsOf } from "./expand-task.ts";

const task = (criteria: string, more = ""): string =>
  `task_id: t\ndescription: "d $\{row.x}"\nagent: {type: none}\n${more}dataset: {rows: [{id: a, x: X}, {id: b, x: "\${row.id}"}]}\nsuccess_criteria:\n${criteria}`;

test("every text of success_criteria is filled however deep it lies, keys are not", async () => {
  const criteria =
    "  - {type: json_check, description: '${row.x}', path: '${row.id}.json', assertions: [{expression: '${row.x}', operator: equals, expected: {'${row.x}': ['${row.x}', 1]}}]}\n";
  const [first] = rowsOf(await expand(task(criteria)));
  const [criterion] = first?.definition.success_criteria ?? [];
  assert.ok(criterion?.type === "json_check");
  assert.deepEqual([criterion.description, criterion.path], ["X", "a.json"]);
  assert.deepEqual(criterion.assertions, [{ expression: "X", operator: "equals", expected: { "${row.x}": ["X", 1] } }]);
});

test("what a row brings is not filled once more", async () => {
  const rows = rowsOf(await expand(task("  - {type: file_exists, description: '${row.x}', path: a}\n")));
  assert.deepEqual(
    rows.map(({ definition }) => definition.success_criteria[0]?.description),
    ["X", "${row.id}"],
  );
  const dollar = await expandJsonl(jsonl([{ id: "a", x: "$& $1 $$ $`" }]), { prompt: "<${row.x}>" });
  assert.deepEqual(promptsOf(dollar), ["<$& $1 $$ $`>"]);
});

test("nothing but the prompt and success_criteria is filled, and a warning says so", async () => {
  const expanded = await expand(
    task("  - {type: file_exists, description: d, path: '${ row.x }'}\n", "pre_run: [{command: 'echo ${row.x}'}]\n"),
  );
  const [first] = rowsOf(expanded);
  assert.equal(first?.definition.description, "d ${row.x}");
  assert.equal(first?.definition.pre_run[0]?.command, "echo ${row.x}");
  assert.deepEqual(expanded.kind === "rows" ? expanded.warnings.map(({ field, message }) => `${field}: ${message}`) : [], [
    "description: '${row.x}' stays as it is",
    "success_criteria[0].path: '${ row.x }' stays as it is",
    "pre_run[0].command: '${row.x}' stays as it is",
  ]);
});

test("a filled task is not validated again: a value may leave a field empty", async () => {
  const rows = rowsOf(
    await expand(
      'task_id: t\ndescription: d\nagent: {type: none}\ndataset: {rows: [{id: a, c: null}]}\nsuccess_criteria: [{type: run_command, description: "${row.c}", command: "${row.c}"}]\n',
    ),
  );
  const [criterion] = rows[0]?.definition.success_criteria ?? [];
  assert.ok(criterion?.type === "run_command");
  assert.deepEqual([criterion.command, criterion.description], ["", ""]);
});

test("a prompt from a file is filled too, and blamed where the file is named", async () => {
  const yaml = (prompt: string): string =>
    datasetTask("{rows: [{id: a, x: 1}]}").replace(/initial_prompt: .*/, `initial_prompt_file: ${prompt}`);
  const files = { "tasks/p.md": "Do ${row.x}\n", "tasks/q.md": "Do ${row.y}\n" };
  assert.deepEqual(promptsOf(await expand(yaml("p.md"), { files })), ["Do 1"]);
  assert.deepEqual(problemsOf(await expand(yaml("q.md"), { files })), [
    "tasks/t.yaml:4:22: ${row.y} names no field of row 'a' (tasks/t.yaml:5:18) [the row has 'id', 'x']",
  ]);
});

test("a field that rows lack is one problem per place, with the first row and what may be meant", async () => {
  const rows = [{ id: "r1", prompt: "p" }, { id: "r2", promt: "q" }, { id: "r3" }];
  assert.deepEqual(problemsOf(await expandJsonl(jsonl(rows), { prompt: "${row.prompt} ${row.id}" })), [
    "tasks/t.yaml:4:17: ${row.prompt} names no field of row 'r2' (tasks/r.jsonl:2) (and so with 2 of 3 rows) [did you mean 'promt'? the row has 'id', 'promt']",
  ]);
});

test("a nested value is a problem, with the row", async () => {
  const rows = [
    { id: "r1", v: { a: 1 } },
    { id: "r2", v: [] },
  ];
  assert.deepEqual(problemsOf(await expandJsonl(jsonl(rows), { prompt: "${row.v}" })), [
    "tasks/t.yaml:4:17: ${row.v} takes text or a number, and in row 'r1' (tasks/r.jsonl:1) it is a mapping (and so with 2 of 2 rows)",
  ]);
});

test("other texts are filled by the same rules; a fault of many rows is told in the words of the first", async () => {
  const rows = rowsOf(
    await expandJsonl(
      jsonl([
        { id: "r1", v: 1 },
        { id: "r2", v: null },
        { id: "r3", w: 1 },
      ]),
    ),
  );
  assert.deepEqual(
    rows.map(({ fill }) => fill("v=${row.v}")),
    [
      { kind: "text", text: "v=1" },
      { kind: "text", text: "v=" },
      { kind: "problem", message: "${row.v} names no field of row 'r3' (tasks/r.jsonl:3); the row has 'id', 'w'" },
    ],
  );
  const messages = rows.map(({ fill }) => fill("${row.nope}"));
  assert.equal(new Set(messages.map((told) => JSON.stringify(told))).size, 1);
});

test("everything without a placeholder is shared by all rows", async () => {
  const yaml = `task_id: t
description: d
agent: {type: none}
dataset: {rows: [{id: a}, {id: b}]}
success_criteria:
  - {type: file_exists, description: e, path: a}
  - {type: json_check, description: '\${row.id}', path: a.json, assertions: [{expression: a, operator: equals, expected: 1}]}
`;
  const [a, b] = rowsOf(await expand(yaml)).map(({ definition }) => definition);
  assert.ok(a !== undefined && b !== undefined);
  assert.equal(a.sandbox, b.sandbox);
  assert.equal(a.success_criteria[0], b.success_criteria[0]);
  const [first, second] = [a.success_criteria[1], b.success_criteria[1]];
  assert.ok(first?.type === "json_check" && second?.type === "json_check");
  assert.equal(first.assertions, second.assertions);
  const [c, d] = rowsOf(await expand(datasetTask("{rows: [{id: a}, {id: b}]}"))).map(({ definition }) => definition);
  assert.equal(c?.success_criteria, d?.success_criteria);
});

const rowOf = (fields: object): Row => ({ fields, isFloat: () => false, place: () => ({}) });
const ignore = (): void => {};
const budget = new TextBudget({ ...datasetLimits, allCharacters: Number.POSITIVE_INFINITY });

test("text without placeholders is never changed", () => {
  const pieces = fc.constantFrom("${row.", "}", "$", "{", "row", ".x", "${row.1}", "${ row.x }", "é", "\n");
  fc.assert(
    fc.property(fc.string({ unit: pieces }), (text) => {
      if (/\$\{row\.[A-Za-z_][A-Za-z0-9_]*\}/.test(text)) return;
      assert.equal(fillText(text, rowOf({ x: 1 }), budget, ignore), text);
    }),
  );
});

test("filling a value changes its texts only, and the value itself never", () => {
  const leaf = fc.oneof(fc.constant("${row.x}"), fc.string(), fc.integer(), fc.constant(null));
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.array(tie("node"), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie("node"), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).node;
  fc.assert(
    fc.property(value, (before) => {
      const text = JSON.stringify(before);
      const template = valueTemplate(before, []);
      const after = template === undefined ? before : template(rowOf({ x: "X" }), { budget, report: ignore });
      assert.equal(JSON.stringify(before), text);
      const expected = JSON.parse(text, (_key, inner) => (typeof inner === "string" ? inner.replaceAll("${row.x}", "X") : inner));
      assert.deepEqual(JSON.parse(JSON.stringify(after)), expected);
      assert.equal(template === undefined, JSON.stringify(expected) === text);
    }),
  );
});

test("texts that multiply are refused before they fill the memory", async () => {
  const text = jsonl([
    { id: "a", x: "1234567890" },
    { id: "b", x: "1234567890" },
  ]);
  const options = (limits: object) => ({ prompt: "${row.x}${row.x}${row.x}", limits });
  assert.deepEqual(problemsOf(await expandJsonl(text, options({ textCharacters: 50 }))), [
    "tasks/t.yaml:5:10: a filled text has more than 50 characters, at row 'a'",
  ]);
  assert.deepEqual(problemsOf(await expandJsonl(text, options({ allCharacters: 60 }))), [
    "tasks/t.yaml:5:10: the filled texts of all rows have more than 60 characters, at row 'b'",
  ]);
  const [first] = rowsOf(await expandJsonl(text, { limits: { textCharacters: 25 } }));
  assert.deepEqual(first?.fill("${row.x}${row.x}"), { kind: "problem", message: "a filled text has more than 25 characters, at row 'a'" });
  const real = await expandJsonl(jsonl([{ id: "a", x: "x".repeat(1_000_000) }]), { prompt: "${row.x}".repeat(1_000) });
  assert.match(problemsOf(real)[0] ?? "", /a filled text has more than 33554432 characters, at row 'a'$/);
});
