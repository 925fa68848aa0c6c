import assert from "node:assert/strict";
import test from "node:test";
import { PythonFloat, pythonJsonDumps, pythonRepr, pythonStr } from "../../../src/python/repr.ts";

test("a text prints with the quotes and escapes that Python chooses", () => {
  const cases: [string, string][] = [
    ["abc", "'abc'"],
    ["it's", `"it's"`],
    [`it's "so"`, `'it\\'s "so"'`],
    ["a\\b\n\r\t", "'a\\\\b\\n\\r\\t'"],
    ["\0\x1b\x7f\xa0", "'\\x00\\x1b\\x7f\\xa0'"],
    ["é\u0301ß中😀", "'é\u0301ß中😀'"],
    ["\u200b\u2028\ufeff", "'\\u200b\\u2028\\ufeff'"],
    ["\ud800x", "'\\ud800x'"],
    ["\u{e0001}", "'\\U000e0001'"],
    ["\u3000", "'\\u3000'"],
  ];
  for (const [text, printed] of cases) assert.equal(pythonRepr(text), printed);
});

test("values print as Python's", () => {
  assert.equal(pythonRepr({ a: [1, 2.5, true, null, "x"], "b'": {} }), `{'a': [1, 2.5, True, None, 'x'], "b'": {}}`);
  assert.equal(pythonRepr(10n ** 30n), "1000000000000000000000000000000");
  assert.equal(pythonRepr(new PythonFloat(1)), "1.0");
  assert.equal(pythonRepr(Number.NaN), "nan");
  assert.equal(pythonStr("it's"), "it's");
  assert.equal(pythonStr(false), "False");
});

test("JSON is written as json.dumps writes it", () => {
  assert.equal(
    pythonJsonDumps({ a: [1, 1.5, 1e-7, true, null], é: '😀\x7f\u2028"\\\n\x01/' }),
    '{"a": [1, 1.5, 1e-07, true, null], "\\u00e9": "\\ud83d\\ude00\\u007f\\u2028\\"\\\\\\n\\u0001/"}',
  );
  assert.equal(pythonJsonDumps([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]), "[NaN, Infinity, -Infinity]");
  assert.equal(pythonJsonDumps([]), "[]");
  assert.equal(pythonJsonDumps("\ud800"), '"\\ud800"');
});
