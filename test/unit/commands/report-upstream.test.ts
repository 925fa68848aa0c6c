import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { reportCommand } from "../../../src/commands/report.ts";
import { InputError } from "../../../src/errors.ts";
import { assertAddsUp, assertSaysTheSame, copyOfUpstream, fixtures } from "./upstream-copy.ts";

// Run directories that coder_eval 0.8.2 and 0.12.16 wrote: read as they are, and made anew from their results.

const finished = [
  "results/all-pass",
  "results/mixed",
  "results/mixed-0.12.16",
  "upstream/drift/run",
  "upstream/execute-0.12.16/run",
  "upstream/docker/run",
  "upstream/dialog/run",
];

for (const name of finished) {
  test(`${name}: the report is made anew with the rows and counts of coder_eval, and a second time without a change`, async () => {
    using run = copyOfUpstream(join(fixtures, name));
    const { written } = run;
    assert.ok(written !== undefined);
    assert.equal((await reportCommand({ runDir: run.path, rebuild: false })).exitCode, 0);
    const { summary, exitCode, problems } = await run.rebuild();
    assert.equal(exitCode, 0);
    assert.equal(problems, "");
    assertSaysTheSame(summary, written);
    assertAddsUp(summary);
    assert.deepEqual((await run.rebuild()).summary, summary);
  });
}

const noList = "neither run.json nor plan.json tells what was to run: tasks that never started are not known";
const cutShort = "cut short before it was graded";

for (const [name, interrupted] of [
  ["interrupted", ["wait-agent-3", "wait-check-4"]],
  ["interrupted-0.12.16", ["wait-agent-1", "wait-agent-4"]],
] as const) {
  test(`${name}: a row that Ctrl-C cut short stays a miss, and the report says that it was never graded`, async () => {
    using run = copyOfUpstream(join(fixtures, "upstream", name, "run"));
    const { summary, text } = await run.rebuild();
    assertAddsUp(summary);
    const failures = summary.task_results.filter((row) => row.status === "FAILURE");
    assert.deepEqual(
      failures.map((row) => [row.task_id, row.failure?.reason]),
      interrupted.map((id) => [id, cutShort]),
    );
    assert.equal(summary.tasks_succeeded, 2);
    assert.match(text, new RegExp(cutShort));
    assert.deepEqual(summary.warnings, [
      ...interrupted.map((id) => `default/${id}/00/task.json: the attempt was cut short; a resume runs it again`),
      noList,
    ]);
  });
}

test("a row that began and left no result is not run, and what never began is told to be unknown", async () => {
  using run = copyOfUpstream(join(fixtures, "upstream/terminated/run"));
  const { summary } = await run.rebuild();
  assertAddsUp(summary);
  assert.deepEqual(
    summary.task_results.map(({ task_id, status }) => [task_id, status]),
    [
      ["wait-check-1", "SUCCESS"],
      ["wait-check-4", "FAILURE"],
    ],
  );
  assert.deepEqual(
    summary.not_run,
    ["wait-agent-1", "wait-check-2"].map((task_id) => ({
      task_id,
      variant_id: "default",
      replicate_index: 0,
      reason: "it began and left no result",
    })),
  );
  assert.deepEqual(summary.warnings, [noList]);
  assert.deepEqual((await run.rebuild()).summary.not_run, summary.not_run);
});

test("a run directory without a report says how to make one", async () => {
  using run = copyOfUpstream(join(fixtures, "upstream/interrupted/run"));
  await assert.rejects(reportCommand({ runDir: run.path, rebuild: false }), (error) => {
    assert.ok(error instanceof InputError);
    assert.match(error.message, /run holds no run: neither run\.md nor run\.json/);
    assert.match(error.hint ?? "", /--rebuild/);
    return true;
  });
});

test("where every task.json is gone, the last that is known of the results is not overwritten", async () => {
  using run = copyOfUpstream(join(fixtures, "upstream/drift/run"));
  for (const path of globSync("default/*/00/task.json", { cwd: run.path })) rmSync(join(run.path, path));
  const before = readFileSync(join(run.path, "run.json"), "utf8");
  await assert.rejects(run.rebuild(), /run\.json with results and not one task\.json/);
  assert.equal(readFileSync(join(run.path, "run.json"), "utf8"), before);
  assert.ok(!existsSync(join(run.path, "run.html")));
});
