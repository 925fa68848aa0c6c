import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { InterruptedError } from "../../../../src/errors.ts";
import { finalStatuses } from "../../../../src/results/final-status.ts";
import { readAttemptsFile } from "../../../../src/results/resume/attempts-file.ts";
import { beginAttempt } from "../../../../src/results/resume/begin-attempt.ts";
import { put, sampleResult, temporaryDirectory } from "../fixtures.ts";
import { attemptFacts, divide, planned, putResult } from "./planned.ts";

test("a row with a result is kept, whatever its status, one without runs", async () => {
  using root = temporaryDirectory();
  const rows = finalStatuses.map((status) => planned(status.toLowerCase()));
  for (const status of finalStatuses) putResult(root.path, status.toLowerCase(), { final_status: status, error_message: "why" });
  const { decisions, setAside, kept } = await divide(root.path, [...rows, planned("absent")]);
  assert.deepEqual(
    decisions,
    [...finalStatuses, "absent"].map((status) => (status === "NOT_GRADED" ? "not graded*" : status === "absent" ? "missing" : "keep")),
  );
  assert.deepEqual(setAside, []);
  assert.deepEqual(
    kept,
    finalStatuses.flatMap((status, index) => (status === "NOT_GRADED" ? [] : [`${index}:${status.toLowerCase()}`])),
  );
});

test("errors and failures run again where that is asked for, and their old results stay until then", async () => {
  using root = temporaryDirectory();
  const rows = finalStatuses.map((status) => planned(status));
  for (const status of finalStatuses) putResult(root.path, status, { final_status: status, error_message: "why" });
  const again = async (retry: "errors" | "failed") => {
    const { decisions } = await divide(root.path, rows, { retry });
    return Object.fromEntries(decisions.map((decision, index) => [finalStatuses[index], decision]));
  };
  const errors = { ERROR: "error*", BUILD_FAILED: "error*", NOT_GRADED: "not graded*" };
  const kept = Object.fromEntries(finalStatuses.map((status) => [status, "keep"]));
  assert.deepEqual(await again("errors"), { ...kept, ...errors });
  const misses = ["FAILURE", "TIMEOUT", "MAX_TURNS_EXHAUSTED", "TOKEN_BUDGET_EXCEEDED", "COST_BUDGET_EXCEEDED"];
  const failed = Object.fromEntries(misses.map((status) => [status, "failed*"]));
  assert.deepEqual(await again("failed"), { ...kept, ...errors, ...failed });
  for (const status of finalStatuses) assert.ok(existsSync(join(root.path, `default/${status}/00/task.json`)), status);
});

test("an attempt that was cut short is not final: neither our record of it nor the trace of a Ctrl-C in coder_eval", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "theirs", { final_status: "FAILURE", weighted_score: 0 });
  putResult(root.path, "theirs-too", { final_status: "FAILURE", weighted_score: null });
  putResult(root.path, "ours", { final_status: "ERROR", evalbatch: attemptFacts({ cut_short: "engine lost" }) });
  const graded = { criterion_type: "file_exists", description: "d", score: 0, pass_threshold: 1 };
  put(
    root.path,
    "default/graded/00/task.json",
    JSON.stringify({
      ...sampleResult({ task_id: "graded", final_status: "FAILURE", weighted_score: 0 }),
      success_criteria_results: [graded],
    }),
  );
  putResult(root.path, "explained", { final_status: "FAILURE", weighted_score: 0, error_message: "no" });
  putResult(root.path, "of-ours", { final_status: "FAILURE", weighted_score: 0, evalbatch: attemptFacts() });
  const rows = ["theirs", "theirs-too", "ours", "graded", "explained", "of-ours"].map((id) => planned(id));
  assert.deepEqual((await divide(root.path, rows)).decisions, ["interrupted*", "interrupted*", "interrupted*", "keep", "keep", "keep"]);
});

test("an attempt that began and left no result was interrupted; so was one of coder_eval that left its log", async () => {
  using root = temporaryDirectory();
  await beginAttempt(join(root.path, "default/ours/00"), new Date(0));
  put(root.path, "default/theirs/00/task.log", "began");
  mkdirSync(join(root.path, "default/empty/00"), { recursive: true });
  const { decisions, warnings } = await divide(
    root.path,
    ["ours", "theirs", "empty"].map((id) => planned(id)),
  );
  assert.deepEqual(decisions, ["interrupted", "interrupted", "missing"]);
  assert.deepEqual(warnings, []);
});

test("a row that is started again and again without an end is named", async () => {
  using root = temporaryDirectory();
  const dir = join(root.path, "default/bad/00");
  for (let start = 1; start <= 3; start += 1) {
    assert.deepEqual((await divide(root.path, [planned("bad")])).warnings, []);
    await beginAttempt(dir, new Date(0));
  }
  const { decisions, warnings } = await divide(root.path, [planned("bad")]);
  assert.deepEqual(decisions, ["interrupted"]);
  assert.match(warnings.join(), /^default\/bad\/00 was started 3 times and never came to an end/);
  // An engine that is lost each time leaves results, and is as bad.
  const earlier = (await beginAttempt(dir, new Date(0))).earlier;
  putResult(root.path, "bad", {
    final_status: "ERROR",
    evalbatch: attemptFacts({ attempt: 4, earlier_attempts: [...earlier], cut_short: "engine lost" }),
  });
  assert.match((await divide(root.path, [planned("bad")])).warnings.join(), /^default\/bad\/00 was started 4 times/);
  // Once it came to an end, it does not count any more what was before.
  putResult(root.path, "bad", { final_status: "ERROR", evalbatch: attemptFacts({ attempt: 4, earlier_attempts: [...earlier] }) });
  assert.deepEqual((await divide(root.path, [planned("bad")], { retry: "errors" })).warnings, []);
});

test("a stale result is cleared away at once, so that it never counts for what its row is now", async () => {
  using root = temporaryDirectory();
  for (const id of ["a", "b", "c"]) putResult(root.path, id, id === "c" ? { final_status: "NOT_GRADED" } : {});
  put(root.path, "default/b/00/artifacts/b/old.txt", "old");
  const asked: string[] = [];
  const { decisions, setAside, kept } = await divide(
    root.path,
    ["a", "b", "c"].map((id) => planned(id)),
    {
      isStale: (index, result) => {
        asked.push(`${index}:${result.task_id}`);
        return result.task_id !== "a";
      },
    },
  );
  assert.deepEqual(asked, ["0:a", "1:b", "2:c"]);
  assert.deepEqual(decisions, ["keep", "drift", "not graded"]);
  assert.deepEqual(kept, ["0:a"]);
  assert.deepEqual(setAside, []);
  assert.deepEqual(readdirSync(join(root.path, "default/b/00")).sort(), ["attempts.json", "task.json.previous"]);
  assert.deepEqual(
    (await readAttemptsFile(join(root.path, "default/b/00")))?.earlier.map(({ status }) => status),
    ["SUCCESS"],
  );
  assert.deepEqual(
    (
      await divide(
        root.path,
        ["a", "b", "c"].map((id) => planned(id)),
      )
    ).decisions,
    ["keep", "missing", "missing"],
  );
});

test("a plan without rows and a directory without files are divided too", async () => {
  using root = temporaryDirectory();
  assert.deepEqual(await divide(root.path, []), { decisions: [], setAside: [], warnings: [], kept: [] });
  putResult(root.path, "a");
  assert.deepEqual((await divide(root.path, [])).setAside, ["default/a/00/task.json: not part of the plan"]);
});

test("a stop while results are read ends it at once", async () => {
  using root = temporaryDirectory();
  const rows = Array.from({ length: 5 }, (_, index) => planned(`t${index}`));
  for (const row of rows) putResult(root.path, row.taskId);
  const stop = new AbortController();
  const kept: number[] = [];
  const onKept = (index: number): void => {
    kept.push(index);
    if (index === 2) stop.abort();
  };
  await assert.rejects(divide(root.path, rows, { onKept, signal: stop.signal }), InterruptedError);
  assert.deepEqual(kept, [0, 1, 2]);
});
