import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { systemClock } from "../../../src/clock.ts";
import { reportCommand } from "../../../src/commands/report.ts";
import { runCommand } from "../../../src/commands/run.ts";
import { createPlainProgress } from "../../../src/progress/plain-progress.ts";
import { strictGate } from "../../../src/results/gate.ts";
import { type SuiteRollup, suiteRollupSchema } from "../../../src/results/suites/suite-rollup-schema.ts";
import { taskFolder } from "../plan/task-folder.ts";

const hostSecret = "h0st-value-0123456789";

const task = `task_id: labels
description: every row passes, the suite decides
agent: {type: none}
sandbox: {python: null, template_sources: [{type: template_dir, path: answers}]}
dataset:
  rows: [{id: a, label: "yes"}, {id: b, label: "no"}, {id: c, label: ${hostSecret}}, {id: d, label: "yes"}]
success_criteria:
  - type: classification_match
    description: "label of \${row.id}"
    path: answer.txt
    expected_label: "\${row.label}"
    allowed_labels: ["yes", "no", ${hostSecret}]
    pass_threshold: 0
    suite_thresholds: {accuracy: 0.7}
`;
/** `once` can be made by the first row alone. */
const broken = (once: string, mean: string) => `task_id: broken
description: one row cannot be set up
agent: {type: none}
sandbox: {python: null, template_sources: [{type: template_dir, path: answers}]}
pre_run: [{command: 'mkdir "${once}"'}]
dataset: {rows: [{id: x1}, {id: x2}]}
success_criteria:
  - {type: file_exists, description: there, path: answer.txt, suite_thresholds: {mean: ${mean}}}
`;

async function runIn(cwd: string, stopAfter = Number.POSITIVE_INFINITY) {
  const stop = new AbortController();
  const log: string[] = [];
  const progress = createPlainProgress({ columns: 120, colour: false, write: (text) => void log.push(text) }, () => 0);
  let finished = 0;
  const outcome = await runCommand(
    {
      patterns: ["*.yaml"],
      cwd,
      runDir: "run",
      variants: [],
      overrides: { set: [], driver: "tempdir" },
      sampling: { runSeed: "run" },
      tags: [],
      excludeTags: [],
      includeSkipped: false,
      maxParallel: 1,
      gate: strictGate,
      verbose: false,
      env: { PATH: process.env.PATH, DEPLOY_TOKEN: hostSecret },
      taskEnv: {},
    },
    {
      clock: systemClock,
      progress: {
        ...progress,
        finished(row) {
          progress.finished(row);
          finished += 1;
          if (finished >= stopAfter) stop.abort();
        },
      },
      machine: { cpus: 2, memoryBytes: 2 ** 32 },
      signal: stop.signal,
    },
  );
  return { ...outcome, log: log.join("") };
}

async function suiteFile(cwd: string, suite: string): Promise<SuiteRollup> {
  return suiteRollupSchema.parse(JSON.parse(await readFile(join(cwd, "run/default", suite, "suite.json"), "utf8")));
}

test("a run whose rows all pass fails for its suite, writes what it found, and a rebuild comes to the same", async () => {
  await using folder = await taskFolder({ "labels.yaml": task, "answers/answer.txt": "yes" });
  const outcome = await runIn(folder.path);
  assert.deepEqual([outcome.summary.tasks_succeeded, outcome.summary.verdict, outcome.exitCode], [4, "failed", 1]);
  assert.deepEqual(outcome.summary.verdict_reasons, ["suite labels: accuracy 0.5, at least 0.7 asked (classification_match)"]);
  const rollup = await suiteFile(folder.path, "labels");
  assert.deepEqual([rollup.rows_total, rollup.rows_passed, rollup.passed, rollup.undecided], [4, 4, false, false]);
  assert.match(await readFile(join(folder.path, "run/default/labels/suite.md"), "utf8"), /^\*\*Suite gate\*\*: FAILED$/m);
  assert.match(outcome.markdown, /^## Suites$/m);
  await reportCommand({ runDir: join(folder.path, "run"), rebuild: true });
  assert.deepEqual(await suiteFile(folder.path, "labels"), rollup);
  const rebuilt = JSON.parse(await readFile(join(folder.path, "run/run.json"), "utf8"));
  assert.deepEqual(rebuilt.suites, outcome.summary.suites);
  assert.deepEqual(rebuilt.verdict_reasons, outcome.summary.verdict_reasons);
});

test("a row that could not be set up is a miss of its suite: 1 of 2 holds a mean of 0.5 and no more", async () => {
  for (const [asked, passed] of [
    ["0.5", true],
    ["0.6", false],
  ] as const) {
    await using folder = await taskFolder({ "answers/answer.txt": "yes" });
    await writeFile(join(folder.path, "broken.yaml"), broken(join(folder.path, "once"), asked));
    await runIn(folder.path);
    const rollup = await suiteFile(folder.path, "broken");
    assert.deepEqual([rollup.rows_error, rollup.passed, rollup.criterion_aggregates[0]?.metrics_graded?.mean], [1, passed, 1]);
  }
});

test("a run that is cut short leaves the gate open, knows what the other rows were to be, and shows no secret", async () => {
  await using folder = await taskFolder({ "labels.yaml": task, "answers/answer.txt": "yes" });
  const outcome = await runIn(folder.path, 1);
  assert.equal(outcome.summary.verdict, "incomplete");
  const rollup = await suiteFile(folder.path, "labels");
  assert.ok(rollup.rows_not_run > 0, "some row was not run");
  assert.deepEqual([rollup.rows_total, rollup.passed, rollup.undecided], [4, false, true]);
  const [aggregate] = rollup.criterion_aggregates;
  assert.ok(aggregate !== undefined && "per_label" in aggregate.details);
  assert.deepEqual(
    aggregate.details.per_label.map(({ label, support }) => [label, support]),
    [
      ["(error)", 0],
      ["***", 1],
      ["no", 1],
      ["yes", 2],
    ],
  );
  for (const name of ["suite.json", "suite.md"]) {
    assert.doesNotMatch(await readFile(join(folder.path, "run/default/labels", name), "utf8"), new RegExp(hostSecret));
  }
  assert.match(outcome.summary.verdict_reasons.join("; "), /suite labels: accuracy [\d.]+, at least 0\.7 asked/);
});

test("a row called suite.json is a row like any other", async () => {
  const named = task.replaceAll("id: a,", "id: suite.json,").replace("accuracy: 0.7", "accuracy: 0.1");
  await using folder = await taskFolder({ "labels.yaml": named, "answers/answer.txt": "yes" });
  const outcome = await runIn(folder.path);
  assert.deepEqual([outcome.summary.verdict, outcome.exitCode], ["passed", 0]);
  // The directory of such a row gets another name, so that nothing is in the way.
  assert.doesNotMatch(outcome.log, /could not be written/);
  assert.equal((await suiteFile(folder.path, "labels")).rows_total, 4);
});
