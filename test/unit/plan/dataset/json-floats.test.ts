import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { floatFields } from "../../../../src/plan/dataset/json-floats.ts";

const names = (text: string): string[] => [...(floatFields(text) ?? [])];

test("numbers with a point or an exponent are floats, others are not", () => {
  assert.deepEqual(names('{"a":1.0, "b" : 1, "c":-2.50,"d":1e3,"e":1E-2,"f":0,"g":-0.0,"h":true,"i":null}'), ["a", "c", "d", "e", "g"]);
});

test("what looks like a number inside texts, lists and mappings does not count", () => {
  assert.deepEqual(names(String.raw`{"a":"1.0","b":[1.0,{"c":2.0}],"d":{"d":3.0},"e":"\"f\":1.0","g":4.0}`), ["g"]);
});

test("of equal keys the last one counts, escapes in keys included", () => {
  assert.deepEqual(names('{"a":1.0,"a":1}'), []);
  assert.deepEqual(names('{"a":1.0,"a":"x"}'), []);
  assert.deepEqual(names(String.raw`{"a":1,"\u0061":1.0}`), ["a"]);
});

test("a row without any float costs nothing", () => {
  assert.equal(floatFields('{"a":1,"b":"v2"}'), undefined);
});

test("finds the float fields of every object", () => {
  const integer = fc.integer().map(String);
  const float = fc.integer({ min: -999, max: 999 }).map((value) => `${value}.0`);
  const other = fc.oneof(
    fc.json(),
    fc.string().map((text) => JSON.stringify(text)),
    fc.constantFrom("true", "null", "NaN", "-Infinity"),
  );
  const number = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;
  const member = fc.tuple(fc.string({ maxLength: 3 }), fc.oneof(integer, float, other));
  fc.assert(
    fc.property(fc.array(member, { maxLength: 8 }), fc.constantFrom("", " ", "\t"), (members, space) => {
      const text = `{${members.map(([key, value]) => `${space}${JSON.stringify(key)}${space}:${space}${value}${space}`).join(",")}}`;
      const last = new Map(members);
      const expected = [...last].filter(([, value]) => number.test(value) && /[.eE]/.test(value)).map(([key]) => key);
      assert.deepEqual(new Set(names(text)), new Set(expected));
    }),
  );
});
