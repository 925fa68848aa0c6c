import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { gradeTask } from "../../../src/criteria/grade.ts";
import { readScore } from "../../../src/criteria/stdout-score.ts";
import type { ExecRequest, ExecResult } from "../../../src/sandbox/sandbox.ts";
import { exited } from "../../fakes/memory-sandbox.ts";
import { check, contextOf, criterion } from "./check.ts";

const of = (fields: Readonly<Record<string, unknown>>, result: ExecResult) =>
  check({ type: "run_command", command: "c", ...fields }, { exec: () => result });

test("the command is a shell line with the criterion's time limit and the environment of criterion commands", async () => {
  const requests: ExecRequest[] = [];
  const exec = (request: ExecRequest) => {
    requests.push(request);
    return exited(0);
  };
  await gradeTask(
    [criterion({ type: "run_command", command: "a | b", timeout: 7 })],
    contextOf({ exec }, { commandEnv: { TASK_DIR: "/t" } }),
  );
  assert.deepEqual(
    requests.map(({ command, env, timeoutMs, stdin }) => ({ command, env, timeoutMs, stdin })),
    [{ command: { shell: "a | b" }, env: { TASK_DIR: "/t" }, timeoutMs: 7_000, stdin: undefined }],
  );
});

test("a time limit of zero is over before the command starts", async () => {
  const result = await check({ type: "run_command", command: "c", timeout: 0 }, {});
  assert.equal(result.score, 0);
  assert.match(result.details ?? "", /Exit code: -1 \(expected: 0\)[\s\S]*Command 'c' timed out after 0 seconds/);
});

test("after a timeout the output so far is shown but not judged", async () => {
  const late: ExecResult = { kind: "timed out", afterMs: 1, durationMs: 1, output: { stdout: "0.9\n", stderr: "warn", droppedBytes: 0 } };
  const result = await of({ timeout: 3, score_from_stdout: true, expected_exit_code: -1 }, late);
  assert.deepEqual(result, {
    score: 0,
    details:
      "Command: c\nExit code: -1 (expected: -1)\nStdout: (empty)\nStderr:\nCommand 'c' timed out after 3 seconds\nStdout before the timeout:\n0.9\n\nStderr before the timeout:\nwarn",
    error: "No output from command (empty stdout)",
  });
});

test("a task may expect death by a signal in Python's or in the shell's number", async () => {
  assert.equal((await of({ expected_exit_code: -9 }, exited(137))).score, 1);
  assert.equal((await of({ expected_exit_code: 137 }, exited(137))).score, 1);
  assert.equal((await of({ expected_exit_code: -1 }, exited(129))).score, 0);
  assert.equal((await of({ expected_exit_code: -9 }, exited(9))).score, 0);
});

test("line ends of output are read as Python reads them", async () => {
  assert.equal((await of({ expected_stdout: "a\nb" }, exited(0, "a\r\nb\r\n"))).score, 1);
});

test("stdout that was cut is not compared as if it were whole", async () => {
  const cut = exited(0, "x".repeat(10_000_000), "", 5);
  const result = await of({ expected_stdout: "y", stdout_match: "contains" }, cut);
  assert.equal(result.score, 0);
  assert.equal(result.error, "stdout is longer than the 10000000 bytes that are read");
  assert.match(result.details ?? "", /5 more bytes of output were not kept/);
  assert.equal((await of({}, cut)).score, 1);
  assert.equal((await of({ score_from_stdout: true }, exited(0, `0.5\n${"x".repeat(10_000_000)}`, "", 5))).score, 0.5);
});

test("a pattern on stdout that is no valid one does not match, one that runs away is an error", async () => {
  assert.deepEqual(await of({ expected_stdout: "(", stdout_match: "regex" }, exited(0, "a")), {
    score: 0,
    details: "Command: c\nExit code: 0 (expected: 0)\nStdout:\na\nStderr: (empty)\nStdout match (regex): FAIL\nExpected: (",
    error: null,
  });
  const hostile = await of({ expected_stdout: "^(a|aa)+$", stdout_match: "regex" }, exited(0, `${"a".repeat(60)}!`));
  assert.equal(hostile.score, 0);
  assert.match(hostile.error ?? "", /RegexTimeoutError/);
});

test("details keep 4,000 characters of each stream and say how many more there were", async () => {
  const { details } = await of({}, exited(0, "😀".repeat(4_001), "e".repeat(4_000)));
  assert.ok(details?.includes(`Stdout:\n${"😀".repeat(4_000)}\n… (1 more chars truncated)\nStderr:\n${"e".repeat(4_000)}`));
  assert.ok(details?.endsWith("e"));
});

test("what is not a finite number is no score: NaN never becomes the best one", () => {
  for (const line of ["nan", "-nan", "inf", "-Infinity", "NAN"]) assert.equal(readScore(line).kind, "none", line);
  for (const line of ["", "  ", "0x1", "1,5", "50%", "one", "1__0", "--1", "1e"]) assert.equal(readScore(line).kind, "none", line);
});

test("every first line gives a score within 0 and 1 or an error", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String)), (line) => {
      const read = readScore(line);
      assert.ok(read.kind === "none" ? read.error !== "" : read.score >= 0 && read.score <= 1 && !Object.is(read.score, -0));
    }),
  );
});
