import assert from "node:assert/strict";
import test from "node:test";
import { pythonRepr, pythonText } from "../../../src/report/python-repr.ts";

test("values are written as Python writes them", () => {
  const value = { a: null, "b'c": [true, false, 1, 2.5], d: {}, e: [] };
  assert.equal(pythonRepr(value), `{'a': None, "b'c": [True, False, 1, 2.5], 'd': {}, 'e': []}`);
});

test("quotes and controls in texts follow Python's rules", () => {
  assert.equal(pythonRepr("it's"), `"it's"`);
  assert.equal(pythonRepr(`it's "it"`), `'it\\'s "it"'`);
  assert.equal(pythonRepr("a\nb\tc\\d\u0007"), String.raw`'a\nb\tc\\d\x07'`);
});

test("a bare text stays bare", () => {
  assert.equal(pythonText("unknown"), "unknown");
  assert.equal(pythonText({ a: "b" }), "{'a': 'b'}");
});
