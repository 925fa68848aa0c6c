import assert from "node:assert/strict";
import test from "node:test";
import type { LoadedTask } from "../../../src/plan/load.ts";
import { loadTask } from "../../../src/plan/load.ts";
import { findTaskFiles } from "../../../src/plan/patterns.ts";
import type { Plan } from "../../../src/plan/plan.ts";
import type { ResolvedTask } from "../../../src/plan/resolved-task.ts";
import { asRecorded, corpusEnv, inCommon, planCorpus, readTaskFacts, shared, skip, type TaskFacts, versions } from "./corpus.ts";

async function loadCorpus() {
  const files = await findTaskFiles(["corpus/tasks"], { cwd: shared });
  return Promise.all(files.map(async (file) => ({ file, result: await loadTask(file, corpusEnv) })));
}

test("loads every real task file, those of older and of later versions alike", { skip }, async () => {
  const corpus = await loadCorpus();
  const [older, later] = versions.map(readTaskFacts);
  assert.ok(older !== undefined && later !== undefined);
  for (const facts of [older, later])
    assert.deepEqual(
      corpus.map(({ file }) => file.name),
      facts.map(({ file }) => file).toSorted(),
    );
  const failed = corpus
    .filter(({ result }) => result.kind !== "loaded")
    .map(({ file, result }) => [file.name, "issues" in result ? result.issues : result]);
  assert.deepEqual(failed, []);
  // What one version refuses, the other loads: nothing is ours alone.
  const loaded = (facts: readonly TaskFacts[]) => facts.filter(({ load }) => load === "ok").map(({ file }) => file);
  assert.deepEqual([loaded(older).length, loaded(later).length], [126, 108]);
  assert.equal(new Set([...loaded(older), ...loaded(later)]).size, corpus.length);
});

test("plans every real task file, but for the one whose data is not there, and warns of duplicate keys in one", { skip }, async () => {
  const plan = await planCorpus();
  const errors = plan.issues.filter(({ severity }) => severity === "error");
  assert.deepEqual(new Set(errors.map(({ file }) => file)), new Set(["corpus/tasks/activation/activation.yaml"]));
  assert.deepEqual(plan.loadFailures, 1);
  for (const { code, field } of errors) assert.match(`${code} ${field}`, /^(?:missing-file dataset\.paths\[\d+\]|more-problems dataset)$/);
  const duplicates = plan.issues.filter(({ code }) => code === "duplicate-key");
  assert.equal(duplicates.length, 1);
  const others = plan.issues.filter(({ severity, code }) => severity === "warning" && code !== "duplicate-key");
  // The files beside the real task files are no part of the corpus.
  const absent = ["missing-template", "missing-file", "missing-reference", "missing-plugin"];
  const found = others.filter(({ code }) => !absent.includes(code)).map(({ code, file, field }) => ({ code, file, field }));
  const unknown = readTaskFacts("0.8.2").flatMap(({ file, unknown_top_level_fields: fields }) =>
    Array.isArray(fields) ? fields.map((field) => ({ code: "unknown-field", file, field })) : [],
  );
  assert.deepEqual(
    found.filter(({ code }) => code === "unknown-field"),
    unknown,
  );
  assert.deepEqual(
    found.filter(({ code }) => code !== "unknown-field").map(({ code }) => code),
    [],
  );
});

for (const version of versions)
  test(`understands every field of every real task file as ${version} does`, { skip }, async () => {
    const corpus = new Map((await loadCorpus()).map(({ file, result }) => [file.name, result]));
    for (const fact of readTaskFacts(version).filter(({ load }) => load === "ok")) {
      const loaded = corpus.get(fact.file);
      assert.ok(loaded?.kind === "loaded", fact.file);
      const mine = factsOf(loaded);
      const { file: _file, load: _ok, resolved_tasks: _count, skipped: _skipped, after_layering: _layers, dataset, ...expected } = fact;
      const spec = dataset === null || dataset === undefined ? null : dataset.spec;
      const theirs = { ...expected, dataset: spec };
      if (version === "0.8.2") assert.deepEqual(mine, theirs, fact.file);
      else assert.deepEqual(inCommon(mine), inCommon(theirs), fact.file);
    }
  });

/** A loaded task in the words of the facts: texts by their length. */
function factsOf({ definition, warnings }: LoadedTask) {
  const { simulation, dataset, initial_prompt: prompt } = definition;
  const { persona: _persona, goal: _goal, ...dialog } = simulation ?? { persona: "", goal: "", constraints: [] };
  const byType: Record<string, number> = {};
  for (const { type } of definition.success_criteria) byType[type] = (byType[type] ?? 0) + 1;
  return {
    task_id: definition.task_id,
    description_length: [...definition.description].length,
    tags: definition.tags,
    skip: definition.skip,
    unknown_top_level_fields: warnings.filter(({ code }) => code === "unknown-field").map(({ field }) => field),
    agent_type_in_task: definition.agent?.type ?? null,
    prompt_length: prompt === null ? null : [...prompt].length,
    criteria_count: definition.success_criteria.length,
    criteria_by_type: byType,
    weights: definition.success_criteria.map(({ weight }) => weight),
    pass_thresholds: definition.success_criteria.map(({ pass_threshold }) => pass_threshold),
    suite_thresholds: definition.success_criteria.flatMap(({ suite_thresholds }) => (suite_thresholds === null ? [] : [suite_thresholds])),
    pre_run: definition.pre_run.length,
    post_run: definition.post_run.length,
    has_reference: definition.reference !== null,
    simulation: simulation === null ? null : { ...dialog, constraints: dialog.constraints.length },
    dataset: dataset === null ? null : { ...dataset, rows: dataset.rows === null ? null : `${dataset.rows.length} inline rows` },
  };
}

for (const version of versions)
  test(`makes as many tasks of every real file as ${version}, with the same values after layering`, { skip }, async () => {
    const plan = await planCorpus();
    let compared = 0;
    for (const fact of readTaskFacts(version).filter(({ load }) => load === "ok")) {
      const mine = plan.tasks.filter(({ taskFile }) => taskFile === fact.file);
      assert.equal(mine.length, fact.resolved_tasks, fact.file);
      assert.deepEqual(reasonsOf(plan, fact.file), fact.skipped, fact.file);
      const rows = fact.dataset?.row_ids;
      if (Array.isArray(rows))
        assert.deepEqual(
          mine.map(({ task }) => task.row_id),
          rows,
          fact.file,
        );
      if (fact.after_layering === null || fact.after_layering === undefined) continue;
      const [first] = mine;
      assert.ok(first !== undefined, fact.file);
      if (version === "0.8.2") assert.deepEqual(layeredOf(first), fact.after_layering, fact.file);
      else assert.deepEqual(inCommon(layeredOf(withLaterTurns(first))), inCommon(fact.after_layering), fact.file);
      compared += 1;
    }
    assert.equal(compared, version === "0.8.2" ? 118 : 99);
  });

test("those that are to be skipped load too, when they are asked for, but for one whose data is not there", { skip }, async () => {
  const plan = await planCorpus({ includeSkipped: true });
  const facts = versions.flatMap(readTaskFacts);
  const withoutData = facts.filter(({ dataset }) => dataset?.error !== undefined).map(({ file }) => file);
  assert.deepEqual(
    plan.skipped.map(({ path }) => path),
    [...new Set(withoutData)].toSorted(),
  );
  for (const { reason } of plan.skipped) assert.match(reason, /^FileNotFoundError: /);
});

/** Why a file is left out. What is missing is named in our words. */
function reasonsOf(plan: Plan, file: string): string[] {
  const missing = /^FileNotFoundError: dataset\.paths\[0\]: the dataset file '([^']+)' does not exist.*/s;
  const folder = file.slice(0, file.lastIndexOf("/"));
  return plan.skipped
    .filter(({ path }) => path === file)
    .map(({ reason }) => reason.replace(missing, `FileNotFoundError: Dataset file not found: ${folder}/$1`));
}

/** The experiment that 0.12.16 packages allows more turns. */
function withLaterTurns(resolved: ResolvedTask): ResolvedTask {
  if (resolved.lineage["run_limits.max_turns"]?.source !== "experiment-defaults") return resolved;
  return { ...resolved, task: { ...resolved.task, run_limits: { ...resolved.task.run_limits, max_turns: 100 } } };
}

function layeredOf({ task }: ResolvedTask) {
  const { task_id, agent, run_limits, sandbox, pre_run, post_run } = task;
  const { env_passthrough: _list, ...docker } = sandbox.docker;
  return asRecorded({ task_id, agent, run_limits, sandbox: { ...sandbox, docker }, pre_run, post_run });
}
