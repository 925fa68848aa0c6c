import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { isMissing, readFailure } from "../../../src/plan/read-failure.ts";

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

test("what the system says of a file that cannot be read is told in words, without its path", () => {
  assert.equal(readFailure(thrownBy(() => readFileSync("/"))), "EISDIR");
  assert.equal(readFailure(thrownBy(() => readFileSync("x".repeat(5000)))), "its path is too long");
  assert.equal(
    readFailure(Object.assign(new Error("EACCES: permission denied, open '/home/me/x'"), { code: "EACCES" })),
    "permission denied",
  );
});

test("what is no error of the system is a bug of ours and gets no words", () => {
  assert.equal(readFailure(new TypeError("x is not a function")), undefined);
  assert.equal(readFailure("EACCES"), undefined);
});

test("a path below a file leads to nothing, as one that is not there", () => {
  for (const path of ["/gone", `${import.meta.filename}/x`]) assert.ok(isMissing(thrownBy(() => readFileSync(path))), path);
  assert.equal(isMissing(thrownBy(() => readFileSync("/"))), false);
});
