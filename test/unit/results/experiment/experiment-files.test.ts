import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { buildExperimentResult } from "../../../../src/results/experiment/build-experiment.ts";
import { type ExperimentFiles, writeExperimentFiles } from "../../../../src/results/experiment/write-experiment.ts";
import { strictGate } from "../../../../src/results/gate.ts";
import { planChunks } from "../../../../src/results/plan-file.ts";
import { rebuildSummary } from "../../../../src/results/rebuild.ts";
import { selectRunFiles } from "../../../../src/results/run-files.ts";
import { runRowSchema } from "../../../../src/results/run-row.ts";
import { copyOfRun, put, temporaryDirectory } from "../fixtures.ts";

function filesOf(variantIds: readonly string[]): ExperimentFiles {
  const rows = variantIds.map((variant_id) => runRowSchema.parse({ task_id: "t", variant_id, replicate_index: 0, status: "SUCCESS" }));
  const result = buildExperimentResult({ experimentId: "e", description: "", variantIds, rows, durationSeconds: 1 });
  return { result, markdown: "# e", variants: variantIds.map((variantId) => ({ variantId, markdown: `# ${variantId}` })) };
}

const names = (directory: string): string[] => readdirSync(directory, { recursive: true }).map(String).sort();

test("each variant has its files in its own directory, and the run those of the experiment", async () => {
  using directory = temporaryDirectory();
  assert.deepEqual(await writeExperimentFiles(directory.path, filesOf(["a", "b"])), []);
  assert.deepEqual(names(directory.path), [
    "a",
    "a/variant.json",
    "a/variant.md",
    "b",
    "b/variant.json",
    "b/variant.md",
    "experiment.json",
    "experiment.md",
  ]);
  const variant: unknown = JSON.parse(readFileSync(join(directory.path, "b/variant.json"), "utf8"));
  assert.ok(typeof variant === "object" && variant !== null && "variant_id" in variant && variant.variant_id === "b");
});

test("nothing is written of a run without an experiment", async () => {
  using directory = temporaryDirectory();
  assert.deepEqual(await writeExperimentFiles(directory.path, undefined), []);
  assert.deepEqual(names(directory.path), []);
});

test("no id leads out of the run directory or onto a file of the run", async () => {
  using directory = temporaryDirectory();
  const runDir = join(directory.path, "run");
  mkdirSync(runDir);
  await writeExperimentFiles(runDir, filesOf(["../evil", "..", "/abs", "a/../../evil", "variant.json", "__proto__", "x\u0000y"]));
  assert.deepEqual(readdirSync(directory.path), ["run"]);
  assert.ok(existsSync(join(runDir, "experiment.json")));
  assert.ok(existsSync(join(runDir, "__proto__/variant.json")));
});

test("what cannot be written is told and costs nothing else", async () => {
  using directory = temporaryDirectory();
  put(directory.path, "a", "a file where a directory has to be");
  const problems = await writeExperimentFiles(directory.path, filesOf(["a", "b"]));
  assert.equal(problems.length, 2);
  assert.ok(existsSync(join(directory.path, "b/variant.md")) && existsSync(join(directory.path, "experiment.json")));
});

test("the files leave with the artifact", () => {
  const select = selectRunFiles("results");
  for (const path of ["experiment.json", "experiment.md", "a/variant.json", "a/variant.md"])
    assert.equal(select(path, "file").kind, "take", path);
});

test("a rebuild knows the experiment from plan.json", async () => {
  using run = copyOfRun("experiments/ab-repeats");
  const experiment = {
    id: "e",
    description: "words",
    file: "e.yaml",
    variants: [{ id: "candidate", description: "c", prompt: "base prompt" }],
  };
  const head = {
    startTime: new Date(0),
    maxParallel: 1,
    frameworkVersion: "x",
    evalbatchVersion: "x",
    environmentInfo: {},
    gate: strictGate,
  };
  writeFileSync(join(run.path, "plan.json"), [...planChunks("r", { ...head, skippedTasks: [], rows: [], experiment })].join(""));
  const { summary } = await rebuildSummary(run.path, { version: "x" });
  assert.deepEqual(summary.experiment, experiment);
});

test("a rebuild of a run of coder_eval knows the experiment from experiment.json, and one without it does without", async () => {
  using run = copyOfRun("experiments/ab-repeats");
  const { summary } = await rebuildSummary(run.path, { version: "x" });
  assert.deepEqual(summary.experiment, {
    id: "ab-compare",
    description: "Baseline against candidate, two repeats each",
    file: null,
    variants: ["baseline", "candidate"].map((id) => ({ id, description: "", prompt: null })),
  });
  writeFileSync(join(run.path, "experiment.json"), "{ broken");
  const broken = await rebuildSummary(run.path, { version: "x" });
  assert.equal(broken.summary.experiment, null);
  assert.equal(broken.summary.tasks_run, 6);
  assert.deepEqual(broken.summary.warnings, []);
});

test("the numbers of a rebuilt run are those of its task.json files", async () => {
  using run = copyOfRun("experiments/ab-repeats");
  const written: unknown = JSON.parse(readFileSync(join(run.path, "experiment.json"), "utf8"));
  const { summary } = await rebuildSummary(run.path, { version: "x" });
  const rebuilt = buildExperimentResult({
    experimentId: "ab-compare",
    description: "Baseline against candidate, two repeats each",
    variantIds: ["baseline", "candidate"],
    rows: summary.task_results,
    durationSeconds: 1,
  });
  assert.ok(typeof written === "object" && written !== null && "per_replicate_scores" in written && "task_summaries" in written);
  assert.deepEqual(rebuilt.per_replicate_scores, written.per_replicate_scores);
  assert.deepEqual(rebuilt.task_summaries, written.task_summaries);
});
