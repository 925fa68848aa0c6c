import assert from "node:assert/strict";
import test from "node:test";
import { createPlainProgress } from "../../../src/progress/plain-progress.ts";
import type { FinishedRow, Progress, Screen } from "../../../src/progress/progress.ts";
import { formatSeconds } from "../../../src/progress/tally.ts";
import { createTtyProgress } from "../../../src/progress/tty-progress.ts";

function screen(columns = 80, colour = false): Screen & { readonly text: () => string } {
  let written = "";
  return {
    columns,
    colour,
    write: (text) => {
      written += text;
    },
    text: () => written,
  };
}

const row = (overrides: Partial<FinishedRow> = {}): FinishedRow => ({
  key: "default/a/00",
  status: "SUCCESS",
  score: 1,
  seconds: 1.23,
  reason: undefined,
  ...overrides,
});

/** As the rows of a run without variants and replicates are called. */
const taskOf = (key: string): string => key.split("/").slice(1, -1).join("/");

function play(progress: Progress): void {
  progress.started(3, 2, taskOf);
  progress.taskStarted("default/a/00");
  progress.stage("default/a/00", "agent");
  progress.finished(row());
  progress.taskStarted("default/b/00");
  progress.finished(row({ key: "default/b/00", status: "FAILURE", score: 0.5, reason: "file 'x'\nis missing" }));
  progress.notRun("default/c/00", "cancelled");
  progress.close();
}

test("plain: one line for each row, counted against the total", () => {
  const out = screen();
  play(createPlainProgress(out, () => 0));
  assert.equal(
    out.text(),
    [
      "running 3 tasks, at most 2 at a time",
      "[1/3] SUCCESS   1.000  a  1.2s",
      "[2/3] FAILURE   0.500  b  1.2s  file 'x' is missing",
      "[3/3] not run    c  cancelled",
      "",
    ].join("\n"),
  );
});

test("plain: a hostile task name can't forge a workflow command or a second line", () => {
  const out = screen();
  const progress = createPlainProgress(out, () => 0);
  progress.started(1, 1, (key) => key);
  progress.finished(row({ key: "x\n::error::forged\u001b[31m##[group]" }));
  progress.close();
  for (const line of out.text().split("\n")) {
    assert.doesNotMatch(line, /^\s*::/);
    assert.doesNotMatch(line, /##\[/);
    assert.ok(!line.includes("\u001b"));
  }
});

test("plain: a row without a score shows a dash, not 0", () => {
  const out = screen();
  const progress = createPlainProgress(out, () => 0);
  progress.finished(row({ status: "BUILD_FAILED", score: null }));
  progress.close();
  assert.match(out.text(), /BUILD_FAILED\s+–\s/);
});

test("a row has one name wherever it is told of: while it runs, in its output, when it ends and when it does not run", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const names = new Map([
    ["polite/flaky/00", "flaky (polite, 00)"],
    ["polite/flaky/01", "flaky (polite, 01)"],
  ]);
  for (const create of [createPlainProgress, createTtyProgress]) {
    const out = screen(120);
    let now = 0;
    const progress = create(out, () => now);
    progress.started(2, 2, (key) => names.get(key) ?? key);
    for (const key of names.keys()) progress.taskStarted(key);
    progress.output("polite/flaky/00", "stdout", "hello");
    now = 61_000;
    t.mock.timers.tick(60_000);
    progress.finished(row({ key: "polite/flaky/00" }));
    progress.notRun("polite/flaky/01", "cancelled");
    progress.close();
    const text = out.text();
    assert.match(text, /^flaky \(polite, 00\) stdout \| hello$/m);
    assert.match(text, /(?:running: |start {5})flaky \(polite, 00\)/);
    assert.match(text, /SUCCESS {3}1\.000 {2}flaky \(polite, 00\) {2}1\.2s/);
    assert.match(text, /not run .* flaky \(polite, 01\) {2}cancelled/);
    assert.doesNotMatch(text, /polite\//);
  }
});

test("tty: draws the running tasks with their time and clears them at the end", () => {
  const out = screen(60);
  let now = 0;
  const progress = createTtyProgress(out, () => now);
  progress.started(2, 2, taskOf);
  progress.taskStarted("default/a/00");
  now = 5000;
  progress.finished(row());
  progress.close();
  assert.match(out.text(), /running 2 tasks, at most 2 at a time/);
  assert.match(out.text(), /SUCCESS\s+1\.000 {2}a {2}1\.2s/);
  assert.ok(!out.text().endsWith("running, "));
});

test("tty: no line is wider than the screen", async () => {
  const out = screen(40);
  const progress = createTtyProgress(out, () => 0);
  progress.started(1, 1, taskOf);
  progress.taskStarted(`default/${"long".repeat(40)}/00`);
  await new Promise((resolve) => setTimeout(resolve, 150));
  progress.close();
  const live = out
    .text()
    .split("\n")
    .filter((line) => line.includes("long"));
  assert.ok(live.length > 0);
  for (const line of live) assert.ok([...line].length < 40, line);
});

test("seconds are written as a person reads them", () => {
  assert.equal(formatSeconds(0.04), "0.0s");
  assert.equal(formatSeconds(59.94), "59.9s");
  assert.equal(formatSeconds(65), "1m 05s");
  assert.equal(formatSeconds(3 * 3600 + 120), "3h 02m");
});
