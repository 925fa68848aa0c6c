import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { reportCommand } from "../../../src/commands/report.ts";
import type { RunSummary } from "../../../src/results/run-summary-schema.ts";
import { assertAddsUp, assertSaysTheSame, collection, copyOfUpstream } from "./upstream-copy.ts";

// Every run directory of the collection: those that came to their end say after a rebuild what coder_eval said; what differs is named here.

const skip = existsSync(collection) ? false : `there is no ${collection}`;
const found = skip === false ? globSync("**/{run.json,resume_fingerprint.json}", { cwd: collection }).map(dirname) : [];
const runs = [...new Set(found)].filter((path) => !path.split("/").includes("artifacts")).sort();

/** Summaries without results: coder_eval wrote them elsewhere, or their results were taken away. */
const withoutResults = ["aggregated", "aggregated-without-run-json", "rebuilt-0.12.16", "resumed-0.12.16"].map(
  (name) => `9-damaged/${name}`,
);
const damaged = ["9-damaged/damaged", "9-damaged/resumed"];

const statuses = (summary: RunSummary) =>
  Object.fromEntries(summary.task_results.map((row) => [`${row.task_id}/${row.replicate_index}`, row.status]));

test("the collection is whole", { skip }, () => {
  assert.ok(runs.length >= 50, `${runs.length} run directories in ${collection}`);
  for (const name of [...withoutResults, ...damaged]) assert.ok(runs.includes(name), name);
});

for (const name of runs.filter((run) => !withoutResults.includes(run) && !damaged.includes(run))) {
  test(`${name} is reported and made anew`, { skip }, async () => {
    using run = copyOfUpstream(join(collection, name));
    const { written } = run;
    if (written !== undefined) assert.equal((await reportCommand({ runDir: run.path, rebuild: false })).exitCode, 0);
    const { summary, exitCode, problems } = await run.rebuild();
    assertAddsUp(summary);
    if (written === undefined) {
      assert.match(summary.warnings.join("\n"), /tasks that never started are not known/);
    } else {
      assertSaysTheSame(summary, written);
      assert.equal(problems, "");
      assert.equal(exitCode, 0);
    }
    assert.deepEqual((await run.rebuild()).summary, summary);
  });
}

test("9-damaged: what cannot be read is listed and counts as an error; the failed and the broken rows do not vanish", {
  skip,
}, async () => {
  using run = copyOfUpstream(join(collection, "9-damaged/damaged"));
  const { summary, exitCode, problems } = await run.rebuild();
  assertAddsUp(summary);
  assert.equal(exitCode, 1);
  assert.deepEqual(statuses(summary), {
    "empty-task/0": "ERROR",
    "extra-field/3": "SUCCESS",
    "list-task/0": "ERROR",
    "low-score/0": "ERROR",
    "odd-layout/0": "SUCCESS",
    "odd-layout/7": "SUCCESS",
    "passes/0": "SUCCESS",
    "prepared-files/0": "SUCCESS",
    "scripted-greeting/0": "SUCCESS",
    "setup-fails/0": "ERROR",
    "zero-weight-fails/0": "ERROR",
  });
  const reasons = Object.fromEntries(summary.unreadable.map(({ path, reason }) => [path, reason]));
  const unusable = ["empty-task", "list-task", "low-score", "passes-copy", "setup-fails", "zero-weight-fails"];
  assert.deepEqual(
    Object.keys(reasons).sort(),
    unusable.map((id) => `default/${id}/00/task.json`),
  );
  for (const [path, reason] of Object.entries(reasons)) assert.ok(problems.includes(`${path}: ${reason}`), path);
});

test("9-damaged: what an agent made is never a result, in no file that is written", { skip }, async () => {
  for (const name of damaged) {
    using run = copyOfUpstream(join(collection, name));
    await run.rebuild();
    for (const file of ["run.json", "run.md", "run.html"]) {
      assert.doesNotMatch(readFileSync(join(run.path, file), "utf8"), /forged-by-agent/, `${name}/${file}`);
    }
  }
});

test("9-damaged: a resume of coder_eval repaired three results; the broken ones that it never looks at are still listed", {
  skip,
}, async () => {
  using run = copyOfUpstream(join(collection, "9-damaged/resumed"));
  const { written } = run;
  const { summary } = await run.rebuild();
  assertAddsUp(summary);
  assert.deepEqual(
    summary.unreadable.map(({ path }) => path).sort(),
    ["empty-task", "list-task", "passes-copy"].map((id) => `default/${id}/00/task.json`),
  );
  const now = statuses(summary);
  for (const row of written?.task_results ?? []) assert.equal(now[`${row.task_id}/${row.replicate_index}`], row.status, row.task_id);
});

for (const name of withoutResults) {
  test(`${name} has no task.json: its run.json is shown and never overwritten`, { skip }, async () => {
    using run = copyOfUpstream(join(collection, name));
    const before = readFileSync(join(run.path, "run.json"), "utf8");
    assert.equal((await reportCommand({ runDir: run.path, rebuild: false })).exitCode, 0);
    await assert.rejects(run.rebuild(), /not one task\.json/);
    assert.equal(readFileSync(join(run.path, "run.json"), "utf8"), before);
  });
}
