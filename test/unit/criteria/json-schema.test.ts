import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { dumpJson } from "../../../src/criteria/json/dump.ts";
import { parseJson } from "../../../src/criteria/json/parse.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../src/criteria/json/value.ts";
import { compileSchema, validateSchema } from "../../../src/criteria/json-schema/validate.ts";

function object(value: JsonValue | undefined): JsonObject {
  assert.ok(value !== undefined && isObject(value));
  return value;
}

const fixture = object(parseJson(readFileSync(join(import.meta.dirname, "../../fixtures/criteria/json-schema.json"), "utf8")));

/** Schemas (by their JSON) that end the same way with other words than Python's `jsonschema`. */
const otherWords = new Set([
  '{"items":false}',
  '{"contains":{"const":1},"minContains":2}',
  '{"contains":{"type":"integer"},"maxContains":1}',
  '{"propertyNames":{"maxLength":3}}',
  '{"prefixItems":[{}],"unevaluatedItems":false}',
  '{"pattern":"("}',
  '{"$schema":"http://json-schema.org/draft-04/schema#","minimum":5,"exclusiveMinimum":true}',
  '{"$schema":"http://json-schema.org/draft-04/schema#","exclusiveMinimum":5}',
]);
/** Schemas that we call malformed, so that nothing fits them. */
const refused = new Set(['{"enum":[]}', '{"$dynamicRef":"#foo","$defs":{"a":{"$dynamicAnchor":"foo","type":"string"}}}']);

test("documents fit or do not fit a schema as Python's jsonschema says, in its words", () => {
  const documents = object(fixture.documents);
  assert.ok(Array.isArray(fixture.rows) && fixture.rows.length > 100);
  const unexpected: string[] = [];
  for (const row of fixture.rows.map(object)) {
    const text = dumpJson(row.schema ?? null);
    const schema = compileSchema(row.schema ?? null);
    for (const [name, verdict] of Object.entries(object(row.verdicts))) {
      assert.ok(Array.isArray(verdict));
      const [kind, words] = verdict;
      const ours = schema.kind === "malformed" ? schema : schema.validate(documents[name] ?? null);
      const expectedKind = refused.has(text) || kind === "raises" ? "malformed" : kind;
      const sameWords = ours.kind === "valid" || kind === "raises" || refused.has(text) || otherWords.has(text) || ours.problem === words;
      if (ours.kind !== expectedKind || !sameWords) unexpected.push(`${text} ${name}: ${JSON.stringify(ours)}, not ${kind} ${words}`);
    }
  }
  assert.deepEqual(unexpected, []);
});

test("patterns of a schema mean what Python means", () => {
  assert.equal(validateSchema({ pattern: "(?i)^hello\\Z" }, "HELLO").kind, "valid");
  assert.equal(validateSchema({ patternProperties: { "(?P<n>x)": { type: "string" } } }, { x: 1 }).kind, "invalid");
});

test("formats are not asserted, unknown dialects are read as the newest, draft 3 is refused", () => {
  assert.equal(validateSchema({ format: "email" }, "no address").kind, "valid");
  assert.equal(validateSchema({ $schema: "http://example.invalid/mine", type: "string" }, 1).kind, "invalid");
  assert.deepEqual(validateSchema({ $schema: "http://json-schema.org/draft-03/schema#" }, 1), {
    kind: "malformed",
    problem: "the dialect http://json-schema.org/draft-03/schema is not supported",
  });
});

test("a schema reaches nothing but itself", () => {
  assert.equal(validateSchema({ $ref: "http://127.0.0.1/schema.json" }, 1).kind, "malformed");
  assert.equal(validateSchema({ $ref: "file:///etc/passwd" }, 1).kind, "malformed");
});
