import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { readAttemptsFile } from "../../../../src/results/resume/attempts-file.ts";
import { beginAttempt } from "../../../../src/results/resume/begin-attempt.ts";
import { serializeTaskResult } from "../../../../src/results/serialize-task-result.ts";
import { put, sampleResult, temporaryDirectory } from "../fixtures.ts";
import { attemptFacts, putTask } from "./planned.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 6, 7, 10, minute));

test("a broken attempts.json costs nothing that task.json knows, and the other way round", async () => {
  for (const broken of ["", "{", "[]", "7", '{"attempt": "x", "earlier": {}}', '{"attempt": -3}', '{"attempt": 1e300}', "\u0000\u0001"]) {
    using root = temporaryDirectory();
    const first = { attempt: 1, status: "FAILURE", weighted_score: 0, started_at: null, duration_seconds: 1, reason: "no" } as const;
    putTask(root.path, sampleResult({ evalbatch: attemptFacts({ attempt: 2, earlier_attempts: [first] }) }));
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
  putTask(root.path, sampleResult({ evalbatch: attemptFacts({ attempt: 3 }) }));
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
  putTask(root.path, sampleResult({ evalbatch: attemptFacts({ attempt: 9 }) }));
  assert.equal((await beginAttempt(root.path, at(0))).attempt, 10);
});

test("a kill between the record of the new attempt and the clearing of the old one loses nothing and counts nothing twice", async () => {
  using root = temporaryDirectory();
  const result = sampleResult({ final_status: "FAILURE", error_message: "no" });
  putTask(root.path, result);
  await beginAttempt(root.path, at(0));
  // As if the old result had not been moved any more.
  putTask(root.path, result);
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
