import assert from "node:assert/strict";
import test from "node:test";
import { makePlan, type PlanOptions } from "../../../../src/plan/plan.ts";
import { planOptions, taskFolder } from "../task-folder.ts";

const files = {
  "tasks/a.yaml": [
    "task_id: a",
    "description: d",
    "tags: [smoke]",
    "initial_prompt: Do it.",
    "agent: {type: command, command: 'true'}",
    "run_limits: {max_turns: 5}",
    "success_criteria:",
    "  - {type: file_exists, description: e, path: p}",
    "",
  ].join("\n"),
  "experiments/ab.yaml": [
    "experiment_id: ab",
    "defaults:",
    "  run_limits: {max_turns: 50}",
    "  driver: docker",
    "  template_sources: [{type: starter_files, files: []}]",
    "  prompt_mutations: [{type: suffix, content: Now.}]",
    "variants:",
    "  - variant_id: loud",
    "    run_limits: {max_turns: 8}",
    "    prompt_mutations: [{type: prefix, content: Please}]",
    "  - {variant_id: own, initial_prompt: Another one.}",
    "",
  ].join("\n"),
};

async function asked(field: string, variantId: string, more: Partial<PlanOptions> = {}) {
  await using folder = await taskFolder(files);
  const plan = await makePlan(planOptions(folder.path, { patterns: ["tasks"], experiment: "ab", ...more }));
  const task = plan.tasks.find((candidate) => candidate.variantId === variantId);
  assert.ok(task !== undefined);
  return task
    .contributions(field.split("."))
    .map(({ name, value, place }) => [name, value, place === undefined ? "" : `${place.file}:${place.line}`]);
}

test("every layer that sets a field is told, the highest first, with its place", async () => {
  const overrides = { set: ["run_limits.max_turns=3"] };
  assert.deepEqual(await asked("run_limits.max_turns", "loud", { overrides }), [
    ["-D run_limits.max_turns", 3, ""],
    ["variant 'loud'", 8, "experiments/ab.yaml:9"],
    ["the task", 5, "tasks/a.yaml:6"],
    ["the experiment's defaults", 50, "experiments/ab.yaml:3"],
    ["the built-in default experiment", 20, ""],
  ]);
});

test("what stands beside the sandbox in an experiment is found there", async () => {
  assert.deepEqual(await asked("sandbox.driver", "loud"), [["the experiment's defaults", "docker", "experiments/ab.yaml:4"]]);
  const [templates] = await asked("sandbox.template_sources", "loud");
  assert.deepEqual(templates?.[2], "experiments/ab.yaml:5");
});

test("a prompt is told with what changes it: mutations of both blocks, or the variant's own prompt", async () => {
  assert.deepEqual(
    (await asked("initial_prompt", "loud")).map(([name, , place]) => [name, place]),
    [
      ["prompt_mutations of variant 'loud'", "experiments/ab.yaml:10"],
      ["the task", "tasks/a.yaml:4"],
      ["prompt_mutations of the experiment's defaults", "experiments/ab.yaml:6"],
    ],
  );
  assert.deepEqual(
    (await asked("initial_prompt", "own")).map(([name, value]) => [name, value]),
    [
      ["variant 'own'", "Another one."],
      ["the task", "Do it."],
    ],
  );
});

test("what only a task file can say has its place there", async () => {
  assert.deepEqual(await asked("tags", "loud"), [["the task", ["smoke"], "tasks/a.yaml:3"]]);
  assert.deepEqual(await asked("success_criteria.0.path", "loud"), [["the task", "p", "tasks/a.yaml:8"]]);
});

test("a whole block from flags is named by none of them", async () => {
  const [first] = await asked("run_limits", "loud", { overrides: { set: ["run_limits.max_turns=3", "run_limits.max_usd=1"] } });
  assert.equal(first?.[0], "the command line");
});
