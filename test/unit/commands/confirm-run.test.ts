import assert from "node:assert/strict";
import test from "node:test";
import { confirmRun } from "../../../src/commands/confirm-run.ts";
import { InputError } from "../../../src/errors.ts";

const confirmation = { above: 10, given: false, remedy: "add --yes" };
const never = () => Promise.reject(new Error("asked"));

test("a small run, a confirmed one and one without a threshold are not asked for", async () => {
  await confirmRun(10, confirmation, never);
  await confirmRun(11, { ...confirmation, given: true }, never);
  await confirmRun(11, undefined, never);
});

test("a large run asks the person, and goes on with a yes alone", async () => {
  const asked: string[] = [];
  const answer = (yes: boolean) => (question: string) => {
    asked.push(question);
    return Promise.resolve(yes);
  };
  await confirmRun(11, confirmation, answer(true));
  assert.deepEqual(asked, ["11 tasks would run, more than 10. Run them?"]);
  await assert.rejects(confirmRun(11, confirmation, answer(false)), /nothing was run/);
});

test("where there is nobody to ask, a large run is an error that says how to confirm it", async () => {
  await assert.rejects(confirmRun(11, confirmation, undefined), (error) => {
    assert.ok(error instanceof InputError);
    assert.deepEqual([error.code, error.issues[0]?.hint], ["not-confirmed", "add --yes"]);
    return true;
  });
});
