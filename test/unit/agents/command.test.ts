import assert from "node:assert/strict";
import test from "node:test";
import { endOf } from "../../../src/agents/command.ts";
import type { ExecResult } from "../../../src/sandbox/sandbox.ts";

const output = { stdout: "", stderr: "", droppedBytes: 0 };
const exited = (exitCode: number, killedBy?: "out of memory" | "unknown"): ExecResult => ({
  kind: "exited",
  exitCode,
  killedBy,
  durationMs: 1,
  output,
});

test("any ordinary exit code is an answer that the criteria judge", () => {
  for (const code of [0, 1, 2, 42, 130]) assert.deepEqual(endOf(exited(code)), { kind: "completed" });
});

test("a command that is not there is no answer of an agent", () => {
  for (const code of [126, 127]) {
    const end = endOf(exited(code));
    assert.equal(end.kind === "crashed" && end.category, "agent_config_error");
  }
});

test("the memory limit is told apart from an unknown SIGKILL", () => {
  const oom = endOf(exited(137, "out of memory"));
  assert.equal(oom.kind === "crashed" && oom.category, "out_of_memory");
  assert.deepEqual(endOf(exited(137, "unknown")), { kind: "completed" });
});

test("our own limit is a time-out with its length", () => {
  assert.deepEqual(endOf({ kind: "timed out", afterMs: 5000, durationMs: 5100, output }), { kind: "timed out", afterMs: 5000 });
});
