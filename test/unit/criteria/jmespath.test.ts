import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { JmespathError } from "../../../src/criteria/jmespath/error.ts";
import { searchJmespath } from "../../../src/criteria/jmespath/evaluate.ts";
import { parseJmespath } from "../../../src/criteria/jmespath/parser.ts";
import { parseJson } from "../../../src/criteria/json/parse.ts";
import { repr } from "../../../src/criteria/json/repr.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../src/criteria/json/value.ts";
import { PythonError } from "../../../src/python/python-error.ts";

function object(value: JsonValue | undefined): JsonObject {
  assert.ok(value !== undefined && isObject(value));
  return value;
}

const fixture = object(parseJson(readFileSync(join(import.meta.dirname, "../../fixtures/criteria/jmespath.json"), "utf8")));

/** Where we differ from Python's library on purpose. */
const differences: Readonly<Record<string, string>> = {
  'to_string(`["é",1.0]`)': "a whole float is the integer that it equals",
  "to_string(`1e5`)": "a whole float is the integer that it equals",
  "merge(o,`[]`)": "merge takes objects; Python's dict.update takes an empty list by accident",
};

test("every expression finds what Python's jmespath finds, or fails with its words", () => {
  assert.ok(Array.isArray(fixture.rows) && fixture.rows.length > 350);
  const different: string[] = [];
  for (const row of fixture.rows.map(object)) {
    assert.ok(typeof row.expression === "string");
    let ours: string;
    try {
      ours = repr(searchJmespath(row.expression, fixture.document ?? null));
    } catch (error) {
      assert.ok(error instanceof JmespathError || error instanceof PythonError, row.expression);
      ours = error.message;
    }
    const python = typeof row.error === "string" ? row.error : repr(row.value ?? null);
    if (ours !== python) different.push(row.expression);
  }
  assert.deepEqual(different.sort(), Object.keys(differences).sort());
});

test("extensions of newer dialects are refused as Python refuses them", () => {
  for (const expression of ["$.a", "a + b", "let $x = a in $x", "items(@)", "a - `1`"]) {
    assert.throws(() => searchJmespath(expression, { a: 1 }), JmespathError, expression);
  }
  assert.equal(searchJmespath("s[0:2]", { s: "abc" }), null);
});

test("any text is parsed or refused with a JMESPath error", () => {
  const piece = fc.constantFrom(
    "a",
    ".",
    "[",
    "]",
    "?",
    "*",
    "(",
    ")",
    "{",
    "}",
    ":",
    ",",
    "|",
    "&",
    "!",
    "=",
    "<",
    "'",
    '"',
    "`",
    "1",
    "-",
    "@",
    " ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      try {
        parseJmespath(pieces.join(""));
      } catch (error) {
        assert.ok(error instanceof JmespathError, String(error));
      }
    }),
    { numRuns: 500 },
  );
});

test("sorting is stable and keeps every item", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ k: fc.integer({ min: 0, max: 3 }), n: fc.nat() }, { noNullPrototype: true })), (items) => {
      const sorted = searchJmespath(
        "sort_by(@, &k)",
        items.map((item) => ({ ...item })),
      );
      const expected = items.toSorted((a, b) => a.k - b.k);
      assert.deepEqual(sorted, expected);
    }),
  );
});
