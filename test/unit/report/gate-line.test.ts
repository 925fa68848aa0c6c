import assert from "node:assert/strict";
import test from "node:test";
import { renderConsoleSummary } from "../../../src/report/console-summary.ts";
import { gateDiffers, gateLine } from "../../../src/report/gate-line.ts";
import { renderRunHtml } from "../../../src/report/run-html.ts";
import { renderRunMarkdown } from "../../../src/report/run-markdown.ts";
import { strictGate } from "../../../src/results/gate.ts";
import { policy, rowOf, rowsOf, runOf } from "../results/gate-runs.ts";

const rows = rowsOf({ SUCCESS: 9, FAILURE: 1 });

test("the gate's line says what came out, what was asked and what was let pass", () => {
  const asked = policy({ failOn: "error", minPassRate: 0.9, minTaskScore: 0.25, allowEmpty: true });
  assert.equal(
    gateLine(runOf({ rows }, asked)),
    "passes (fail-on: error, min-pass-rate: 90%, min-task-score: 0.25, allow-empty); tolerated: 1 task failed",
  );
});

test("reasons of the verdict are not repeated, others are told", () => {
  assert.equal(gateLine(runOf({ rows }, strictGate)), "fails");
  const withError = rowsOf({ SUCCESS: 9, ERROR: 1 });
  const summary = runOf({ rows: withError }, policy({ failOn: "error", minPassRate: 0.9 }));
  assert.equal(summary.verdict, "passed");
  assert.equal(gateLine(summary), "fails (fail-on: error, min-pass-rate: 90%); 1 task ended in an error");
});

test("where nobody asked there is no line, and where it adds nothing the short reports have none", () => {
  assert.equal(gateLine(runOf({ rows })), undefined);
  assert.equal(gateDiffers(runOf({ rows })), false);
  assert.equal(gateDiffers(runOf({ rows }, strictGate)), false);
  assert.equal(gateDiffers(runOf({ rows: rowsOf({ SUCCESS: 1 }) }, policy({ minPassRate: 0.5 }))), false);
  assert.equal(gateDiffers(runOf({ rows }, policy({ failOn: "never" }))), true);
  assert.equal(gateDiffers(runOf({ rows }, policy({ minPassRate: 0.5 }))), true);
});

test("every report tells that a run passes its gate although not every row succeeded", () => {
  const summary = runOf({ rows }, policy({ minPassRate: 0.9 }));
  assert.match(
    renderRunMarkdown(summary),
    /^\*\*Verdict\*\*: passed\n\*\*Gate\*\*: passes \(min-pass-rate: 90%\); tolerated: 1 task failed$/m,
  );
  assert.match(
    renderConsoleSummary(summary, { runDir: "r", columns: 100, colour: false }),
    /^Verdict: passed\nGate: passes .*1 task failed$/m,
  );
  const page = renderRunHtml(summary);
  assert.match(page, /<li>9 of 10 tasks passed<\/li><li>gate: passes/);
  assert.doesNotMatch(page, /all 10 rows/);
});

test("what tasks say in a reason becomes neither markup nor a line of its own", () => {
  const evil = "<b>\n::error::x\n| @team `";
  const summary = runOf({ rows: [rowOf("ERROR", null, evil, evil)] }, policy({ failOn: "never", minTaskScore: 1 }));
  assert.doesNotMatch(renderRunMarkdown(summary), /^\*\*(?:Gate|Verdict)\*\*.*(?:<b>|[^\\]@team)/m);
  assert.doesNotMatch(renderRunMarkdown(summary), /^::error/m);
  assert.doesNotMatch(renderConsoleSummary(summary, { runDir: "r", columns: 100, colour: false }), /^::error/m);
  assert.doesNotMatch(renderRunHtml(summary), /<b>\s*::error/);
});
