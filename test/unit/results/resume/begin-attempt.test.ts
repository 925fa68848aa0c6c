import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { EnvironmentError } from "../../../../src/errors.ts";
import { beginAttempt, noteUnreadable, retireAttempt } from "../../../../src/results/resume/begin-attempt.ts";
import { put, sampleResult, temporaryDirectory } from "../fixtures.ts";
import { attemptFacts, putTask } from "./planned.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 6, 7, 10, minute));

test("the first attempt of a row has no history, and its directory is made", async () => {
  using root = temporaryDirectory();
  const dir = join(root.path, "default/a/00");
  assert.deepEqual(await beginAttempt(dir, at(0)), { attempt: 1, earlier: [] });
  assert.deepEqual(readdirSync(dir), ["attempts.json"]);
  assert.deepEqual(JSON.parse(readFileSync(join(dir, "attempts.json"), "utf8")), {
    attempt: 1,
    started_at: "2026-07-07T10:00:00.000Z",
    earlier: [],
  });
});

test("an attempt that began and left nothing was cut short, each time anew", async () => {
  using root = temporaryDirectory();
  for (const minute of [0, 1, 2]) await beginAttempt(root.path, at(minute));
  const { attempt, earlier } = await beginAttempt(root.path, at(3));
  assert.equal(attempt, 4);
  assert.deepEqual(
    earlier.map((entry) => [entry.attempt, entry.status, entry.started_at, entry.weighted_score, entry.duration_seconds]),
    [
      [1, "INTERRUPTED", "2026-07-07T10:00:00.000Z", null, null],
      [2, "INTERRUPTED", "2026-07-07T10:01:00.000Z", null, null],
      [3, "INTERRUPTED", "2026-07-07T10:02:00.000Z", null, null],
    ],
  );
  assert.equal(earlier[0]?.reason, "it was cut short and left no result");
});

test("a finished attempt stands in the history of the next with status, score, times and one line of reason", async () => {
  using root = temporaryDirectory();
  await beginAttempt(root.path, at(0));
  const missed = { criterion_type: "file_exists", description: "there is\na file", score: 0, pass_threshold: 1, error: "no\nfile" };
  const failed = sampleResult({ final_status: "FAILURE", weighted_score: 0.25, duration_seconds: 7, started_at: at(0).toISOString() });
  put(root.path, "task.json", JSON.stringify({ ...failed, success_criteria_results: [missed], evalbatch: attemptFacts() }));
  const second = await beginAttempt(root.path, at(1));
  assert.equal(second.attempt, 2);
  const [first] = second.earlier;
  assert.deepEqual(
    { ...first, reason: null },
    {
      attempt: 1,
      status: "FAILURE",
      weighted_score: 0.25,
      started_at: at(0).toISOString(),
      duration_seconds: 7,
      reason: null,
      criteria: [{ criterion_type: "file_exists", score: 0, failed_to_check: true, observed_label: null, expected_label: null }],
    },
  );
  assert.match(first?.reason ?? "", /^there is \| a file: no \| file$/);
  putTask(root.path, sampleResult({ evalbatch: attemptFacts({ attempt: 2, earlier_attempts: [...second.earlier] }) }));
  const third = await beginAttempt(root.path, at(2));
  assert.deepEqual(
    third.earlier.map(({ attempt, status, reason }) => [attempt, status, reason === null]),
    [
      [1, "FAILURE", false],
      [2, "SUCCESS", true],
    ],
  );
});

test("what an attempt left is out of the way of the next: its result moved aside, its artifacts gone, logs kept", async () => {
  using root = temporaryDirectory();
  put(root.path, "artifacts/a/out.txt", "old");
  put(root.path, "task.log", "log");
  put(root.path, "conversation.log", "words");
  put(root.path, "agent-stream.jsonl", "{}");
  put(root.path, "task.json.previous", "older");
  putTask(root.path, sampleResult());
  await beginAttempt(root.path, at(0));
  assert.deepEqual(readdirSync(root.path).sort(), ["attempts.json", "task.json.previous", "task.log"]);
  assert.equal(JSON.parse(readFileSync(join(root.path, "task.json.previous"), "utf8")).task_id, "a-task");
});

test("a result of coder_eval, which knows no attempts, is the first one", async () => {
  using root = temporaryDirectory();
  putTask(root.path, sampleResult({ final_status: "ERROR", error_message: "no\n  network", weighted_score: 0 }));
  const { attempt, earlier } = await beginAttempt(root.path, at(0));
  assert.equal(attempt, 2);
  assert.deepEqual([earlier.length, earlier[0]?.attempt, earlier[0]?.status, earlier[0]?.reason], [1, 1, "ERROR", "no | network"]);
});

test("a result that was cut short is no FAILURE and no ERROR in the history", async () => {
  using root = temporaryDirectory();
  putTask(root.path, sampleResult({ final_status: "FAILURE", weighted_score: 0 }));
  assert.deepEqual(
    (await beginAttempt(root.path, at(0))).earlier.map(({ status, reason, weighted_score: score }) => [status, reason, score]),
    [["INTERRUPTED", "cut short: interrupted", null]],
  );
  putTask(root.path, sampleResult({ final_status: "ERROR", evalbatch: attemptFacts({ attempt: 2, cut_short: "engine lost" }) }));
  const { earlier } = await beginAttempt(root.path, at(1));
  assert.deepEqual(
    earlier.map(({ attempt, status }) => [attempt, status]),
    [
      [1, "INTERRUPTED"],
      [2, "INTERRUPTED"],
    ],
  );
  assert.equal(earlier[1]?.reason, "cut short: engine lost");
});

test("a retired result goes out of the way, and the next attempt knows how it ended", async () => {
  using root = temporaryDirectory();
  await beginAttempt(root.path, at(0));
  putTask(root.path, sampleResult({ evalbatch: attemptFacts() }));
  put(root.path, "artifacts/a/out.txt", "old");
  await retireAttempt(root.path);
  assert.deepEqual(readdirSync(root.path).sort(), ["attempts.json", "task.json.previous"]);
  await retireAttempt(root.path);
  const { attempt, earlier } = await beginAttempt(root.path, at(1));
  assert.equal(attempt, 2);
  assert.deepEqual(
    earlier.map((entry) => [entry.attempt, entry.status]),
    [[1, "SUCCESS"]],
  );
});

test("a result that nobody could read stands in the history as an error", async () => {
  using root = temporaryDirectory();
  await noteUnreadable(root.path, "the file is empty");
  await noteUnreadable(root.path, "the file is empty");
  const { attempt, earlier } = await beginAttempt(root.path, at(1));
  assert.equal(attempt, 2);
  assert.deepEqual(
    earlier.map(({ status, reason }) => [status, reason]),
    [["ERROR", "the result could not be read: the file is empty"]],
  );
});

test("a place where nothing can be written is an error of the environment", async () => {
  using root = temporaryDirectory();
  put(root.path, "file", "");
  await assert.rejects(
    beginAttempt(join(root.path, "file/00"), at(0)),
    (error) => error instanceof EnvironmentError && error.code === "cannot-write",
  );
  assert.equal(existsSync(join(root.path, "file/00")), false);
});
