import assert from "node:assert/strict";
import test from "node:test";
import { createJobProgress } from "../../../src/github/job-progress.ts";
import type { CriterionOutcome, FinishedRow, RowDetails, Screen } from "../../../src/progress/progress.ts";

interface Recorded extends Screen {
  readonly writes: string[];
}

function screen(): Recorded {
  const writes: string[] = [];
  return { columns: 120, colour: false, writes, write: (text) => void writes.push(text) };
}

const criterion = (overrides: Partial<CriterionOutcome> = {}): CriterionOutcome => ({
  outcome: "passed",
  type: "file_exists",
  description: "the file is there",
  score: 1,
  threshold: 0.9,
  message: "found it",
  ...overrides,
});

const details = (overrides: Partial<RowDetails> = {}): RowDetails => ({
  criteria: [criterion()],
  error: undefined,
  agentOutput: undefined,
  logTail: undefined,
  ...overrides,
});

const row = (overrides: Partial<FinishedRow> = {}): FinishedRow => ({
  key: "default/a/00",
  status: "FAILURE",
  score: 0.5,
  seconds: 12.3,
  reason: "file_exists: the file is there",
  details: details(),
  ...overrides,
});

/** As the rows of a run without variants and replicates are called. */
const taskOf = (key: string): string => key.split("/")[1] ?? key;

/** What a finished row puts into the log, as the lines of its one write. */
function finished(of: FinishedRow): string[] {
  const out = screen();
  const progress = createJobProgress(out, () => 0);
  progress.started(3, 1, taskOf);
  progress.finished(of);
  progress.close();
  assert.equal(out.writes.length, 2);
  return (out.writes[1] ?? "").trimEnd().split("\n");
}

test("a finished task folds under a line that says how it ended", () => {
  const out = screen();
  const progress = createJobProgress(out, () => 0);
  progress.started(10, 2, taskOf);
  progress.taskStarted("default/a/00");
  progress.finished(
    row({
      details: details({
        criteria: [
          criterion(),
          criterion({ outcome: "missed", type: "command_run", description: "tests pass", score: 0, message: "exit code 1\nnot 0" }),
          criterion({ outcome: "skipped", type: "llm_judge", description: "reads well", score: 0, message: undefined }),
        ],
        error: "it broke\nbadly",
        agentOutput: "I did\nit all",
        logTail: "log 1\nlog 2\n",
      }),
    }),
  );
  progress.close();
  assert.deepEqual(out.writes, [
    "running 10 tasks, at most 2 at a time\n",
    [
      "::group::[1/10] FAILURE   0.500  a  12.3s  file_exists: the file is there",
      "| passed  1.000 of 0.900  file_exists: the file is there",
      "| missed  0.000 of 0.900  command_run: tests pass",
      "|     exit code 1",
      "|     not 0",
      "| skipped   –    llm_judge: reads well",
      "| error:",
      "|     it broke",
      "|     badly",
      "| last lines of the agent's output:",
      "|     I did",
      "|     it all",
      "| last lines of the log:",
      "|     log 1",
      "|     log 2",
      "::endgroup::",
      "",
    ].join("\n"),
  ]);
});

test("of a success only the criteria are told", () => {
  const lines = finished(row({ status: "SUCCESS", score: 1, reason: undefined, details: details({ agentOutput: "done", logTail: "x" }) }));
  assert.deepEqual(lines, [
    "::group::[1/3] SUCCESS   1.000  a  12.3s",
    "| passed  1.000 of 0.900  file_exists: the file is there",
    "::endgroup::",
  ]);
});

test("a task with nothing to unfold is a plain line", () => {
  const line = "[1/3] FAILURE   0.500  a  12.3s  file_exists: the file is there";
  assert.deepEqual(finished(row({ details: undefined })), [line]);
  assert.deepEqual(finished(row({ details: details({ criteria: [], agentOutput: " \n" }) })), [line]);
});

test("of long outputs the end is shown, of long messages start and end, and a sign where something is missing", () => {
  const numbered = Array.from({ length: 1000 }, (_, index) => `line ${index}`).join("\n");
  const lines = finished(
    row({
      details: details({
        criteria: [criterion({ outcome: "missed", message: numbered })],
        logTail: numbered,
        agentOutput: "x".repeat(100_000),
      }),
    }),
  );
  assert.ok(lines.includes("|     line 0") && lines.includes("|     line 999"));
  assert.equal(lines.filter((line) => line === "|     …").length, 3);
  assert.ok(lines.length < 80 && lines.join("\n").length < 20_000, `${lines.length} lines`);
});

test("of very many criteria the missed ones are shown", () => {
  const many = Array.from({ length: 500 }, (_, index) =>
    criterion({ outcome: index < 490 ? "passed" : "missed", description: `c${index}` }),
  );
  const lines = finished(row({ details: details({ criteria: many }) }));
  assert.ok(lines.some((line) => line.includes("missed") && line.endsWith("c499")));
  assert.ok(lines.includes("| … and 460 more criteria"));
});

test("a title is readable when it is folded: on one line, cut, without codes", () => {
  const [title = ""] = finished(row({ key: `x/a\u001b[31m\r\n::error::${"k".repeat(1000)}`, reason: "50% of\u202e it" }));
  assert.match(title, /^::group::\[1\/3\] FAILURE {3}0\.500 {2}a ::error::k+…$/);
  assert.ok(title.length <= 320);
  assert.match(finished(row({ reason: "50% of\u202e it" }))[0] ?? "", / 50%25 of it$/);
});

test("the outputs of thousands of failures together stay within what a browser opens", () => {
  const out = screen();
  const progress = createJobProgress(out, () => 0);
  for (let count = 0; count < 2000; count += 1) progress.finished(row({ details: details({ logTail: "y".repeat(20_000) }) }));
  progress.close();
  assert.equal(out.writes.length, 2000);
  assert.ok(out.writes.join("").length < 6 * 1024 * 1024);
  assert.match(out.writes.at(-1) ?? "", /last lines of the log: not shown/);
});

test("nothing comes between the lines of a group, a sign of life least of all", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let now = 0;
  const out = screen();
  const progress = createJobProgress(out, () => now);
  progress.started(3, 3, taskOf);
  for (const key of ["a", "b", "c"]) progress.taskStarted(key);
  progress.finished(row({ key: "a" }));
  now += 61_000;
  t.mock.timers.tick(61_000);
  progress.notice("n\nm");
  progress.finished(row({ key: "b" }));
  progress.close();
  assert.match(out.writes.join(""), /^\[1\/3\] 2 running: b \(start, 1m 01s\), c/m);
  for (const write of out.writes) {
    const opened = write.match(/^::group::/gm)?.length ?? 0;
    assert.equal(write.match(/^::endgroup::$/gm)?.length ?? 0, opened);
    if (opened > 0) assert.ok(write.startsWith("::group::") && write.endsWith("::endgroup::\n"));
  }
});

test("an error that the title holds already is not said again", () => {
  const lines = finished(
    row({ status: "ERROR", reason: "it broke", details: details({ criteria: [], error: "it broke", logTail: "log" }) }),
  );
  assert.deepEqual(lines.slice(1), ["| last lines of the log:", "|     log", "::endgroup::"]);
});

test("tasks that a stopped run did not start are counted, not listed; those that it interrupted are named", () => {
  const out = screen();
  const progress = createJobProgress(out, () => 0);
  progress.started(9, 2, taskOf);
  progress.taskStarted("default/a/00");
  progress.notRun("default/a/00", "interrupted while running");
  for (const key of ["b", "c"]) progress.notRun(key, "cancelled");
  progress.notRun("d", "disk full");
  progress.close();
  progress.close();
  assert.deepEqual(out.writes.slice(1), [
    "[1/9] not run    a  interrupted while running\n",
    "note: 2 tasks were not started: cancelled\n",
    "note: 1 task was not started: disk full\n",
  ]);
});

test("output of tasks streams as lines behind its task's name", () => {
  const out = screen();
  const progress = createJobProgress(out, () => 0);
  progress.started(1, 1, taskOf);
  progress.output("default/a/00", "stdout", "one\n::error::two\n");
  assert.deepEqual(out.writes.slice(1), ["a stdout | one\na stdout | : :error::two\n"]);
});
