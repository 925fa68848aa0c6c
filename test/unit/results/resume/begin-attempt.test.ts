import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { EnvironmentError } from "../../../../src/errors.ts";
import { readAttemptsFile } from "../../../../src/results/resume/attempts-file.ts";
import { beginAttempt, noteUnreadable, retireAttempt } from "../../../../src/results/resume/begin-attempt.ts";
import { serializeTaskResult } from "../../../../src/results/serialize-task-result.ts";
import { attemptFactsSchema, type EvaluationResult } from "../../../../src/results/task-result.ts";
import { put, sampleResult, temporaryDirectory } from "../fixtures.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 6, 7, 10, minute));

function facts(overrides: Record<string, unknown> = {}) {
  return attemptFactsSchema.parse({ version: "1", ...overrides });
}

function write(dir: string, result: EvaluationResult): void {
  put(dir, "task.json", serializeTaskResult(result));
}

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
  put(root.path, "task.json", JSON.stringify({ ...failed, success_criteria_results: [missed], evalbatch: facts() }));
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
  write(root.path, sampleResult({ evalbatch: facts({ attempt: 2, earlier_attempts: second.earlier }) }));
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
  put(root.path, "task.json.previous", "older");
  write(root.path, sampleResult());
  await beginAttempt(root.path, at(0));
  assert.deepEqual(readdirSync(root.path).sort(), ["attempts.json", "task.json.previous", "task.log"]);
  assert.equal(JSON.parse(readFileSync(join(root.path, "task.json.previous"), "utf8")).task_id, "a-task");
});

test("a result of coder_eval, which knows no attempts, is the first one", async () => {
  using root = temporaryDirectory();
  write(root.path, sampleResult({ final_status: "ERROR", error_message: "no\n  network", weighted_score: 0 }));
  const { attempt, earlier } = await beginAttempt(root.path, at(0));
  assert.equal(attempt, 2);
  assert.deepEqual([earlier.length, earlier[0]?.attempt, earlier[0]?.status, earlier[0]?.reason], [1, 1, "ERROR", "no | network"]);
});

test("a result that was cut short is no FAILURE and no ERROR in the history", async () => {
  using root = temporaryDirectory();
  write(root.path, sampleResult({ final_status: "FAILURE", weighted_score: 0 }));
  assert.deepEqual(
    (await beginAttempt(root.path, at(0))).earlier.map(({ status, reason, weighted_score: score }) => [status, reason, score]),
    [["INTERRUPTED", "cut short: interrupted", null]],
  );
  write(root.path, sampleResult({ final_status: "ERROR", evalbatch: facts({ attempt: 2, cut_short: "engine lost" }) }));
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

test("a broken attempts.json costs nothing that task.json knows, and the other way round", async () => {
  for (const broken of ["", "{", "[]", "7", '{"attempt": "x", "earlier": {}}', '{"attempt": -3}', '{"attempt": 1e300}', "\u0000\u0001"]) {
    using root = temporaryDirectory();
    const first = { attempt: 1, status: "FAILURE", weighted_score: 0, started_at: null, duration_seconds: 1, reason: "no" } as const;
    write(root.path, sampleResult({ evalbatch: facts({ attempt: 2, earlier_attempts: [first] }) }));
    put(root.path, "attempts.json", broken);
    const { attempt, earlier } = await beginAttempt(root.path, at(0));
    assert.equal(attempt, 3, broken);
    assert.deepEqual(
      earlier.map((entry) => [entry.attempt, entry.status]),
      [
        [1, "FAILURE"],
        [2, "SUCCESS"],
      ],
    );
    // The new attempts.json has all of it.
    put(root.path, "task.json", '{"task_id": "a-');
    const after = await beginAttempt(root.path, at(1));
    assert.deepEqual(
      after.earlier.map((entry) => [entry.attempt, entry.status]),
      [
        [1, "FAILURE"],
        [2, "SUCCESS"],
        [3, "ERROR"],
      ],
    );
    assert.match(after.earlier[2]?.reason ?? "", /^the result could not be read: not valid JSON/);
  }
});

test("numbers never go down, whichever of the two files is the older one", async () => {
  using root = temporaryDirectory();
  put(root.path, "attempts.json", JSON.stringify({ attempt: 7, started_at: null, earlier: [] }));
  write(root.path, sampleResult({ evalbatch: facts({ attempt: 3 }) }));
  const { attempt, earlier } = await beginAttempt(root.path, at(0));
  assert.equal(attempt, 8);
  assert.deepEqual(
    earlier.map((entry) => [entry.attempt, entry.status]),
    [
      [3, "SUCCESS"],
      [7, "INTERRUPTED"],
    ],
  );
  put(root.path, "attempts.json", JSON.stringify({ attempt: 1, earlier: [] }));
  write(root.path, sampleResult({ evalbatch: facts({ attempt: 9 }) }));
  assert.equal((await beginAttempt(root.path, at(0))).attempt, 10);
});

test("a kill between the record of the new attempt and the clearing of the old one loses nothing and counts nothing twice", async () => {
  using root = temporaryDirectory();
  const result = sampleResult({ final_status: "FAILURE", error_message: "no" });
  write(root.path, result);
  await beginAttempt(root.path, at(0));
  // As if the old result had not been moved any more.
  write(root.path, result);
  const { attempt, earlier } = await beginAttempt(root.path, at(1));
  assert.equal(attempt, 3);
  assert.deepEqual(
    earlier.map((entry) => [entry.attempt, entry.status]),
    [
      [1, "FAILURE"],
      [2, "INTERRUPTED"],
    ],
  );
});

test("of many attempts the first, the last and the first graded one are kept", async () => {
  using root = temporaryDirectory();
  const entry = (attempt: number, status: string) => ({ attempt, status, reason: "x".repeat(5000) });
  const earlier = Array.from({ length: 120 }, (_, index) => entry(index + 1, index === 60 || index === 61 ? "FAILURE" : "INTERRUPTED"));
  put(root.path, "attempts.json", JSON.stringify({ attempt: 120, earlier }));
  const next = await beginAttempt(root.path, at(0));
  assert.equal(next.attempt, 121);
  assert.equal(next.earlier.length, 50);
  const numbers = next.earlier.map(({ attempt }) => attempt);
  assert.deepEqual(numbers, [
    ...Array.from({ length: 24 }, (_, index) => index + 1),
    61,
    ...Array.from({ length: 25 }, (_, index) => index + 96),
  ]);
  assert.ok(next.earlier.every(({ reason }) => (reason ?? "").length <= 400));
  // It stays so from attempt to attempt.
  for (const minute of [1, 2, 3]) {
    const later = await beginAttempt(root.path, at(minute));
    assert.equal(later.earlier.length, 50);
    assert.equal(later.earlier.find(({ status }) => status === "FAILURE")?.attempt, 61);
  }
});

test("a link, a directory or a flood in place of the files is neither followed nor read", async () => {
  using root = temporaryDirectory();
  using elsewhere = temporaryDirectory();
  put(elsewhere.path, "task.json", serializeTaskResult(sampleResult()));
  put(elsewhere.path, "attempts.json", JSON.stringify({ attempt: 40, earlier: [] }));
  for (const name of ["task.json", "attempts.json"]) symlinkSync(join(elsewhere.path, name), join(root.path, name));
  const second = await beginAttempt(root.path, at(0));
  assert.deepEqual(
    [second.attempt, second.earlier[0]?.status, second.earlier[0]?.reason],
    [2, "ERROR", "the result could not be read: not a regular file"],
  );
  assert.equal(JSON.parse(readFileSync(join(elsewhere.path, "attempts.json"), "utf8")).attempt, 40);

  for (const name of ["task.json", "attempts.json"]) {
    rmSync(join(root.path, name), { force: true });
    mkdirSync(join(root.path, name, "inner"), { recursive: true });
  }
  assert.equal((await beginAttempt(root.path, at(1))).attempt, 2);
  assert.equal((await readAttemptsFile(root.path))?.attempt, 2);
  writeFileSync(join(root.path, "attempts.json"), `{"attempt": 5, "flood": "${"x".repeat(5 * 1024 * 1024)}"}`);
  assert.equal((await beginAttempt(root.path, at(2))).attempt, 1);
});

test("a retired result goes out of the way, and the next attempt knows how it ended", async () => {
  using root = temporaryDirectory();
  await beginAttempt(root.path, at(0));
  write(root.path, sampleResult({ evalbatch: facts() }));
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
