import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { createJobProgress } from "../../../src/github/job-progress.ts";
import { finalStatuses } from "../../../src/results/final-status.ts";
import { runRowSchema } from "../../../src/results/run-row.ts";
import { runSummarySchema } from "../../../src/results/run-summary-schema.ts";
import { colonCommandOf, holdsCommand, linesOf } from "../untrusted/runner-parser.ts";

// Foreign text at every place where it can reach the job log, read back by the runner's own rules: only what we meant
// to say is a command.

const pieces = [
  ..."::error::forged|::group::|::endgroup::|::add-mask::e|::stop-commands::x|::error file=a,line=1::|##[error]|##[group]x|##[endgroup]".split(
    "|",
  ),
  ...[":", "::", "#", "##", "[", "]", "##[", " ", "\t", "\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029", "\0", "\b"],
  ...[
    "\u001b[31m",
    "\u001b]0;t\u0007",
    "\u001b[",
    "\u001b",
    "\u009b",
    "\u202e",
    "\u2066",
    "\u200b",
    "\u00ad",
    "\ufeff",
    "\u0301",
    "\u0301".repeat(9),
  ],
  ...["%0A", "%0D", "%25", "%3A", "%2C", "%", ",", "=", ",file=x", "title=", "line=9", "\ud800", "\u{e0041}", "\u3000", "\u00a0"],
];
const piece = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...pieces) },
  { weight: 25, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom("x".repeat(9000), "::error::x\n".repeat(900), "a b ".repeat(3000)) },
);
const hostile = fc.array(piece, { maxLength: 10 }).map((parts) => parts.join(""));

const criterion = fc.record({
  outcome: fc.constantFrom("passed", "missed", "skipped", "noted"),
  type: hostile,
  description: hostile,
  score: fc.constant(0.5),
  threshold: fc.constant(0.9),
  message: fc.option(hostile, { nil: undefined }),
});
const finishedRow = fc.record({
  key: hostile,
  status: fc.constantFrom(...finalStatuses),
  score: fc.constantFrom(null, 0, 0.5),
  seconds: fc.constant(1),
  reason: fc.option(hostile, { nil: undefined }),
  details: fc.option(
    fc.record({
      criteria: fc.array(criterion, { maxLength: 4 }),
      error: fc.option(hostile, { nil: undefined }),
      agentOutput: fc.option(hostile, { nil: undefined }),
      logTail: fc.option(hostile, { nil: undefined }),
    }),
    { nil: undefined },
  ),
});

test("whatever tasks say, the log of a batch holds no command but its groups, each closed before the next thing is said", () => {
  const sayings = fc.record({ rows: fc.array(finishedRow, { maxLength: 3 }), texts: fc.array(hostile, { minLength: 6, maxLength: 6 }) });
  fc.assert(
    fc.property(sayings, ({ rows, texts }) => {
      const [key = "", reason = "", output = "", notice = "", warning = "", other = ""] = texts;
      const writes: string[] = [];
      const progress = createJobProgress({ columns: 120, colour: false, write: (text) => void writes.push(text) }, () => 0);
      progress.started(9, 2, (row) => row);
      for (const row of rows) {
        progress.taskStarted(row.key);
        progress.finished(row);
        progress.output(key, key, output);
        progress.notice(notice);
        progress.warning(warning);
        progress.finding(warning);
      }
      progress.notRun(other, reason);
      progress.close();
      for (const write of writes) checkWrite(write);
    }),
    { numRuns: 600 },
  );
});

/** One write: lines that are no commands, or one whole group of such lines. */
function checkWrite(write: string): void {
  const lines = linesOf(write);
  assert.equal(lines.pop(), "", "a write ends its line");
  const title = lines[0] === undefined ? undefined : colonCommandOf(lines[0]);
  if (title !== undefined) {
    assert.equal(title.name, "group");
    assert.deepEqual(title.properties, {});
    assert.doesNotMatch(title.data, /[\n\r\u0085\u2028\u2029]/u);
    assert.match(title.data, /^\[\d+\/9\] [A-Z_]+ +(?:\d\.\d{3}| – )/);
    assert.equal(holdsCommand(title.data), false, title.data);
    assert.ok(lines[0]?.startsWith("::group::["));
    assert.equal(lines.pop(), "::endgroup::");
    for (const line of lines.slice(1)) assert.ok(line.startsWith("| "), JSON.stringify(line));
  }
  const rest = title === undefined ? lines : lines.slice(1);
  assert.equal(holdsCommand(rest.join("\n")), false, JSON.stringify(rest));
  assert.equal(holdsCommand(rest.map((line) => line.replace(/^\| {1,5}/, "")).join("\n")), false, "without its margin");
}

const taskPath = fc.oneof(hostile, fc.constantFrom("a,b::c.yaml", "%0A.yaml", "gone.yaml"));
const failure = fc.record({
  reason: hostile,
  criteria: fc.array(
    fc.record({
      index: fc.nat(3),
      type: hostile,
      description: hostile,
      score: fc.constant(0),
      pass_threshold: fc.constant(1),
      message: hostile,
    }),
    { maxLength: 2 },
  ),
  criteria_missed: fc.nat(5),
  log_tail: hostile,
});
const runRow = fc
  .record({
    task_id: hostile,
    variant_id: hostile,
    replicate_index: fc.nat(3),
    status: fc.constantFrom(...finalStatuses),
    weighted_score: fc.constantFrom(null, 0, 0.5),
    task_path: taskPath,
    error_message: fc.option(hostile),
    failure: fc.option(failure),
  })
  .map((row) => runRowSchema.parse(row));
const runCase = fc.record({
  summary: fc
    .record({
      task_results: fc.array(runRow, { maxLength: 4 }),
      skipped: fc.array(fc.record({ path: taskPath, reason: hostile }), { maxLength: 2 }),
    })
    .map(({ task_results, skipped }) =>
      runSummarySchema.parse({
        run_id: "r",
        start_time: "",
        end_time: "",
        tasks_run: task_results.length,
        tasks_succeeded: 0,
        tasks_failed: 0,
        tasks_error: 0,
        task_results,
        skipped_tasks: skipped.map((file) => ({ ...file, kind: "invalid" })),
        verdict: "failed",
      }),
    ),
  gate: fc.record({ passes: fc.boolean(), reasons: fc.array(hostile, { maxLength: 2 }), tolerated: fc.array(hostile, { maxLength: 2 }) }),
  issue: fc.record({
    severity: fc.constant("error"),
    code: fc.constant("c"),
    message: hostile,
    field: hostile,
    hint: hostile,
    file: taskPath,
  }),
  prefix: hostile,
});

test("whatever a run's texts are, each annotation is one command with our own properties, and its text opens no other", (t) => {
  const workspace = mkdtempSync(join(tmpdir(), "evalbatch-fuzz-"));
  t.after(() => rmSync(workspace, { recursive: true }));
  mkdirSync(join(workspace, "a,b::c.yaml"));
  writeFileSync(join(workspace, "%0A.yaml"), "success_criteria:\n  - a\n  - b\n");
  const files = new Set(["%0A.yaml", "a,b::c.yaml", "gone.yaml"]);
  const seed = Date.now() % 2 ** 31;
  const cases = fc.sample(runCase, { numRuns: 250, seed });
  const ending = "end-of-case";
  const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "log-fuzz-probe.ts"), workspace, ending], {
    encoding: "utf8",
    env: {},
    input: JSON.stringify(cases),
    maxBuffer: 2 ** 30,
  });
  assert.equal(stderr, "");
  const said = stdout.split(`\n${ending}\n`);
  assert.equal(said.pop(), "");
  assert.equal(said.length, cases.length);
  let annotations = 0;
  for (const [index, output] of said.entries()) {
    for (const line of linesOf(output)) {
      const command = colonCommandOf(line);
      const where = `seed ${seed}, case ${index}: ${JSON.stringify(line)}`;
      if (command === undefined) {
        assert.equal(holdsCommand(line), false, where);
        continue;
      }
      annotations += 1;
      const { name, properties, data } = command;
      assert.ok(line.startsWith("::") && ["error", "warning", "notice"].includes(name), where);
      for (const key of Object.keys(properties)) assert.ok(["title", "file", "line", "col"].includes(key), where);
      assert.doesNotMatch(properties.title ?? "", /[\n\r\u0085\u2028\u2029]/u, where);
      assert.equal(holdsCommand(properties.title ?? ""), false, where);
      assert.equal(holdsCommand(data), false, where);
      const { file = "" } = properties;
      assert.doesNotMatch(file, /\p{Cc}|^\.\.(?:\/|$)|^\/|##\[/u, where);
      if (properties.col === undefined && file !== "") assert.ok(files.has(file), where);
    }
  }
  assert.ok(annotations > cases.length * 2, `${annotations} annotations`);
});

test("the oracle reads what the runner reads", () => {
  assert.deepEqual(colonCommandOf("  ::error file=a%2Cb,line=1,col::50%25%0A::x"), {
    name: "error",
    properties: { file: "a,b", line: "1" },
    data: "50%\n::x",
  });
  assert.equal(colonCommandOf("x ::error::y"), undefined);
  assert.equal(colonCommandOf("::error y"), undefined);
});
