import assert from "node:assert/strict";
import test from "node:test";
import { originOf } from "../../../src/github/earlier-run-origin.ts";
import { readEnvironment } from "../../../src/github/environment.ts";

const job = { GITHUB_REPOSITORY: "octo/evals", GITHUB_RUN_ID: "7", GITHUB_RUN_ATTEMPT: "3", GITHUB_JOB: "evals", GITHUB_ACTION: "run" };
const originIn = (env: Readonly<Record<string, string>>, leg?: string) => originOf(readEnvironment(env, "/"), leg);

test("names the job by what stays the same when it is run again, and its attempt", () => {
  assert.deepEqual(originIn(job), {
    repository: "octo/evals",
    workflow_run_id: "7",
    workflow_run_attempt: 3,
    job: "evals",
    leg: null,
    step: "run",
  });
});

test("there is none outside of a job", () => {
  assert.equal(originIn({}), null);
  assert.equal(originIn({ ...job, GITHUB_RUN_ID: "" }), null);
  assert.equal(originIn({ ...job, GITHUB_REPOSITORY: "" }), null);
});

test("legs are told apart without their values being told", () => {
  const digest = originIn(job, '{"key":"s3cret"}')?.leg;
  assert.match(digest ?? "", /^[0-9a-f]{64}$/);
  assert.equal(originIn(job, '{\n  "key": "s3cret"\n}')?.leg, digest);
  assert.notEqual(originIn(job, '{"key":"other"}')?.leg, digest);
  for (const none of ["null", "{}", "", "${{ toJSON(matrix) }}"]) assert.equal(originIn(job, none)?.leg, null);
});
