import assert from "node:assert/strict";
import test from "node:test";
import { commentKey } from "../../../src/github/comment-key.ts";

const step = {
  workflow: "evals",
  workflowRef: "octo-org/evals/.github/workflows/evals.yml@refs/pull/7/merge",
  job: "evals",
  action: "__self",
};

test("a given key is the key, whatever step it is", () => {
  assert.equal(commentKey(" linux ", step, '{"os":"linux"}'), commentKey("linux", { ...step, job: "other" }, undefined));
  assert.notEqual(commentKey("linux", step, undefined), commentKey("mac", step, undefined));
});

test("a key of blanks is none", () => {
  assert.equal(commentKey(" \n", step, undefined), commentKey(undefined, step, undefined));
});

test("without a key, workflow file, job, step and leg of the matrix make one each", () => {
  const keys = [
    commentKey(undefined, step, undefined),
    commentKey(undefined, { ...step, workflowRef: "octo-org/evals/.github/workflows/nightly.yml@refs/pull/7/merge" }, undefined),
    commentKey(undefined, { ...step, job: "evals-2" }, undefined),
    commentKey(undefined, { ...step, action: "__self_2" }, undefined),
    commentKey(undefined, step, '{"os":"linux"}'),
    commentKey(undefined, step, '{"os":"mac"}'),
    commentKey('["step"]', step, undefined),
  ];
  assert.equal(new Set(keys).size, keys.length);
});

test("the key stays the same from one pull request's ref to the next, and for a leg however it is spaced", () => {
  const key = commentKey(undefined, step, '{"os":"linux"}');
  const branch = "octo-org/evals/.github/workflows/evals.yml@refs/heads/a@b";
  assert.equal(commentKey(undefined, { ...step, workflowRef: branch.replace("a@b", "main") }, '{\n  "os": "linux"\n}'), key);
});

test("a branch with an @ in its name changes nothing", () => {
  const ref = "octo-org/evals/.github/workflows/evals.yml@refs/heads/a@b";
  assert.equal(commentKey(undefined, { ...step, workflowRef: ref }, undefined), commentKey(undefined, step, undefined));
});

test("an empty leg is none, and one that is no JSON is taken as it is", () => {
  for (const leg of ["", " ", "null"]) assert.equal(commentKey(undefined, step, leg), commentKey(undefined, step, undefined));
  assert.notEqual(commentKey(undefined, step, "linux"), commentKey(undefined, step, "mac"));
});

test("the workflow's name serves where there is no file, and nothing at all is a key too", () => {
  const none = { workflow: undefined, workflowRef: undefined, job: undefined, action: undefined };
  assert.notEqual(
    commentKey(undefined, { ...none, workflow: "a" }, undefined),
    commentKey(undefined, { ...none, workflow: "b" }, undefined),
  );
  assert.notEqual(commentKey(undefined, none, undefined), "");
});
