import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { contains, isEqual, order } from "../../../src/criteria/json/compare.ts";
import { dumpJson } from "../../../src/criteria/json/dump.ts";
import { parseJson } from "../../../src/criteria/json/parse.ts";
import { repr } from "../../../src/criteria/json/repr.ts";
import { compareText, type JsonValue, toJsonValue } from "../../../src/criteria/json/value.ts";
import { PythonError } from "../../../src/python/python-error.ts";

interface TextRow {
  readonly text: string;
  readonly repr?: string;
  readonly error?: readonly [string, string];
}

const { rows }: { rows: TextRow[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../fixtures/criteria/json-texts.json"), "utf8"),
);

/** Python keeps 1e5 a float and prints 100000.0. */
const wholeFloats: Readonly<Record<string, string>> = { "100000.0": "100000" };

test("broken JSON is refused with the words and the place of Python 3.13, good JSON is read", () => {
  assert.ok(rows.length > 50);
  for (const row of rows) {
    if (row.error !== undefined) {
      const [type, message] = row.error;
      assert.throws(() => parseJson(row.text), { name: type, message }, JSON.stringify(row.text));
    } else {
      assert.equal(repr(parseJson(row.text)), wholeFloats[row.repr ?? ""] ?? row.repr, JSON.stringify(row.text));
    }
  }
});

test("what JSON.parse reads is read the same, with any spacing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      const text = JSON.stringify(value, null, space);
      assert.deepEqual(JSON.parse(dumpJson(parseJson(text))), JSON.parse(text));
    }),
  );
});

test("any text is read or refused with a Python error, never something else", () => {
  const piece = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\", "u00", "1", "-", ".", "e", "true", "NaN", " ", "\n", "é", "😀");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        parseJson(pieces.join(""));
      } catch (error) {
        assert.ok(error instanceof PythonError);
      }
    }),
  );
});

test("integers keep all their digits, and the key __proto__ is a key", () => {
  assert.equal(parseJson("12345678901234567890"), 12345678901234567890n);
  assert.equal(parseJson("9007199254740991"), 9007199254740991);
  const value = parseJson('{"__proto__": {"polluted": true}}');
  assert.equal(dumpJson(value), '{"__proto__":{"polluted":true}}');
  assert.equal(Object.hasOwn({}, "polluted"), false);
});

test("nesting without end is refused, not a crash", () => {
  assert.throws(() => parseJson("[".repeat(100_000)), { name: "RecursionError" });
  assert.throws(() => parseJson(`${'{"a":'.repeat(100_000)}`), { name: "RecursionError" });
  assert.throws(() => parseJson("9".repeat(10_000)), { name: "ValueError", message: /4300 digits/ });
});

test("values are equal as in Python: across int, float and bool, deeply, keys in any order", () => {
  const equal: readonly (readonly [JsonValue, JsonValue])[] = [
    [1, true],
    [0, false],
    [
      [1, { a: 2 }],
      [true, { a: 2 }],
    ],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [12345678901234567890n, 12345678901234567890n],
  ];
  const different: readonly (readonly [JsonValue, JsonValue])[] = [
    [1, "1"],
    [null, 0],
    [null, false],
    [[], {}],
    [[1], [1, 2]],
    [{ a: null }, { b: null }],
    [Number.NaN, Number.NaN],
    [12345678901234567890n, 12345678901234567891n],
  ];
  for (const [a, b] of equal) assert.ok(isEqual(a, b), repr([a, b]));
  for (const [a, b] of different) assert.ok(!isEqual(a, b), repr([a, b]));
});

test("order is Python's: numbers with booleans, texts by code point, lists item by item, nothing else", () => {
  assert.ok(order("<", [1, 2], [1, 3]));
  assert.ok(order("<", [1], [1, 0]));
  assert.ok(!order("<", [1], [1]));
  assert.ok(order(">=", true, 1));
  assert.ok(order("<", "\uffff", "😀"));
  assert.ok(order(">", 12345678901234567891n, 12345678901234567890n));
  assert.ok(!order(">", Number.NaN, 1));
  for (const [a, b, message] of [
    ["a", 1, "'<' not supported between instances of 'str' and 'int'"],
    [null, 1, "'<' not supported between instances of 'NoneType' and 'int'"],
    [{}, {}, "'<' not supported between instances of 'dict' and 'dict'"],
    [[1], ["a"], "'<' not supported between instances of 'int' and 'str'"],
    [1.5, "a", "'<' not supported between instances of 'float' and 'str'"],
  ] as const) {
    assert.throws(() => order("<", toJsonValue(a), toJsonValue(b)), { name: "TypeError", message });
  }
});

test("`in` is Python's: parts of a text, items of a list, keys of a dict", () => {
  assert.ok(contains("abc", "b"));
  assert.ok(contains([1, true], true));
  assert.ok(contains({ k: 1 }, "k"));
  assert.ok(!contains({ k: 1 }, 1));
  assert.ok(!contains({}, "toString"));
  assert.throws(() => contains({}, []), { message: "unhashable type: 'list'" });
  assert.throws(() => contains(1, 1), { message: "argument of type 'int' is not iterable" });
});

test("texts are ordered by code point, not by UTF-16 unit", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      const byCodePoint = (text: string) => [...text].map((char) => String(char.codePointAt(0)).padStart(8, "0")).join("");
      const [left, right] = [byCodePoint(a), byCodePoint(b)];
      assert.equal(Math.sign(compareText(a, b)), left < right ? -1 : left > right ? 1 : 0);
    }),
  );
});
