import assert from "node:assert/strict";
import test from "node:test";
import { renderError } from "../../../src/commands/render-error.ts";
import { EnvironmentError, InputError } from "../../../src/errors.ts";

const issue = (message: string) => ({ severity: "error", code: "usage", message }) as const;

test("what to do about an input error as a whole is told once, below its findings", () => {
  const error = new InputError([issue("one"), issue("two")], { hint: "start anew" });
  assert.equal(renderError(error), "error: one\nerror: two\n  hint: start anew\n");
});

test("nothing in a hint obeys the terminal", () => {
  assert.equal(renderError(new InputError([issue("one")], { hint: "a\u001b[2Jb" })), "error: one\n  hint: a\\u{1b}[2Jb\n");
});

test("an error without a hint has no line for one", () => {
  assert.equal(renderError(new InputError([issue("one")])), "error: one\n");
  assert.equal(renderError(new EnvironmentError("engine", "no engine", { hint: "start it" })), "error: no engine\n  hint: start it\n");
});
