import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { renderSuiteMarkdown } from "../../../../src/report/suite-markdown.ts";
import { rebuildSummary } from "../../../../src/results/rebuild.ts";
import { type SuiteRollup, suiteRollupSchema } from "../../../../src/results/suites/suite-rollup-schema.ts";
import { isObject } from "../../../../src/results/tolerant.ts";
import { fixtureRuns } from "../fixtures.ts";

/** Keys that 0.8.2 does not write. */
const later = new Set(["rows_not_graded", "rows_graded"]);
const ours = new Set(["rows_not_run", "undecided", "index", "metrics_graded", "rows_passed_on_retry", "pass_rate_interval"]);

async function rollupsOf(run: string): Promise<ReadonlyMap<string, SuiteRollup>> {
  const { suites } = await rebuildSummary(join(fixtureRuns, run), { version: "0.1.0" });
  return new Map(suites.map((suite) => [suite.suite_id, suite]));
}

const written = (run: string, suite: string, name: string) => readFileSync(join(fixtureRuns, run, "default", suite, name), "utf8");

/** Key order counts: compared as text. */
const textWithout = (value: unknown, keys: ReadonlySet<string>) =>
  JSON.stringify(value, (key, part: unknown) => (keys.has(key) ? undefined : part), 1);

for (const [run, suite] of [
  ["dataset", "sentiment"],
  ["dataset", "sentiment-gate"],
  ["dataset-sample", "sentiment"],
  ["dataset-0.12.16", "skills"],
] as const) {
  test(`where every row has its results, suite.json is coder_eval's to the last digit: ${suite} of ${run}`, async () => {
    const rollup = (await rollupsOf(run)).get(suite);
    const theirs: unknown = JSON.parse(written(run, suite, "suite.json"));
    assert.equal(textWithout(rollup, run.endsWith("0.12.16") ? ours : new Set([...ours, ...later])), textWithout(theirs, new Set()));
    assert.ok(rollup?.criterion_aggregates.every(({ metrics_graded }) => metrics_graded === null));
  });
}

test("a sample tells only of criteria that missed their threshold, as from 0.12", async () => {
  const rollup = (await rollupsOf("dataset")).get("skills");
  const theirs: unknown = JSON.parse(written("dataset", "skills", "suite.json"));
  const without = new Set([...ours, ...later, "failed_samples"]);
  assert.equal(textWithout(rollup, without), textWithout(theirs, without));
  const count = (value: unknown) =>
    isObject(value) && Array.isArray(value.failed_samples) && isObject(value.failed_samples[0])
      ? value.failed_samples[0].failure_reasons
      : 0;
  assert.equal(rollup?.failed_samples[0]?.failure_reasons.length, 1);
  assert.deepEqual(count(theirs), [
    "observed='yes', expected='no' (skill_name='alpha')",
    "observed='no', expected='yes' (skill_name='beta')",
  ]);
});

for (const run of ["dataset", "dataset-0.12.16"]) {
  test(`a row that ended in an error fails the gate that coder_eval's lets pass, and its numbers stand beside ours: ${run}`, async () => {
    const rollup = (await rollupsOf(run)).get("row-errors");
    const theirs = suiteAsWritten(written(run, "row-errors", "suite.json"));
    assert.deepEqual([theirs.passed, theirs.mean], [true, 0.5]);
    assert.ok(rollup !== undefined);
    const [aggregate] = rollup.criterion_aggregates;
    assert.deepEqual([rollup.passed, rollup.undecided, aggregate?.metrics.mean], [false, false, 1 / 3]);
    assert.deepEqual(aggregate?.metrics_graded, theirs.metrics);
    assert.equal(aggregate?.metrics.completion_rate, theirs.metrics.completion_rate);
    const changed = new Set([...ours, ...later, "metrics", "threshold_checks", "passed"]);
    assert.equal(textWithout(rollup, changed), textWithout(JSON.parse(written(run, "row-errors", "suite.json")), changed));
  });
}

function suiteAsWritten(text: string) {
  const read: unknown = JSON.parse(text);
  assert.ok(isObject(read) && Array.isArray(read.criterion_aggregates));
  const [aggregate] = read.criterion_aggregates.filter(isObject);
  const metrics = suiteRollupSchema.shape.criterion_aggregates.element.shape.metrics.parse(aggregate?.metrics);
  return { passed: read.passed, mean: metrics.mean, metrics };
}

test("suite.md has coder_eval's lines, but for links that lead nowhere", async () => {
  for (const suite of ["sentiment", "sentiment-gate"]) {
    const rollup = (await rollupsOf("dataset")).get(suite);
    assert.ok(rollup !== undefined);
    const lines = (text: string) => text.split("\n").map((line) => line.trimEnd());
    const own = (line: string) => /^(?:Criterion \d+: |- `)/.test(line) || line === "";
    const [ourLines, theirLines] = [renderSuiteMarkdown(rollup), written("dataset", suite, "suite.md")].map(lines);
    assert.deepEqual(
      ourLines?.filter((line) => !own(line)),
      theirLines?.filter((line) => !line.startsWith("- [task.json]") && line !== ""),
    );
  }
});

test("a rebuild tells of the suites in run.json and in the reasons of its verdict", async () => {
  const { summary } = await rebuildSummary(join(fixtureRuns, "dataset"), { version: "0.1.0" });
  assert.deepEqual(
    summary.suites.map(({ suite_id, rows_total, checks, checks_failed, passed }) => [suite_id, rows_total, checks, checks_failed, passed]),
    [
      ["row-errors", 3, 1, 1, false],
      ["skills", 4, 3, 1, false],
      ["sentiment-gate", 4, 3, 2, false],
      ["sentiment", 8, 5, 1, false],
    ],
  );
  assert.deepEqual(summary.verdict_reasons.slice(2), [
    "suite row-errors: mean 0.333, at least 0.5 asked (run_command)",
    "suite skills: recall.yes 0, at least 0.5 asked (skill_triggered, criterion 2)",
    "suite sentiment-gate: accuracy 0.75, at least 0.9 asked (classification_match) and 1 more",
    "suite sentiment: f1.neutral 0, at least 0.1 asked (classification_match)",
  ]);
});
