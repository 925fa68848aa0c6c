import assert from "node:assert/strict";
import test from "node:test";
import { exitCodeOf } from "../../../src/commands/finish-run.ts";
import { failOnWords, judgeGate, strictGate } from "../../../src/results/gate.ts";
import { rowsOf, runOf } from "../results/gate-runs.ts";

test("the exit code is the gate's, and a run that was cut short says so under every policy", () => {
  const codeOf = (succeeds: boolean, failOn: (typeof failOnWords)[number], interrupted: boolean) => {
    const summary = runOf({ rows: rowsOf(succeeds ? { SUCCESS: 1 } : { FAILURE: 1, SUCCESS: 1 }), interrupted });
    return exitCodeOf(judgeGate(summary, { ...strictGate, failOn, allowEmpty: true }), interrupted);
  };
  assert.deepEqual(
    failOnWords.map((failOn) => [codeOf(true, failOn, false), codeOf(false, failOn, false)]),
    [
      [0, 1],
      [0, 0],
      [0, 0],
    ],
  );
  for (const failOn of failOnWords) assert.deepEqual([codeOf(true, failOn, true), codeOf(false, failOn, true)], [130, 130]);
});
