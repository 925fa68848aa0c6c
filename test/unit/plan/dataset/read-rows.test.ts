import assert from "node:assert/strict";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { taskFolder } from "../task-folder.ts";
import { datasetTask, expand, expandJsonl, idsOf, jsonl, problemsOf, promptsOf, rowsOf } from "./expand-task.ts";

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([...part]))));
const hint = "[JSONL has one whole JSON object in each line]";

test("rows of several files come one after the other, files relative to the task file", async () => {
  const expanded = await expand(datasetTask("{paths: [a.jsonl, ../more/b.jsonl]}"), {
    files: { "tasks/a.jsonl": '{"id":"a1"}\n{"id":"a2"}', "more/b.jsonl": '{"id":"b1"}\n' },
  });
  assert.deepEqual(idsOf(expanded), ["a1", "a2", "b1"]);
});

test("variables and ~ in a dataset path are replaced, and one that is not set is an error", async () => {
  const files = { "rows/a.jsonl": '{"id":1}', "rows/b.jsonl": '{"id":2}' };
  const yaml = datasetTask('{paths: ["$ROWS/a.jsonl", "../${NAME}/b.jsonl"]}');
  assert.deepEqual(idsOf(await expand(yaml, { files, env: { ROWS: "../rows", NAME: "rows" } })), ["1", "2"]);
  assert.deepEqual(problemsOf(await expand(yaml, { files, env: { NAME: "rows" } })), [
    "tasks/t.yaml:5:19: the variable 'ROWS' in '$ROWS/a.jsonl' is not set [set ROWS in the environment]",
  ]);
});

test("~ in a dataset path is the home directory", async () => {
  await using home = await taskFolder({ "a.jsonl": '{"id":"at-home"}' });
  assert.deepEqual(idsOf(await expand(datasetTask("{paths: [~/a.jsonl]}"), { env: { HOME: home.path } })), ["at-home"]);
});

test("lines end with CRLF, a lone CR or LF, blank ones and a byte order mark do not count", async () => {
  const text = '\uFEFF{"id":"a"}\r\n\r\n  \t\u00a0\n{"id":"b"}\r{"id":"c"}\n\n   {"id":"d"}  \n\n';
  assert.deepEqual(idsOf(await expandJsonl(text)), ["a", "b", "c", "d"]);
});

test("a broken line is told with its place, and all of them at once", async () => {
  const text = '{"id":"a"}\n\n{"id":"b",}\n  {"é😀" 1}\r\n[1]\n"x"\n{"id":"c"} {}\nnull\n{"id":"d"}\n';
  assert.deepEqual(problemsOf(await expandJsonl(text)), [
    `tasks/r.jsonl:3:10: the line is no JSON: illegal trailing comma before end of object ${hint}`,
    `tasks/r.jsonl:4:10: the line is no JSON: expecting ':' delimiter ${hint}`,
    `tasks/r.jsonl:5:1: a row is a JSON object, found a list of 1 ${hint}`,
    `tasks/r.jsonl:6:1: a row is a JSON object, found text 'x' ${hint}`,
    `tasks/r.jsonl:7:12: the line is no JSON: extra data ${hint}`,
    `tasks/r.jsonl:8:1: a row is a JSON object, found null ${hint}`,
  ]);
});

test("a pretty-printed JSON file is no JSONL", async () => {
  const [first] = problemsOf(await expandJsonl(JSON.stringify([{ id: "a" }], null, 2)));
  assert.equal(first, `tasks/r.jsonl:1:2: the line is no JSON: expecting value ${hint}`);
});

test("what Python reads as JSON is a row: NaN, infinities, equal keys, integers of any size", async () => {
  const text = '{"id":1,"id":2,"v":NaN}\n{"id":3,"v":-Infinity}\n{"id":100000000000000000001,"v":123456789012345678901234567890}\n';
  const expanded = await expandJsonl(text, { prompt: "${row.v}" });
  assert.deepEqual(idsOf(expanded), ["2", "3", "100000000000000000001"]);
  assert.deepEqual(promptsOf(expanded), ["nan", "-inf", "123456789012345678901234567890"]);
});

test("keys that mean something to JavaScript are fields like others", async () => {
  const text = '{"id":"a","__proto__":"p","constructor":"c","toString":1.0}\n';
  const expanded = await expandJsonl(text, { prompt: "${row.__proto__} ${row.constructor} ${row.toString}" });
  assert.deepEqual(promptsOf(expanded), ["p c 1.0"]);
  const missing = await expandJsonl('{"id":"a"}\n', { prompt: "${row.__proto__}${row.constructor}" });
  assert.equal(problemsOf(missing).length, 2);
});

test("a file that is not UTF-8 is refused at its first bad line", async () => {
  const text = bytes('{"id":"a"}\n{"id":"', [0xff], '"}\n{"id":"b"}\n', [0xfe], "\n");
  assert.deepEqual(problemsOf(await expandJsonl(text)), ["tasks/r.jsonl:2:1: the line is not UTF-8 [save the file as UTF-8]"]);
  const utf16 = bytes([0xff, 0xfe], '{"id":"a"}\n');
  assert.deepEqual(problemsOf(await expandJsonl(utf16)), ["tasks/r.jsonl:1:1: the line is not UTF-8 [save the file as UTF-8]"]);
});

test("characters and lines may lie across the chunks in which a file is read", async () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({ id: `r${index}`, v: "é😀".repeat(9_000 + index) }));
  const expanded = await expandJsonl(jsonl(rows), { prompt: "${row.v}" });
  assert.deepEqual(
    promptsOf(expanded),
    rows.map(({ v }) => v),
  );
});

test("a dataset file that is missing, a folder or unreadable is told where the task names it", async () => {
  const named = (name: string, before?: (folder: string) => Promise<void>) =>
    expand(datasetTask(`{paths: [${name}]}`), { files: { "tasks/r.jsonl": '{"id":1}' }, ...(before === undefined ? {} : { before }) });
  assert.deepEqual(problemsOf(await named("gone.jsonl")), [
    "tasks/t.yaml:5:19: the dataset file 'gone.jsonl' does not exist [a relative path starts at the folder of the file that names it]",
  ]);
  const folder = await named("sub", async (path) => {
    await mkdir(join(path, "tasks/sub"));
  });
  assert.deepEqual(problemsOf(folder), ["tasks/t.yaml:5:19: 'sub' is no file"]);
  assert.equal(problemsOf(await named('"a\\0b"')).length, 1);
});

test("a dataset file that may not be read is told", { skip: process.getuid?.() === 0 ? "root reads everything" : false }, async () => {
  const expanded = await expand(datasetTask("{paths: [r.jsonl]}"), {
    files: { "tasks/r.jsonl": '{"id":1}' },
    before: (path) => chmod(join(path, "tasks/r.jsonl"), 0),
  });
  assert.match(problemsOf(expanded)[0] ?? "", /^tasks\/t\.yaml:5:19: the dataset file 'r\.jsonl' cannot be read: permission denied/);
});

test("problems of several files come together", async () => {
  const expanded = await expand(datasetTask("{paths: [gone.jsonl, b.jsonl]}"), { files: { "tasks/b.jsonl": '{"id":"a/b"}\n{\n' } });
  assert.deepEqual(
    problemsOf(expanded).map((text) => text.split(": ", 1)[0]),
    ["tasks/t.yaml:5:19", "tasks/b.jsonl:2:2", "tasks/b.jsonl:1:1"],
  );
});

test("an empty dataset is an error", async () => {
  for (const text of ["", "\n\n  \n", "\uFEFF"]) {
    assert.deepEqual(problemsOf(await expandJsonl(text)), ["tasks/t.yaml:5:18: the dataset is empty: no file of it has a row"]);
  }
});

test("files, lines and datasets beyond their limits are refused", async () => {
  const text = jsonl([{ id: "a" }, { id: "b" }, { id: "c", v: "x".repeat(100) }]);
  const refused = async (limits: object) => problemsOf(await expandJsonl(text, { limits }));
  assert.deepEqual(await refused({ rows: 2 }), ["tasks/t.yaml:5:19: the dataset file 'r.jsonl' brings the dataset to more than 2 rows"]);
  assert.deepEqual(await refused({ fileBytes: 50 }), [
    `tasks/t.yaml:5:19: the dataset file 'r.jsonl' has ${text.length} bytes, more than 50`,
  ]);
  assert.deepEqual(await refused({ lineBytes: 50 }), [`tasks/r.jsonl:3:1: the line has more than 50 bytes ${hint}`]);
  assert.equal(rowsOf(await expandJsonl(text, { limits: { rows: 3, fileBytes: text.length, lineBytes: 120 } })).length, 3);
});

test("of many broken lines the first are shown and the others counted", async () => {
  const problems = problemsOf(await expandJsonl("{\n".repeat(500)));
  assert.equal(problems.length, 21);
  assert.equal(problems[20], "tasks/t.yaml: and 480 more problems in the rows of this dataset");
});

test("a file that is all broken is not read to its end", async () => {
  const expanded = await expandJsonl("{\n".repeat(500), { limits: { problems: 100 } });
  assert.equal(problemsOf(expanded).at(-1), "tasks/t.yaml: and at least 80 more problems in the rows of this dataset");
  const endless = await expandJsonl("\n".repeat(500), { limits: { lines: 100 } });
  assert.equal(problemsOf(endless).length, 1);
});

test("JSON that is nested without end is refused", async () => {
  const deep = `{"id":"a","v":${"[".repeat(5_000)}${"]".repeat(5_000)}}\n`;
  assert.deepEqual(problemsOf(await expandJsonl(deep)), [
    `tasks/r.jsonl:1:1: the line is no JSON: JSON is nested deeper than 1000 levels ${hint}`,
  ]);
});

test("inline rows are read as YAML: dates, booleans, merged and aliased fields", async () => {
  const dataset = `
  rows:
    - &a {id: a, v: 2026-07-07, w: yes}
    - {<<: *a, id: b, w: 0x1F}
    - {id: 2026-07-07, v: 2026-07-07 10:11:12, w: "yes"}
`;
  const expanded = await expand(datasetTask(dataset, { prompt: "${row.v} ${row.w}" }));
  assert.deepEqual(idsOf(expanded), ["a", "b", "2026-07-07"]);
  assert.deepEqual(promptsOf(expanded), ["2026-07-07 True", "2026-07-07 31", "2026-07-07 10:11:12 yes"]);
});
