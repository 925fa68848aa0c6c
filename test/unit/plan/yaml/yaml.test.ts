import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import fc from "fast-check";
import { isScalar } from "yaml";
import { z } from "zod";
import { maxYamlBytes, type ParsedYaml, parseYaml } from "../../../../src/plan/yaml/yaml.ts";
import { kindOfScalar } from "../../../../src/plan/yaml/yaml-kinds.ts";
import { YamlTimestamp } from "../../../../src/plan/yaml/yaml-scalars.ts";

const taggedSchema = z.object({ type: z.string(), value: z.unknown() });
const rowsSchema = z.object({
  rows: z.array(z.object({ group: z.string(), text: z.string(), result: taggedSchema.optional(), error: z.looseObject({}).optional() })),
});
const { rows } = rowsSchema.parse(JSON.parse(readFileSync(new URL("../../../fixtures/plan/yaml.json", import.meta.url), "utf8")));

const bytes = (text: string) => Buffer.from(text);

function parsed(text: string): ParsedYaml {
  const result = parseYaml(bytes(text), "task.yaml");
  assert.equal(result.kind, "parsed", JSON.stringify(result.kind === "invalid" ? result.issues : []));
  return result;
}

function firstError(text: string | Uint8Array) {
  const result = parseYaml(typeof text === "string" ? bytes(text) : text, "task.yaml");
  assert.equal(result.kind, "invalid");
  const issue = result.issues[0];
  assert.ok(issue);
  return issue;
}

/** Our value in the notation of the table. Whole floats and integers are one in JavaScript: the table's type decides. */
function tagged(value: unknown, expected: z.infer<typeof taggedSchema>): unknown {
  const inner = z.array(taggedSchema);
  if (value === null) return { type: "null", value };
  if (typeof value === "boolean") return { type: "bool", value };
  if (typeof value === "string") return { type: "str", value };
  if (typeof value === "bigint") return { type: "int", value: String(value) };
  if (typeof value === "number") {
    const text = Number.isNaN(value) ? "nan" : value === Number.POSITIVE_INFINITY ? "inf" : "-inf";
    return { type: expected.type === "int" && Number.isInteger(value) ? "int" : "float", value: Number.isFinite(value) ? value : text };
  }
  if (value instanceof YamlTimestamp) return { ...expected, type: value.kind, value: value.text };
  if (value instanceof Uint8Array) return { type: "bytes", value: Buffer.from(value).toString("base64") };
  const list = (items: readonly unknown[]) => {
    const wanted = inner.safeParse(expected.value).data ?? [];
    return items.map((item, index) => tagged(item, wanted[index] ?? { type: "", value: null }));
  };
  if (value instanceof Set) return { type: "set", value: list([...value]) };
  if (Array.isArray(value)) return { type: expected.type === "tuple" ? "tuple" : "list", value: list(value) };
  const pairs = z.array(z.tuple([taggedSchema, taggedSchema])).safeParse(expected.value).data ?? [];
  const entries: readonly (readonly [unknown, unknown])[] =
    value instanceof Map ? [...value] : Object.entries(z.looseObject({}).parse(value));
  const none = { type: "", value: null };
  return {
    type: "map",
    value: entries.map(([key, item], index) => [tagged(key, pairs[index]?.[0] ?? none), tagged(item, pairs[index]?.[1] ?? none)]),
  };
}

test("means what PyYAML means, in every row of the table", () => {
  assert.ok(rows.length >= 466);
  for (const row of rows) {
    const result = parseYaml(bytes(row.text), "task.yaml");
    if (row.result === undefined) assert.equal(result.kind, "invalid", JSON.stringify(row.text));
    else {
      assert.equal(result.kind, "parsed", JSON.stringify(row.text));
      assert.deepEqual(tagged(result.value, row.result), row.result, JSON.stringify(row.text));
    }
  }
});

test("tells integers from floats as PyYAML does, also where the numbers are equal", () => {
  for (const row of rows.filter(({ result }) => result?.type === "int" || result?.type === "float")) {
    const { root } = parsed(row.text);
    assert.ok(isScalar(root));
    assert.equal(kindOfScalar(root), row.result?.type, row.text);
  }
});

test("a duplicate key warns with its line, and the last one wins", () => {
  const result = parsed("a: 1\nb: 2\na: 3\n");
  assert.deepEqual(result.value, { a: 3, b: 2 });
  assert.deepEqual(
    result.warnings.map(({ severity, code, line, column }) => ({ severity, code, line, column })),
    [{ severity: "warning", code: "duplicate-key", line: 3, column: 1 }],
  );
});

test("a merged key that is set again is no duplicate", () => {
  assert.deepEqual(parsed("a: &a {x: 1}\nb:\n  <<: *a\n  x: 2\n").warnings, []);
});

test("aliases cannot blow up a small file", () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 12; level += 1)
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(", ")}]`);
  const issue = firstError(lines.join("\n"));
  assert.equal(issue.code, "yaml-alias");
  assert.match(issue.message, /100,000/);
});

test("merge keys cannot blow up a small file either", () => {
  const lines = ["a0: &a0 {k: [1, 2, 3, 4, 5, 6, 7, 8]}"];
  for (let level = 1; level < 30; level += 1) lines.push(`a${level}: &a${level} {l: *a${level - 1}, r: *a${level - 1}}`);
  lines.push("z: {<<: *a29}");
  assert.equal(firstError(lines.join("\n")).code, "yaml-alias");
});

test("an alias inside its own anchor is an error, not an endless loop", () => {
  assert.match(firstError("a: &x\n  b: *x\n").message, /inside its own anchor/);
});

test("a byte order mark and CRLF are fine, and columns stay right", () => {
  assert.deepEqual(parsed("\uFEFFa: |\r\n  one\r\n  two\r\nb: 2\r\n").value, { a: "one\ntwo\n", b: 2 });
  const issue = firstError("\uFEFFa: 1\r\nb: @x\r\n");
  assert.deepEqual([issue.line, issue.column], [2, 4]);
});

test("a second document is an error at its place", () => {
  const issue = firstError("a: 1\n---\nb: 2\n");
  assert.equal(issue.code, "yaml-documents");
  assert.equal(issue.line, 2);
});

test("a tab is refused outside quotes, block text and comments, as PyYAML does", () => {
  const issue = firstError("a:\n\tb: 1\n");
  assert.deepEqual([issue.code, issue.line, issue.column], ["yaml-tab", 2, 1]);
  assert.deepEqual(parsed('a: "x\ty" # a\tcomment\nb: |\n  x\ty\n').value, { a: "x\ty", b: "x\ty\n" });
});

test("a file that is not UTF-8 is an error that names the byte", () => {
  for (const [content, position] of [
    [[0x61, 0x3a, 0x20, 0xff], 3],
    [[0x61, 0x3a, 0x20, 0xe9, 0x0a], 3],
    [[0xc3, 0xa9, 0x3a, 0x20, 0xe2, 0x82], 4],
    [[...Buffer.alloc(5000, "é"), 0x80, ...Buffer.alloc(3000, "a")], 5000],
  ] as const) {
    const issue = firstError(Uint8Array.from(content));
    assert.equal(issue.code, "not-utf8");
    assert.match(issue.message, new RegExp(`byte ${position} `));
  }
});

test("a huge file is refused before it is parsed", () => {
  assert.equal(firstError(Buffer.alloc(maxYamlBytes + 1, "a")).code, "file-too-large");
});

test("a file of brackets is refused, not a crash", () => {
  assert.match(firstError("[".repeat(200_000)).code, /^yaml/);
});

test("empty lines before a document cost nothing: each used to double the time", () => {
  assert.deepEqual(parsed(`${"\n".repeat(5000)}a: &x 1\n`).value, { a: 1 });
  assert.deepEqual(parsed(`${"  \n# c\n".repeat(5000)}a: &x 1\n`).value, { a: 1 });
});

test("lists and mappings nest 200 levels deep and no deeper", () => {
  parsed(`${"[".repeat(200)}${"]".repeat(200)}`);
  const issue = firstError(`${"[".repeat(201)}${"]".repeat(201)}`);
  assert.deepEqual([issue.code, issue.column, issue.message], ["yaml-depth", 201, "the file is nested more than 200 levels deep"]);
});

test("an integer of more than 4300 digits is refused, as Python refuses it", () => {
  assert.equal(parsed("9".repeat(4300)).value, BigInt("9".repeat(4300)));
  const issue = firstError(`a: ${"9".repeat(4301)}`);
  assert.equal(issue.code, "yaml-value");
  assert.ok(issue.message.length < 120, issue.message);
});

test("a file of more than 300,000 values and signs is refused before anything is built of them", () => {
  assert.equal(firstError("- 1\n".repeat(100_000)).code, "yaml-too-many");
  assert.equal(firstError(`a: [\n${"'a',".repeat(200_000)}\n]\n`).code, "yaml-too-many");
});

test("directives before an end of document, and a version after comments, are found line by line", () => {
  assert.equal(firstError("# c\n\n...\n").message, "the document ends before it begins");
  assert.deepEqual([firstError("# c\n%YAML 2.0\n---\na: 1\n").code, firstError("# c\n%YAML 2.0\n---\na: 1\n").line], ["yaml-version", 2]);
  assert.deepEqual(parsed("a: |\n  x\n  %YAML 2.0\n").value, { a: "x\n%YAML 2.0\n" });
});

test("what is quoted from a file in a message is cut", () => {
  const long = "x".repeat(5000);
  for (const text of [
    `a: *${long}`,
    `a: !${long} 1`,
    `a: !${long} [1]`,
    `&${long} a: 1\n&${long} b: 1`,
    `a: !!int ${long}`,
    `? ${long}\n: 1\n? ${long}\n: 2\n&x !bad y: 1`,
  ])
    assert.ok(firstError(text).message.length < 150, firstError(text).message.slice(0, 200));
});

test("the key '__proto__' is refused", () => {
  assert.equal(firstError("a: {__proto__: {x: 1}}").code, "yaml-key");
});

test("quoted text and brackets may run on at any indentation, and later places stay right", () => {
  const result = parsed('a: "one\ntwo\n  three"\nb: [\nx, {y: z,\nw: 1}\n]\nc: 1\nc: 2\n');
  assert.deepEqual(result.value, { a: "one two three", b: ["x", { y: "z", w: 1 }], c: 2 });
  assert.deepEqual([result.warnings[0]?.line, result.warnings[0]?.column], [9, 1]);
});

test("a quote that is never closed is shown where it opens", () => {
  const issue = firstError('task_id: a\ndescription: "never\nsuccess_criteria: []\n');
  assert.deepEqual([issue.line, issue.column], [2, 14]);
});

test("block text that ends with the file has no line break it does not have", () => {
  assert.deepEqual(parsed("a: |\n  one").value, { a: "one" });
  assert.deepEqual(parsed("a: |\n  one\n").value, { a: "one\n" });
});

test("reads any JSON text as JSON does", () => {
  // Exponents are the one number notation on which YAML 1.1 and JSON disagree; other white space is no JSON of ours.
  const leaf = fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.boolean(), fc.constant(null));
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.array(tie("any"), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie("any"), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).any;
  fc.assert(
    fc.property(value, (json) => {
      const text = JSON.stringify(json).replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
      if (text.includes("__proto__") || text.length > 900) return;
      assert.deepEqual(parsed(text).value, JSON.parse(text));
    }),
  );
});

test("never throws, whatever the text", () => {
  const piece = fc.constantFrom(
    "a",
    ":",
    " ",
    "\n",
    "- ",
    "[",
    "]",
    "{",
    "}",
    "'",
    '"',
    "|",
    ">",
    "&x",
    "*x",
    "#",
    "!",
    "%",
    "?",
    "\t",
    "\r",
    "<<",
    "é",
    "\\",
    ",",
    "---",
    "...",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
        fc.string({ unit: "binary" }),
      ),
      (text) => {
        const result = parseYaml(bytes(text), "task.yaml");
        assert.ok(result.kind === "parsed" || result.issues.length > 0);
      },
    ),
    { numRuns: 1000 },
  );
});
