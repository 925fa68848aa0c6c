import assert from "node:assert/strict";
import test from "node:test";
import { parsePythonFloat } from "../../../src/python/float.ts";
import { formatFixed, formatPythonFloat, formatThousands, roundPython } from "../../../src/python/format.ts";
import { decodePythonText, splitLines, stripText, universalNewlines } from "../../../src/python/text.ts";

test("bytes that are not UTF-8 are refused in Python's words", () => {
  const cases: [number[], string][] = [
    [[0x61, 0x62, 0x63, 0xe9, 0x64], "byte 0xe9 in position 3: invalid continuation byte"],
    [[0xff], "byte 0xff in position 0: invalid start byte"],
    [[0x80], "byte 0x80 in position 0: invalid start byte"],
    [[0xc0, 0x80], "byte 0xc0 in position 0: invalid start byte"],
    [[0x61, 0xe2, 0x82], "bytes in position 1-2: unexpected end of data"],
    [[0xc3], "byte 0xc3 in position 0: unexpected end of data"],
    [[0xe2, 0x82, 0x61], "bytes in position 0-1: invalid continuation byte"],
    [[0xed, 0xa0, 0x80], "byte 0xed in position 0: invalid continuation byte"],
    [[0xf0, 0x9f, 0x98, 0x61], "bytes in position 0-2: invalid continuation byte"],
    [[0xf4, 0x90, 0x80, 0x80], "byte 0xf4 in position 0: invalid continuation byte"],
    [[0xf0, 0x80], "byte 0xf0 in position 0: invalid continuation byte"],
    [[0xf5, 0x80], "byte 0xf5 in position 0: invalid start byte"],
  ];
  for (const [bytes, rest] of cases) {
    assert.throws(() => decodePythonText(Uint8Array.from(bytes)), {
      pythonType: "UnicodeDecodeError",
      message: `'utf-8' codec can't decode ${rest}`,
    });
  }
});

test("text is read with every line end as a line feed and with its byte order mark", () => {
  assert.equal(decodePythonText(Buffer.from("\ufeffa\r\nb\rc\n\r\r\n", "utf8")), "\ufeffa\nb\nc\n\n\n");
  assert.equal(universalNewlines("\r\n\r"), "\n\n");
  assert.equal(decodePythonText(Buffer.from("😀\0", "utf8")), "😀\0");
});

test("stripping takes Python's white space and nothing else", () => {
  assert.equal(stripText("\x1c\x1f\x85\u3000\u00a0 \t a \ufeff\u2029\n"), "a \ufeff");
  assert.equal(stripText(" \n"), "");
});

test("lines end where Python's do", () => {
  assert.deepEqual(splitLines("a\r\nb\rc\nd\ve\ff\x1cg\x1dh\x1ei\x85j\u2028k\u2029"), [..."abcdefghijk"]);
  assert.deepEqual(splitLines(""), []);
  assert.deepEqual(splitLines("\n\n"), ["", ""]);
  assert.deepEqual(splitLines("\na"), ["", "a"]);
});

test("float() takes what Python takes", () => {
  const good: [string, number][] = [
    [" 0.75\n", 0.75],
    ["1_000.5_0", 1000.5],
    ["1.", 1],
    [".5", 0.5],
    ["+1e-2", 0.01],
    ["-1E1_0", -1e10],
    ["-inf", Number.NEGATIVE_INFINITY],
    ["INFINITY", Number.POSITIVE_INFINITY],
    ["+nan", Number.NaN],
    ["-NaN", Number.NaN],
    ["٣.١٤", 3.14],
    ["𝟗𝟘", 90],
    ["\u00a01\u3000", 1],
    ["1e999", Number.POSITIVE_INFINITY],
    ["-0", -0],
    ["0.1e1", 1],
    ["00012", 12],
  ];
  for (const [text, value] of good) assert.ok(Object.is(parsePythonFloat(text), value), text);
  const bad = [
    "",
    " ",
    "good",
    "0,5",
    "50%",
    "1__0",
    "_1",
    "1_",
    "1_.0",
    "1._0",
    "1e_5",
    "1_e5",
    "0x10",
    "1 2",
    ".",
    "e5",
    "+",
    "--1",
    "²",
    "infin",
    "nan(1)",
  ];
  for (const text of bad) assert.equal(parsePythonFloat(text), undefined, text);
});

test("fixed digits round the exact binary value, ties to even", () => {
  const cases: [number, number, string][] = [
    [0.125, 2, "0.12"],
    [0.375, 2, "0.38"],
    [2.675, 2, "2.67"],
    [0.5, 0, "0"],
    [1.5, 0, "2"],
    [2.5, 0, "2"],
    [1e21, 2, "1000000000000000000000.00"],
    [1.005, 2, "1.00"],
    [-0.001, 2, "-0.00"],
    [0, 3, "0.000"],
    [5e-324, 3, "0.000"],
    [0.0005, 3, "0.001"],
    [0.0015, 3, "0.002"],
    [0.0025, 3, "0.003"],
    [Number.NaN, 2, "nan"],
    [Number.NEGATIVE_INFINITY, 2, "-inf"],
  ];
  for (const [value, digits, text] of cases) assert.equal(formatFixed(value, digits), text, `${value} ${digits}`);
  assert.equal(formatFixed(1234567.891, 1, { thousands: true }), "1,234,567.9");
  assert.equal(formatThousands(-1234567), "-1,234,567");
  assert.equal(formatThousands(999), "999");
  assert.equal(roundPython(2.675, 2), 2.67);
});

test("floats print as Python's repr", () => {
  const cases: [number, string][] = [
    [1, "1.0"],
    [0.1, "0.1"],
    [1e16, "1e+16"],
    [1e15, "1000000000000000.0"],
    [123456789012345680, "1.2345678901234568e+17"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [1.5e-7, "1.5e-07"],
    [-0, "-0.0"],
    [1e100, "1e+100"],
    [-12.5, "-12.5"],
    [100, "100.0"],
    [Number.POSITIVE_INFINITY, "inf"],
  ];
  for (const [value, text] of cases) assert.equal(formatPythonFloat(value), text);
});
