import assert from "node:assert/strict";
import test from "node:test";
import { outputNames, outputsOf } from "../../../src/github/outputs.ts";
import { runSummarySchema } from "../../../src/results/run-summary-schema.ts";

const place = { runDir: "/w/runs/r", runJson: "/w/runs/r/run.json" };
const summary = runSummarySchema.parse({
  run_id: "r",
  start_time: "",
  end_time: "",
  tasks_run: 3,
  tasks_succeeded: 1,
  tasks_failed: 1,
  tasks_error: 1,
  tasks_not_run: 2,
  pass_rate: 1 / 3,
  verdict: "failed",
});

test("numbers are told as text, and what was not published is empty", () => {
  assert.deepEqual(outputsOf(summary, place, {}), {
    verdict: "failed",
    "run-dir": place.runDir,
    "run-json": place.runJson,
    "tasks-run": "3",
    "tasks-succeeded": "1",
    "tasks-failed": "1",
    "tasks-error": "1",
    "tasks-not-run": "2",
    "pass-rate": "0.3333333333333333",
    "artifact-id": "",
    "artifact-url": "",
    "artifact-digest": "",
    "comment-url": "",
  });
});

test("artifact and comment are told when they are out", () => {
  const artifact = { name: "evals", id: 42, url: "https://github.com/o/r/actions/runs/1/artifacts/42", digest: "ab12" };
  const outputs = outputsOf(summary, place, { artifact, commentUrl: "https://github.com/o/r/pull/1#issuecomment-2" });
  assert.deepEqual(Object.keys(outputs), outputNames);
  assert.equal(outputs["artifact-id"], "42");
  assert.equal(outputs["artifact-url"], artifact.url);
  assert.equal(outputs["artifact-digest"], "ab12");
  assert.equal(outputs["comment-url"], "https://github.com/o/r/pull/1#issuecomment-2");
});

test("a summary without a verdict or a rate claims neither", () => {
  const outputs = outputsOf({ ...summary, verdict: null, pass_rate: null }, place, {});
  assert.equal(outputs.verdict, "error");
  assert.equal(outputs["pass-rate"], "");
});
