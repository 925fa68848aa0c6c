import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { buildExperimentResult } from "../../../../src/results/experiment/build-experiment.ts";
import { type ExperimentResult, experimentResultSchema } from "../../../../src/results/experiment/experiment-schema.ts";
import { type RunSummary, runSummarySchema } from "../../../../src/results/run-summary-schema.ts";
import { isObject } from "../../../../src/results/tolerant.ts";
import { fixtureRuns } from "../fixtures.ts";

// Runs that coder_eval 0.8.2 and 0.12.16 wrote.

const read = (path: string): unknown => JSON.parse(readFileSync(join(fixtureRuns, path), "utf8"));
const rowsOf = (path: string): RunSummary => runSummarySchema.parse(read(path));

interface Written {
  readonly experiment_id: string;
  readonly description: string;
  readonly variant_ids: readonly string[];
}

function isWritten(value: unknown): value is Written {
  return isObject(value) && typeof value.experiment_id === "string" && Array.isArray(value.variant_ids);
}

function built(run: RunSummary, written: unknown): ExperimentResult {
  assert.ok(isWritten(written));
  return buildExperimentResult({
    experimentId: written.experiment_id,
    description: written.description,
    variantIds: written.variant_ids,
    rows: run.task_results,
    durationSeconds: run.total_duration_seconds,
  });
}

/** Every key that coder_eval wrote, in its order, with its value; keys of ours and of later versions may stand between them. */
function assertHolds(ours: unknown, theirs: unknown, path = ""): void {
  if (typeof theirs === "number" && typeof ours === "number") {
    assert.ok(Math.abs(ours - theirs) <= 1e-12 * Math.max(1, Math.abs(theirs)), `${path}: ${ours}, written ${theirs}`);
    return;
  }
  if (Array.isArray(theirs)) {
    assert.ok(Array.isArray(ours) && ours.length === theirs.length, path);
    for (const [index, item] of theirs.entries()) assertHolds(ours[index], item, `${path}[${index}]`);
    return;
  }
  if (!isObject(theirs)) {
    assert.equal(ours, theirs, path);
    return;
  }
  assert.ok(isObject(ours), path);
  const keys = Object.keys(theirs);
  assert.deepEqual(
    Object.keys(ours).filter((key) => keys.includes(key)),
    keys,
    path,
  );
  for (const key of keys) assertHolds(ours[key], theirs[key], `${path}.${key}`);
}

const runs = [
  { name: "two variants, two replicates", run: "experiments/ab/run.json", at: "experiments/ab", variants: ["baseline", "candidate"] },
  {
    name: "three replicates by a flag",
    run: "experiments/ab-repeats/run.json",
    at: "experiments/ab-repeats",
    variants: ["baseline", "candidate"],
  },
  {
    name: "the same by 0.12.16",
    run: "experiments/ab-0.12.16/run.json",
    at: "experiments/ab-0.12.16",
    variants: ["baseline", "candidate"],
  },
  {
    name: "nothing graded by 0.12.16",
    run: "experiments/ungraded-0.12.16/run.json",
    at: "experiments/ungraded-0.12.16",
    variants: ["default"],
  },
  { name: "rows of datasets", run: "dataset/run.json", at: "experiments/dataset", variants: ["default"] },
  { name: "layers", run: "experiments/layers/run.json", at: "experiments/layers", variants: ["loud", "quiet", "replaced"] },
  { name: "errors and failures of all kinds", run: "mixed/run.json", at: "experiments/mixed", variants: ["default"] },
] as const;

for (const { name, run, at, variants } of runs) {
  test(`experiment.json and variant.json are those that coder_eval made of the same rows: ${name}`, () => {
    const written = read(`${at}/experiment.json`);
    const result = built(rowsOf(run), written);
    assertHolds(result, written);
    for (const id of variants) assertHolds(result.variant_aggregates[id], read(`${at}/${id}/variant.json`));
    assert.deepEqual(experimentResultSchema.parse(JSON.parse(JSON.stringify(result))), result);
  });
}
