import assert from "node:assert/strict";
import test from "node:test";
import {
  asRecorded,
  type ExperimentFacts,
  experimentEnv,
  experimentOption,
  inCommon,
  planCorpus,
  readExperimentFacts,
  skip,
  versions,
} from "./corpus.ts";

type Selected = NonNullable<ExperimentFacts["selected"]>[number];

/** The tasks of one file in an experiment, with the flags of the recorded selection. */
async function tasksOf(experiment: string, file: string) {
  const { tasks } = await planCorpus({
    patterns: [file],
    experiment: experimentOption(experiment),
    overrides: { set: ["run_limits.max_turns=12"] },
    includeSkipped: true,
    env: experimentEnv,
  });
  return tasks;
}

const compared: Readonly<Record<string, number>> = { "0.8.2": 152, "0.12.16": 120 };

for (const version of versions)
  test(`real tasks in real experiments have the values and the lineage that ${version} gave them`, { skip }, async () => {
    let count = 0;
    for (const { file: experiment, selected = [] } of readExperimentFacts(version))
      for (const facts of selected.filter((one) => one.count > 0)) count += await compare(experiment, facts, version === "0.8.2");
    assert.equal(count, compared[version]);
  });

async function compare(experiment: string, { file, count, tasks }: Selected, exactly: boolean): Promise<number> {
  const mine = await tasksOf(experiment, file);
  assert.equal(mine.length, count, `${experiment} ${file}`);
  for (const { resolved, lineage, ...identity } of tasks) {
    const name = `${experiment} ${identity.variant_id} ${identity.task_id}`;
    const one = mine.find(
      ({ taskId, variantId, replicateIndex }) =>
        taskId === identity.task_id && variantId === identity.variant_id && replicateIndex === identity.replicate_index,
    );
    assert.ok(one, name);
    assert.deepEqual([one.task.suite_id, one.task.row_id], [identity.suite_id, identity.row_id], name);
    assert.deepEqual(asRecorded(one.lineage), lineage, name);
    assert.deepEqual(Object.keys(one.lineage), Object.keys(lineage), name);
    if (exactly) assert.deepEqual(asRecorded(one.task), resolved, name);
    else assert.deepEqual(inCommon(asRecorded(one.task)), inCommon(resolved), name);
  }
  return tasks.length;
}
