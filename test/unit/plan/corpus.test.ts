import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";
import { z } from "zod";
import { builtInExperiment } from "../../../src/plan/experiment/default-experiment.ts";
import { applyLayers } from "../../../src/plan/layers/layers.ts";
import { loadTask } from "../../../src/plan/load.ts";
import { parseOverrides } from "../../../src/plan/overrides/parse-overrides.ts";
import { findTaskFiles } from "../../../src/plan/patterns.ts";

// Real task files of all versions, and what the Python tool makes of them. They lie beside the repository.
const root = resolve(import.meta.dirname, "../../..");
const shared = process.env.EVALBATCH_SHARED ?? join(root, "../shared");
const facts = join(shared, "corpus-expected/tasks.json");
const skip = existsSync(facts) ? false : `no corpus at ${shared} (EVALBATCH_SHARED)`;

const factSchema = z.object({
  file: z.string(),
  load: z.string(),
  task_id: z.string().optional(),
  tags: z.array(z.string()).optional(),
  skip: z.boolean().optional(),
  criteria_by_type: z.record(z.string(), z.number()).optional(),
  weights: z.array(z.number()).optional(),
  pass_thresholds: z.array(z.number()).optional(),
  after_layering: z.record(z.string(), z.unknown()).nullish(),
});

async function loadCorpus() {
  const env = { SKILLS_REPO_PATH: "/skills" };
  const files = await findTaskFiles(["corpus/tasks"], { cwd: shared });
  return Promise.all(files.map(async (file) => ({ file, result: await loadTask(file, env) })));
}

function readFacts(): readonly z.infer<typeof factSchema>[] {
  return z.object({ tasks: z.array(factSchema) }).parse(JSON.parse(readFileSync(facts, "utf8"))).tasks;
}

test("loads every real task file, those of older and of later versions alike", { skip }, async () => {
  const corpus = await loadCorpus();
  assert.deepEqual(
    corpus.map(({ file }) => file.name).toSorted(),
    readFacts()
      .map(({ file }) => file)
      .toSorted(),
  );
  const failed = corpus
    .filter(({ result }) => result.kind !== "loaded")
    .map(({ file, result }) => [file.name, "issues" in result ? result.issues : result]);
  assert.deepEqual(failed, []);
});

test("understands id, tags, criteria, weights and thresholds as the Python tool does", { skip }, async () => {
  const corpus = new Map((await loadCorpus()).map(({ file, result }) => [file.name, result]));
  for (const fact of readFacts().filter(({ load }) => load === "ok")) {
    const result = corpus.get(fact.file);
    assert.ok(result?.kind === "loaded", fact.file);
    const { definition } = result;
    const byType: Record<string, number> = {};
    for (const { type } of definition.success_criteria) byType[type] = (byType[type] ?? 0) + 1;
    assert.deepEqual(
      [definition.task_id, definition.tags, definition.skip, byType],
      [fact.task_id, fact.tags, fact.skip, fact.criteria_by_type],
      fact.file,
    );
    assert.deepEqual(
      definition.success_criteria.map(({ weight }) => weight),
      fact.weights,
      fact.file,
    );
    assert.deepEqual(
      definition.success_criteria.map(({ pass_threshold }) => pass_threshold),
      fact.pass_thresholds,
      fact.file,
    );
  }
});

test("layers every real task as the Python tool does", { skip }, async () => {
  const corpus = new Map((await loadCorpus()).map(({ file, result }) => [file.name, result]));
  const [variant] = builtInExperiment.variants;
  assert.ok(variant);
  const overrides = parseOverrides({ set: [] });
  let compared = 0;
  for (const fact of readFacts()) {
    const result = corpus.get(fact.file);
    const { after_layering: expected } = fact;
    if (result?.kind !== "loaded" || expected === undefined || expected === null) continue;
    const layered = applyLayers({ loaded: result, experiment: builtInExperiment, variant, overrides });
    assert.ok(layered.kind === "resolved", fact.file);
    const { agent, run_limits, sandbox, pre_run, post_run } = layered.settings;
    const { env_passthrough: _list, ...docker } = sandbox.docker;
    const mine = { agent, run_limits, sandbox: { ...sandbox, docker }, pre_run, post_run };
    for (const [name, value] of Object.entries(mine)) {
      assert.deepEqual(JSON.parse(JSON.stringify(value).replaceAll(`${resolve(shared)}/`, "")), expected[name], `${fact.file} ${name}`);
      compared += 1;
    }
  }
  assert.ok(compared >= 500, String(compared));
});
