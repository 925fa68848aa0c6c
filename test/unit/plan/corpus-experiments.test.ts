import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";
import { z } from "zod";
import { builtInExperiment } from "../../../src/plan/experiment/default-experiment.ts";
import { loadExperiment } from "../../../src/plan/experiment/load-experiment.ts";
import { loadTask } from "../../../src/plan/load.ts";
import { parseOverrides } from "../../../src/plan/overrides/parse-overrides.ts";
import { resolveFile } from "../../../src/plan/resolve-file.ts";

// Real experiments over real task files, and what the Python tool makes of them. They lie beside the repository.
const root = resolve(import.meta.dirname, "../../..");
const shared = resolve(process.env.EVALBATCH_SHARED ?? join(root, "../shared"));
const factsFile = (version: string) => join(shared, `corpus-expected/experiments${version}.json`);
const skip = existsSync(factsFile("")) ? false : `no corpus at ${shared} (EVALBATCH_SHARED)`;
const env = { SKILLS_REPO_PATH: "/skills", HOME: "/home/me", SG_UIPATH_HOME: "/uipath", SG_EMPTY_SKILLS: "/empty" };

const tree = z.record(z.string(), z.unknown());
const taskSchema = z.object({
  task_id: z.string(),
  variant_id: z.string(),
  replicate_index: z.number(),
  suite_id: z.string().nullable(),
  row_id: z.string().nullable(),
  resolved: tree,
  lineage: tree,
});
const factsSchema = z.object({
  experiments: z.array(
    z.object({
      file: z.string(),
      load: z.string(),
      selected: z.array(z.object({ file: z.string(), count: z.number(), tasks: z.array(taskSchema) })).optional(),
    }),
  ),
});

interface Selected {
  readonly experiment: string;
  readonly file: string;
  readonly count: number;
  readonly tasks: readonly z.infer<typeof taskSchema>[];
}

function selectedOf(version: string): Selected[] {
  const { experiments } = factsSchema.parse(JSON.parse(readFileSync(factsFile(version), "utf8")));
  return experiments
    .filter(({ load }) => load === "ok")
    .flatMap(({ file, selected = [] }) => selected.map((one) => ({ experiment: file, ...one })));
}

/** All resolved tasks of a file in an experiment, with the flags of the recorded selection. */
async function resolveAll({ experiment: name, file }: Selected) {
  const experiment = name.startsWith("(") ? builtInExperiment : await loadExperiment(name, { cwd: shared, env });
  const loaded = await loadTask({ path: join(shared, file), name: file, explicit: true }, env);
  assert.ok(loaded.kind === "loaded", file);
  const result = await resolveFile(loaded, {
    experiment,
    variants: experiment.variants,
    overrides: parseOverrides({ set: ["run_limits.max_turns=12"] }),
    sampling: { runSeed: "0" },
    env,
    unsupported: "note",
  });
  assert.ok(result.kind === "resolved", `${file}: ${JSON.stringify(result)}`);
  return result.tasks;
}

const here = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(`${shared}/`, ""));

test("real tasks in real experiments have the values and the lineage that 0.8.2 gave them", { skip }, async () => {
  let compared = 0;
  for (const selected of selectedOf("")) {
    const tasks = await resolveAll(selected);
    assert.equal(tasks.length, selected.count, `${selected.experiment} ${selected.file}`);
    for (const expected of selected.tasks) {
      const name = `${selected.experiment} ${expected.variant_id} ${expected.task_id}`;
      const mine = tasks.find(
        (task) =>
          task.taskId === expected.task_id && task.variantId === expected.variant_id && task.replicateIndex === expected.replicate_index,
      );
      assert.ok(mine, name);
      assert.deepEqual(here(mine.lineage), expected.lineage, name);
      assert.deepEqual(Object.keys(mine.lineage), Object.keys(expected.lineage), name);
      assert.deepEqual(here(mine.task), expected.resolved, name);
      compared += 1;
    }
  }
  assert.equal(compared, 152);
});

test("real tasks in real experiments have the lineage that 0.12.16 gave them", { skip }, async () => {
  let compared = 0;
  for (const selected of selectedOf("-0.12.16").filter(({ count }) => count > 0)) {
    const tasks = await resolveAll(selected);
    assert.equal(tasks.length, selected.count, `${selected.experiment} ${selected.file}`);
    for (const expected of selected.tasks) {
      const mine = tasks.find((task) => task.taskId === expected.task_id && task.variantId === expected.variant_id);
      assert.deepEqual(here(mine?.lineage), expected.lineage, `${selected.experiment} ${expected.variant_id} ${expected.task_id}`);
      compared += 1;
    }
  }
  assert.equal(compared, 120);
});
