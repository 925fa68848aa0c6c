import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { notKept, readOverrideValue } from "../../../../src/plan/overrides/override-value.ts";
import { splitEntry } from "../../../../src/plan/overrides/parse-overrides.ts";
import { YamlTimestamp } from "../../../../src/plan/yaml/yaml-scalars.ts";

// What 0.8.2 makes of `-D agent.model=<value>` before the schema check, and where it splits.
const tagged = z.object({ type: z.string(), value: z.unknown() });
type Tagged = z.infer<typeof tagged>;
const tableSchema = z.object({
  values: z.array(z.object({ value: z.string(), result: tagged.optional(), error: z.string().optional() })),
  splits: z.array(z.object({ raw: z.string(), path: z.string().optional(), result: tagged.optional(), error: z.string().optional() })),
});
const file = new URL("../../../fixtures/plan/overrides/values.json", import.meta.url);
const table = tableSchema.parse(JSON.parse(readFileSync(file, "utf8")));

/** The table's notation as a value of ours. */
function plain({ type, value }: Tagged): unknown {
  if (type === "list") return z.array(tagged).parse(value).map(plain);
  if (type === "map") {
    const pairs = z.array(z.tuple([tagged, tagged])).parse(value);
    return Object.fromEntries(pairs.map(([key, inner]) => [String(plain(key)), plain(inner)]));
  }
  if (type === "float" && value === "inf") return Number.POSITIVE_INFINITY;
  if (type === "float" && value === "nan") return Number.NaN;
  if (type === "date") return new YamlTimestamp("date", z.string().parse(value));
  return value;
}

for (const { value, result } of table.values) {
  test(`reads the value ${JSON.stringify(value)} as 0.8.2 does`, () => {
    const read = readOverrideValue(value);
    if (result === undefined) assert.equal(read.kind, "problem");
    else assert.deepEqual(read, { kind: "value", value: plain(result) });
  });
}

for (const { raw, path, result, error } of table.splits) {
  test(`splits ${JSON.stringify(raw)} where 0.8.2 does`, () => {
    const entry = splitEntry(raw);
    if (path !== undefined) assert.equal(entry.path, path);
    const read = readOverrideValue(entry.text ?? "");
    const isRefused = entry.text === undefined || entry.path === "" || read.kind === "problem";
    assert.equal(isRefused, error !== undefined);
    if (result !== undefined) assert.deepEqual(read, { kind: "value", value: plain(result) });
  });
}

test("y, n, yes, no, on and off stay text in any case, with the blanks that were given, but are booleans inside of a list", () => {
  const word = fc.constantFrom("y", "n", "yes", "no", "on", "off");
  const cased = fc
    .tuple(word, fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }))
    .map(([text, upper]) => [...text].map((letter, index) => (upper[index] === true ? letter.toUpperCase() : letter)).join(""));
  fc.assert(
    fc.property(cased, fc.constantFrom("", " ", "\t"), (text, blank) => {
      assert.deepEqual(readOverrideValue(blank + text + blank), { kind: "value", value: blank + text + blank });
    }),
  );
  assert.deepEqual(readOverrideValue("[yes, off]"), { kind: "value", value: [true, false] });
});

test("any text is a value or a problem, and never throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      assert.match(readOverrideValue(text).kind, /^(?:value|problem)$/);
    }),
  );
});

test("a key that comes twice is refused: nobody would see the warning that a file gets", () => {
  assert.deepEqual(readOverrideValue("{a: 1, a: 2}"), { kind: "problem", message: "the value has a key twice" });
});

test("what JSON cannot hold is told, however deep it stands", () => {
  assert.equal(notKept({ a: [1, { b: 12345678901234567890n }] }), "the number 12345678901234567890 is too large");
  assert.equal(notKept([Number.NaN]), "the number NaN cannot be kept");
  assert.match(notKept(new Map([[1, 2]])) ?? "", /a key that is not text/);
  assert.match(notKept(new Set()) ?? "", /a set/);
  assert.match(notKept(new Uint8Array()) ?? "", /binary/);
  assert.match(notKept(Object.fromEntries([["__proto__", 1]])) ?? "", /__proto__/);
  assert.equal(notKept({ a: ["x", 1, null, true, new YamlTimestamp("date", "2026-07-07")] }), undefined);
});
