import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { parseShare } from "../../../src/plan/run-settings.ts";

function shareOf(text: string): number | undefined {
  const parsed = parseShare(text);
  return parsed.kind === "share" ? parsed.value : undefined;
}

test("a share is a fraction or a percentage", () => {
  for (const [text, value] of [
    ["0.9", 0.9],
    [".9", 0.9],
    ["1", 1],
    ["1.0", 1],
    ["0", 0],
    ["90%", 0.9],
    ["90 %", 0.9],
    ["99.5%", 0.995],
    ["33.3%", 0.333],
    ["1%", 0.01],
    ["100%", 1],
    ["007%", 0.07],
  ] as const) {
    assert.equal(shareOf(text), value, text);
  }
});

test("what may be a percentage without its sign is asked about", () => {
  assert.deepEqual(parseShare("90"), {
    kind: "problem",
    problem: 'expected a share from 0 to 1 such as 0.9, or 90%, got "90"; did you mean 90%?',
  });
  assert.deepEqual(parseShare("101"), { kind: "problem", problem: 'expected a share from 0 to 1 such as 0.9, or 90%, got "101"' });
});

test("anything else is a mistake", () => {
  for (const text of [
    "",
    " ",
    "NaN",
    "1e-1",
    "-0.5",
    "+1",
    "0x1",
    "1.",
    ".",
    "%",
    "0,9",
    "1.5",
    "101%",
    "90%%",
    "90\n%",
    "Infinity",
    "٩٠%",
    "0.9 1",
  ]) {
    assert.equal(parseShare(text).kind, "problem", JSON.stringify(text));
  }
});

test("a hundredth and its percentage are the same number, and a long text is shown cut", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000 }), (thousandths) => {
      const digits = String(thousandths).padStart(6, "0");
      const fraction = `${digits.slice(0, 1)}.${digits.slice(1)}`;
      const percentage = `${digits.slice(0, 3)}.${digits.slice(3)}%`;
      assert.equal(shareOf(percentage), Number(fraction));
    }),
  );
  const parsed = parseShare("x".repeat(5000));
  assert.ok(parsed.kind === "problem" && parsed.problem.length < 250);
});
