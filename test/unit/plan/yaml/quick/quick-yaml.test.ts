import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { isMapping } from "../../../../../src/plan/schema/field-types.ts";
import { offsetIn } from "../../../../../src/plan/yaml/quick/places.ts";
import { quickPlaces, quickYaml } from "../../../../../src/plan/yaml/quick/quick-yaml.ts";
import { SourceText } from "../../../../../src/plan/yaml/source-text.ts";
import { parseWhole, parseYaml } from "../../../../../src/plan/yaml/yaml.ts";
import { offsetAt } from "../../../../../src/plan/yaml/yaml-locate.ts";
import { textFaults } from "../../../../../src/plan/yaml/yaml-strict.ts";
import { oddYaml } from "./odd-yaml.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const corpus = join(process.env.EVALBATCH_SHARED ?? join(root, "../shared"), "corpus");
const skip = existsSync(corpus) ? false : `no corpus at ${corpus} (EVALBATCH_SHARED)`;

/** Whether the quick reader took the text; then it and the whole parser must agree in everything. */
function agrees(file: string): boolean {
  const text = file.replace(/\r\n?/g, "\n");
  if (textFaults(text).length > 0) return false;
  const quick = quickYaml(text);
  if (quick === undefined) return false;
  const whole = parseWhole(new SourceText("task.yaml", text));
  assert.equal(whole.kind, "parsed", JSON.stringify({ text, whole: whole.kind === "invalid" ? whole.issues : [], quick: quick.value }));
  assert.deepEqual(quick.value, whole.value, JSON.stringify(text));
  assert.deepEqual(whole.warnings, [], JSON.stringify(text));
  const places = quickPlaces(text);
  for (const path of pathsIn(quick.value, [])) {
    for (const side of ["key", "value"] as const)
      assert.equal(offsetIn(places, path, side), offsetAt(whole.root, path, side), JSON.stringify({ text, path, side }));
  }
  return true;
}

function pathsIn(value: unknown, path: readonly PropertyKey[]): (readonly PropertyKey[])[] {
  const below = Array.isArray(value) ? [...value.entries()] : isMapping(value) ? Object.entries(value) : [];
  return [path, [...path, "not there"], ...below.flatMap(([step, inner]) => pathsIn(inner, [...path, step]))];
}

function readLike(folder: string): { readonly read: number; readonly declined: readonly string[] } {
  const declined: string[] = [];
  let read = 0;
  for (const name of globSync("**/*.{yaml,yml}", { cwd: folder }).toSorted()) {
    const text = readFileSync(join(folder, name), "utf8");
    if (agrees(text)) read += 1;
    else declined.push(name);
  }
  return { read, declined };
}

test("gives what the whole parser gives, in every row of the table of PyYAML's values", () => {
  const rowsSchema = z.object({ rows: z.array(z.object({ text: z.string() })) });
  const table = readFileSync(join(root, "test/fixtures/plan/yaml.json"), "utf8");
  let read = 0;
  for (const { text } of rowsSchema.parse(JSON.parse(table)).rows) {
    for (const around of [text, `a: ${text}\n`, `- ${text}\n- b`, `a:\n  ${text}\nb: 1\n`, `a: [${text}]\n`, `a: {k: ${text}}\n`])
      if (agrees(around)) read += 1;
  }
  assert.ok(read > 500, String(read));
});

test("reads every task file of this repository's fixtures as the whole parser does, or leaves it to that", () => {
  const { read, declined } = readLike(join(root, "test/fixtures"));
  assert.ok(read > 10 && declined.length < read / 4, JSON.stringify({ read, declined }));
});

test("reads nearly every real task file as the whole parser does", { skip }, () => {
  const { read, declined } = readLike(corpus);
  assert.ok(read > 100 && declined.length <= 3, JSON.stringify({ read, declined }));
});

test("agrees with the whole parser on every odd text that it reads", () => {
  let read = 0;
  fc.assert(
    fc.property(oddYaml, (text) => {
      if (agrees(text)) read += 1;
    }),
    { numRuns: 6000, seed: 20_261_130, endOnFailure: true },
  );
  assert.ok(read > 600, `only ${read} texts were read at all: the test compares too little`);
});

test("leaves everything to the whole parser that the two could see differently", () => {
  for (const text of [
    "",
    "# nothing\n",
    "plain\n",
    "[a, b]\n",
    "a: &x 1\n",
    "a: *x\n",
    "a: !!str 1\n",
    "a: 1\na: 2\n",
    "a: {k: 1, k: 2}\n",
    "<<: {a: 1}\n",
    "? a\n: b\n",
    "1: a\n",
    "yes: a\n",
    "__proto__: a\n",
    "a:\t1\n",
    'a: "x\ty"\n',
    "a: 1\n---\nb: 2\n",
    "---\na: 1\n",
    "a: 1\n...\n",
    "%YAML 1.1\n---\na: 1\n",
    "a: \ufeffb\n",
    'a: "x\ny"\n',
    "a: [\nb]\n",
    "a: b: c\n",
    "a: 'b' c\n",
    "a: |2\n  b\n",
    "a: |\n  b",
    "a: 2026-02-30\n",
    'a: "\\ud83d"\n',
    `${"k".repeat(600)}: 1\n`,
    "a: b\n  c: d\n",
    "a:\n    b: 1\n  c: 2\n",
    "- a\nb: 1\n",
  ])
    assert.equal(quickYaml(text), undefined, JSON.stringify(text));
});

test("a value that was read quickly has its places all the same", () => {
  const parsed = parseYaml(Buffer.from("a:\n  - b: 1\n    c: two\n"), "task.yaml");
  assert.ok(parsed.kind === "parsed");
  assert.notEqual(quickYaml(parsed.source.text), undefined);
  assert.deepEqual(parsed.positionOf(["a", 0, "c"], "value"), { line: 3, column: 8 });
  assert.deepEqual(parsed.positionOf(["a", 0, "c"], "key"), { line: 3, column: 5 });
  assert.deepEqual(parsed.positionOf(["a", 1, "c"], "key"), { line: 1, column: 1 });
});
