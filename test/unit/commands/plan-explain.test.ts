import assert from "node:assert/strict";
import test from "node:test";
import { explainField, renderExplanations } from "../../../src/commands/plan-explain.ts";
import { InputError } from "../../../src/errors.ts";
import { makePlan, type PlanOptions } from "../../../src/plan/plan.ts";
import { noAgentTask, planOptions, taskFolder } from "../plan/task-folder.ts";

const files = {
  "tasks/a.yaml": noAgentTask("a", "run_limits: {task_timeout: 40}\n"),
  "tasks/b.yaml": noAgentTask("b"),
  "experiments/ab.yaml":
    "experiment_id: ab\ndescription: d\ndefaults: {repeats: 2}\nvariants:\n  - {variant_id: v, agent: {}}\n  - {variant_id: w, run_limits: {task_timeout: 50}}\n",
};

async function explained(field: string, more: Partial<PlanOptions> = {}): Promise<string> {
  await using folder = await taskFolder(files);
  const plan = await makePlan(planOptions(folder.path, { patterns: ["tasks"], experiment: "ab", ...more }));
  return renderExplanations(field, explainField(plan, field), 200);
}

test("tasks with one value for the same reasons stand together, the winning layer first, each with its place", async () => {
  assert.equal(
    await explained("run_limits.task_timeout", { variants: ["w"], overrides: { set: [], repeats: 1 } }),
    [
      "run_limits.task_timeout = 50  (1 task)",
      "  set by  variant 'w'                      50   experiments/ab.yaml:6:48",
      "  above   the task                         40",
      "  above   the built-in default experiment  600",
      "    w/a/00  tasks/a.yaml:4:28",
      "",
      "run_limits.task_timeout = 50  (1 task)",
      "  set by  variant 'w'                      50   experiments/ab.yaml:6:48",
      "  above   the built-in default experiment  600",
      "    w/b/00",
      "",
    ].join("\n"),
  );
});

test("a layer that sets nothing of a block is not told to have set it", async () => {
  const text = await explained("agent", { variants: ["v"] });
  assert.doesNotMatch(text, /command line|variant 'v'/);
  assert.match(text, /set by {2}the task/);
});

test("how often a task is repeated can be asked for as well", async () => {
  assert.match(
    await explained("repeats"),
    /^repeats = 2 {2}\(8 tasks\)\n {2}set by {2}the experiment's defaults {2}2 {2}experiments\/ab\.yaml:3:21\n/,
  );
  assert.match(await explained("repeats", { experiment: undefined }), /^repeats = 1 {2}\(2 tasks\)\n {2}set by default\n/);
});

test("an entry of a list is named as messages name it, or with a dot", async () => {
  const [dotted, bracketed] = [await explained("success_criteria.0.path"), await explained("success_criteria[0].path")];
  assert.equal(bracketed, dotted.replace("success_criteria.0.path", "success_criteria[0].path"));
  assert.match(dotted, /^success_criteria\.0\.path = "a\.txt"/);
});

test("a field that no task has is wrong usage, with what was probably meant", async () => {
  for (const [field, hint] of [
    ["agent.modle", "did you mean 'model'?"],
    ["__proto__", "name it as in --set: run_limits.max_turns, sandbox.docker.image, …"],
  ] as const)
    await assert.rejects(explained(field), (error) => error instanceof InputError && error.issues[0]?.hint === hint, field);
});
