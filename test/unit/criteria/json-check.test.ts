import assert from "node:assert/strict";
import test from "node:test";
import { check } from "./check.ts";

const data = JSON.stringify({ name: "Ada", n: 5, list: [1, 2] });
const json = (fields: Readonly<Record<string, unknown>>, files: Readonly<Record<string, string>> = {}) =>
  check({ type: "json_check", path: "d.json", ...fields }, { files: { "d.json": data, ...files } });

test("schema and assertions weigh the same, a failed schema skips the assertions", async () => {
  const assertions = [
    { expression: "name", expected: "Ada" },
    { expression: "n", operator: "gt", expected: 10 },
  ];
  const good = await json({ json_schema: "s.json", assertions }, { "s.json": '{"type": "object"}' });
  assert.deepEqual(good, {
    score: 0.75,
    details: "Schema: valid; Assertions: 1/2 passed ('n' gt: expected 10, got 5); Score: 0.75",
    error: null,
  });
  const bad = await json({ json_schema: "s.json", assertions }, { "s.json": '{"type": "array"}' });
  assert.equal(bad.score, 0);
  assert.match(bad.details ?? "", /Assertions: skipped \(schema failed\); Score: 0\.00$/);
});

test("a schema outside of the sandbox is not read", async () => {
  const result = await json({ json_schema: "../s.json" });
  assert.deepEqual(result, { score: 0, details: "Schema file: Path '../s.json' leads outside the sandbox; Score: 0.00", error: null });
});

test("a schema that multiplies its own work is cut off", async () => {
  const defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`d${n}`, { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] }]),
  );
  const bomb = JSON.stringify({ $ref: "#/$defs/d0", $defs: { ...defs, d40: {} } });
  const result = await json({ json_schema: "s.json" }, { "s.json": bomb });
  assert.equal(result.score, 0);
  assert.match(result.error ?? "", /^CheckTimeoutError: validation against the schema took longer than 2 s/);
});

test("a pattern of the schema that runs away on the document is cut off", async () => {
  const result = await check(
    { type: "json_check", path: "d.json", json_schema: "s.json" },
    { files: { "d.json": JSON.stringify(`${"a".repeat(60)}!`), "s.json": JSON.stringify({ pattern: "^(a|aa)+$" }) } },
  );
  assert.equal(result.score, 0);
  assert.match(result.error ?? "", /^CheckTimeoutError/);
});

test("an assertion's pattern that runs away fails the criterion with an error", async () => {
  const result = await check(
    { type: "json_check", path: "d.json", assertions: [{ expression: "@", operator: "regex", expected: "^(a|aa)+$" }] },
    { files: { "d.json": JSON.stringify(`${"a".repeat(60)}!`) } },
  );
  assert.equal(result.score, 0);
  assert.match(result.error ?? "", /^RegexTimeoutError/);
});

test("details show the start of a huge value", async () => {
  const result = await check(
    { type: "json_check", path: "d.json", assertions: [{ expression: "@", expected: 1 }] },
    { files: { "d.json": JSON.stringify("x".repeat(100_000)) } },
  );
  assert.ok((result.details?.length ?? 0) < 2_000);
  assert.match(result.details ?? "", /… \(99002 more chars truncated\)/);
});

test("nesting without end scores 0 with an error", async () => {
  const result = await check({ type: "json_check", path: "d.json" }, { files: { "d.json": "[".repeat(200_000) } });
  assert.deepEqual([result.score, result.error], [0, "RecursionError: JSON is nested deeper than 1000 levels"]);
});

test("deep documents can be compared, searched and validated to the limit", async () => {
  const deep = `${"[".repeat(1_000)}${"]".repeat(1_000)}`;
  const result = await check(
    {
      type: "json_check",
      path: "d.json",
      json_schema: "s.json",
      assertions: [
        { expression: "@ == @", expected: true },
        { expression: "to_string(@)", operator: "regex", expected: "\\[" },
        { expression: "@", operator: "not_equals", expected: 1 },
      ],
    },
    { files: { "d.json": deep, "s.json": '{"items": {"$ref": "#"}}' } },
  );
  assert.deepEqual(result, { score: 1, details: "Schema: valid; Assertions: 3/3 passed; Score: 1.00", error: null });
});
