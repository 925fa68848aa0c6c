import assert from "node:assert/strict";
import test from "node:test";
import { renderConsoleSummary } from "../../../src/report/console-summary.ts";
import { runRowSchema } from "../../../src/results/run-row.ts";
import { buildRunSummary, type RunFacts } from "../../../src/results/run-summary.ts";

const options = { runDir: "runs/r1", columns: 80, colour: false };
const row = (overrides: Record<string, unknown>) =>
  runRowSchema.parse({ task_id: "t", status: "SUCCESS", variant_id: "default", ...overrides });

function render(facts: Partial<RunFacts>, changed: Partial<typeof options> = {}): string {
  const startTime = new Date("2026-07-07T10:00:00Z");
  const summary = buildRunSummary({
    runId: "r1",
    startTime,
    endTime: new Date(startTime.getTime() + 185_000),
    rows: [],
    skippedTasks: [],
    notRun: [],
    maxParallel: 1,
    frameworkVersion: "x",
    environmentInfo: {},
    interrupted: false,
    ...facts,
  });
  return renderConsoleSummary(summary, { ...options, ...changed });
}

const failed = row({
  task_id: "low",
  status: "FAILURE",
  weighted_score: 0.75,
  result_dir: "default/low/00",
  failure: { reason: "words: 1/2 found" },
});
const unbuilt = row({ task_id: "image", status: "BUILD_FAILED", result_dir: "default/image/00", failure: { reason: "exit 7" } });

test("the end of a run tells failures with reason and log, counts, rate, time, verdict and report", () => {
  assert.equal(
    render({ rows: [row({}), failed, unbuilt] }),
    [
      "",
      "Failures (2 of 3)",
      "  FAILURE       low  score 0.750",
      "              - words: 1/2 found",
      "              > runs/r1/default/low/00/task.log",
      "  BUILD_FAILED  image",
      "              - exit 7",
      "              > runs/r1/default/image/00/docker.log",
      "",
      "3 tasks run: 1 passed, 1 failed, 1 error; pass rate 33.3% (1/3); took 3 min 05 s",
      "Verdict: failed (1 task failed; 1 task ended in an error)",
      "Report: runs/r1/run.html",
      "",
    ].join("\n"),
  );
});

test("rows that never ran are counted beside those that did", () => {
  const text = render({
    rows: [row({})],
    notRun: [{ task_id: "n", variant_id: "default", replicate_index: 0, reason: "cancelled" }],
    interrupted: true,
  });
  assert.match(text, /Not run \(1\)\n {2}- n: cancelled\n/);
  assert.match(text, /2 planned: 1 run, 1 not run/);
  assert.match(text, /Verdict: incomplete \(1 task was not run; the run was interrupted\)/);
});

test("an empty run has no rate", () => {
  assert.match(render({}), /0 tasks run: 0 passed, 0 failed, 0 errors; no pass rate: nothing was graded/);
});

test("lines fit the terminal, and a long list is cut with its count", () => {
  const rows = Array.from({ length: 25 }, (_, index) =>
    row({ task_id: `task-${index}`, status: "ERROR", failure: { reason: "because ".repeat(50) } }),
  );
  const text = render({ rows }, { columns: 60 });
  assert.match(text, /… and 5 more rows/);
  for (const line of text.split("\n").filter((line) => line.startsWith(" "))) assert.ok(line.length <= 60, line);
});

test("there is no escape code unless colour is asked for", () => {
  assert.ok(!render({ rows: [failed] }).includes("\u001b"));
  assert.ok(render({ rows: [failed] }, { colour: true }).includes("\u001b[31mFAILURE\u001b[0m"));
});

test("names and reasons of strangers are no workflow commands and no terminal escapes", () => {
  const evil = "::error::x\n##[group]y\u001b[2J\u202e";
  const text = render({
    rows: [row({ task_id: evil, status: "ERROR", result_dir: evil, failure: { reason: evil } })],
    skippedTasks: [{ path: evil, reason: evil, kind: "invalid" }],
    notRun: [{ task_id: evil, variant_id: evil, replicate_index: 0, reason: evil }],
    warnings: [evil],
  });
  assert.doesNotMatch(text, /##\[|^\s*::|\u202e/m);
  assert.ok(!text.includes("\u001b"));
});
