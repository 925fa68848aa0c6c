import assert from "node:assert/strict";
import test from "node:test";
import type { z } from "zod";
import { planJsonSchema } from "../../../src/commands/plan-json.ts";
import { runCliMain } from "../commands/cli-process.ts";
import {
  experimentEnv,
  experimentOption,
  type RunFacts,
  readExperimentFacts,
  readTaskFacts,
  shared,
  skip,
  type Version,
  versions,
} from "./corpus.ts";

// The four recorded selections of every real experiment over all real files, at the command line. Their list of files was
// sorted by name, as ours is.

const withoutData = "corpus/tasks/activation/activation.yaml";

async function planOf(experiment: string, flags: string) {
  const option = experimentOption(experiment);
  const words = flags === "no flags" ? [] : flags.split(" ");
  const args = ["plan", "corpus/tasks", "--json", ...(option === undefined ? [] : ["-e", option]), ...words];
  const { code, stdout, stderr } = await runCliMain(args, shared, experimentEnv);
  assert.equal(code, stdout.includes(`"path": "${withoutData}"`) ? 1 : 0, stderr);
  const plan = planJsonSchema.parse(JSON.parse(stdout));
  for (const { model, run_limits } of plan.tasks) {
    if (words.includes("--model")) assert.equal(model, "model-from-flag");
    if (words.includes("run_limits.max_turns=7")) assert.equal(run_limits.max_turns, 7);
  }
  return plan;
}

const experiments = skip === false ? readExperimentFacts("0.8.2") : [];
test("there are nine real experiments, and one of them is a template that no version loads", { skip }, () => {
  assert.equal(experiments.length, 8);
});

for (const { file, runs = [] } of experiments)
  test(`${file} makes the tasks, variants and replicates that both versions made, with every recorded selection`, async () => {
    assert.equal(runs.length, 4);
    for (const { flags } of runs) {
      const plan = await planOf(file, flags);
      for (const version of versions) compare(plan, version, factsOf(version, file, flags), `${file} ${flags} ${version}`);
    }
  });

function factsOf(version: Version, file: string, flags: string): RunFacts {
  const facts = readExperimentFacts(version).find((one) => one.file === file);
  const run = facts?.runs?.find((one) => one.flags === flags);
  assert.ok(run !== undefined);
  return run;
}

function compare(plan: z.infer<typeof planJsonSchema>, version: Version, facts: RunFacts, name: string): void {
  const refused = readTaskFacts(version)
    .filter(({ load }) => load === "error")
    .map(({ file }) => file);
  const inBoth = plan.tasks.filter(({ file }) => !refused.includes(file));
  const mine = inBoth.map(({ task_id, variant_id, replicate_index }) => [task_id, variant_id, replicate_index]);
  assert.equal(mine.length, facts.resolved, name);
  assert.deepEqual(
    countBy(inBoth, ({ variant_id }) => variant_id),
    facts.by_variant,
    name,
  );
  assert.deepEqual(
    countBy(inBoth, ({ replicate_index }) => String(replicate_index)),
    facts.by_replicate,
    name,
  );
  assert.deepEqual(mine.slice(0, 10), facts.first_ten, name);
  if (facts.task_ids !== null)
    assert.deepEqual(
      mine.map(([id]) => id),
      facts.task_ids,
      name,
    );
  // What a filter leaves out is not read any further: missing data is no fault of such a run.
  const skipped = new Set([...plan.skipped.map(({ path }) => path), ...refused, ...(name.includes("--tags smoke") ? [withoutData] : [])]);
  assert.deepEqual([...skipped].toSorted(), facts.skipped_paths.toSorted(), name);
  assert.equal(facts.skipped, facts.skipped_paths.length, name);
}

function countBy<Item>(items: readonly Item[], wordOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[wordOf(item)] = (counts[wordOf(item)] ?? 0) + 1;
  return counts;
}
