import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { compareVersions, isVersion } from "../../../src/results/version-order.ts";

const inOrder = (...texts: string[]): void => assert.deepEqual(texts.toReversed().sort(compareVersions), texts);

test("1.10 comes after 1.9, and a pre-release before its release", () => {
  inOrder("0.12.2", "0.12.16", "1.9.0-rc.1", "1.9.0", "v1.9.0", "1.10.0");
  inOrder("2.0.0-rc.9", "2.0.0-rc.10", "2.0.0.dev3", "2.0.0", "2.0.0+build.7", "2.0.1");
  inOrder("1.0", "1.0.0", "1.0.post1", "1.0.1");
});

test("the version is found in what programs print", () => {
  inOrder("Python 2.7.18", "Python 3.9.2", "Python 3.12.1");
  inOrder("git version 2.9.5", "git version 2.39.5", "git version 2.39.5 (Apple Git-154)", "git version 2.40.0");
  inOrder('openjdk version "17.0.9" 2023-10-17', 'openjdk version "17.0.10" 2024-01-16', 'openjdk version "21.0.1" 2023-10-17');
  inOrder("none", "go 1", "v20", "v24.1.0");
});

test("numbers may be as long as they like", () => {
  const long = "9".repeat(400);
  inOrder(`1.${long}8`, `1.${long}9`, `1.1${long}9`, `2.${long}`);
  inOrder("01.0", "1.0", "1.00.1", "1.2");
});

test("the order of versions is an order, in which only equal texts are equal", () => {
  const piece = fc.constantFrom("v", "1", "01", "9", "10", "0", ".", "-", "rc", "b", "post", " ", "+", "é", "\u{1F600}");
  const text = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      assert.equal(Math.sign(compareVersions(a, b)), -Math.sign(compareVersions(b, a)) || 0);
      assert.equal(compareVersions(a, b) === 0, a === b);
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) assert.ok(compareVersions(a, c) <= 0, JSON.stringify([a, b, c]));
    }),
    { numRuns: 3000 },
  );
});

test("only what looks like a version is one", () => {
  assert.deepEqual(["1.2.3", "v1.2.3-beta", "unknown", "1.2", "Not Found", 3].map(isVersion), [true, true, false, false, false, false]);
});
