import assert from "node:assert/strict";
import test from "node:test";
import { InputError, InterruptedError } from "../../../src/errors.ts";
import { makePlan, type PlanOptions } from "../../../src/plan/plan.ts";
import { noAgentTask, planOptions, taskFolder } from "./task-folder.ts";

const experiment = [
  "experiment_id: ab",
  "description: two arms",
  "defaults: {repeats: 2, run_limits: {task_timeout: 100}}",
  "variants:",
  "  - {variant_id: slow, description: as it is}",
  "  - {variant_id: fast, run_limits: {task_timeout: 50}, repeats: 1}",
  "",
].join("\n");
const suite = "dataset: {rows: [{id: r1, v: 1.0}, {id: r2, v: true}]}\n";
const files = {
  "tasks/a.yaml": noAgentTask("a"),
  "tasks/b.yaml": noAgentTask("b", suite).replace("path: a.txt", `path: "\${row.v}.txt"`),
  "experiments/ab.yaml": experiment,
};

async function planOf(more: Partial<PlanOptions>, extra: Readonly<Record<string, string>> = {}) {
  await using folder = await taskFolder({ ...files, ...extra });
  return await makePlan(planOptions(folder.path, { patterns: ["tasks"], ...more }));
}

async function issuesOf(more: Partial<PlanOptions>, extra: Readonly<Record<string, string>> = {}) {
  try {
    await planOf(more, extra);
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return error.issues;
  }
  throw new assert.AssertionError({ message: "nothing was refused" });
}

test("all first replicates come before any second one, then files, then variants, then rows (formats.md 3.5)", async () => {
  const plan = await planOf({ experiment: "ab" });
  assert.deepEqual(
    plan.tasks.map(({ key }) => key),
    ["slow/a/00", "fast/a/00", "slow/b/r1/00", "slow/b/r2/00", "fast/b/r1/00", "fast/b/r2/00", "slow/a/01", "slow/b/r1/01", "slow/b/r2/01"],
  );
  assert.deepEqual(plan.experiment, {
    experimentId: "ab",
    description: "two arms",
    file: "experiments/ab.yaml",
    variants: [
      { variantId: "slow", description: "as it is", prompt: "base prompt" },
      { variantId: "fast", description: "", prompt: "base prompt" },
    ],
  });
});

test("each variant has its own settings, and rows share them", async () => {
  const { tasks } = await planOf({ experiment: "ab" });
  const limits = Object.fromEntries(tasks.map(({ key, task }) => [key, task.run_limits.task_timeout]));
  assert.deepEqual([limits["slow/a/00"], limits["fast/a/00"], limits["fast/b/r2/00"]], [100, 50, 50]);
  const [first, second] = tasks.filter(({ key }) => key.startsWith("slow/b/"));
  assert.equal(first?.task.sandbox, second?.task.sandbox);
});

test("rows of a dataset carry suite and row id, and their values as Python writes them", async () => {
  const { tasks, datasets } = await planOf({});
  const rows = tasks.filter(({ task }) => task.suite_id !== null).map(({ task }) => task);
  assert.deepEqual(
    rows.map(({ task_id, suite_id, row_id, dataset, success_criteria: [criterion] }) => [
      task_id,
      suite_id,
      row_id,
      dataset,
      criterion !== undefined && "path" in criterion ? criterion.path : undefined,
    ]),
    [
      ["b/r1", "b", "r1", null, "1.0.txt"],
      ["b/r2", "b", "r2", null, "True.txt"],
    ],
  );
  assert.deepEqual(
    datasets.map(({ suiteId, rowsTotal, rowsSelected }) => [suiteId, rowsTotal, rowsSelected]),
    [["b", 2, 2]],
  );
});

test("one arm of an experiment can run alone, and an unknown one is refused with what was meant", async () => {
  const { tasks, experiment: facts } = await planOf({ experiment: "ab", variants: ["fast"] });
  assert.deepEqual([...new Set(tasks.map(({ variantId }) => variantId))], ["fast"]);
  assert.deepEqual(
    facts.variants.map(({ variantId }) => variantId),
    ["fast"],
  );
  const [issue] = await issuesOf({ experiment: "ab", variants: ["fats"] });
  assert.deepEqual(
    [issue?.code, issue?.message, issue?.hint],
    ["unknown-variant", "there is no variant 'fats': experiments/ab.yaml has 'slow', 'fast'", "did you mean 'fast'?"],
  );
});

test("a variant without an experiment can only be the default one", async () => {
  assert.equal((await planOf({ variants: ["default"] })).tasks.length, 3);
  const [issue] = await issuesOf({ variants: ["fast"] });
  assert.match(issue?.message ?? "", /no experiment is given, so there is only 'default'/);
});

test("two files with one task id are named once, not once per variant and replicate", async () => {
  const issues = await issuesOf({ experiment: "ab" }, { "tasks/c.yaml": noAgentTask("a") });
  assert.deepEqual(
    issues.map(({ code, message }) => [code, message]),
    [["duplicate-task", "the task id 'a' is used twice: in tasks/a.yaml too"]],
  );
});

test("a variant that does not fit one file refuses that file whole, and the others run", async () => {
  const broken = `${experiment}  - {variant_id: odd, agent: {sdk_options: {effort: high}}}\n`;
  const plan = await planOf({ experiment: "ab", unsupported: "note" }, { "experiments/ab.yaml": broken, "tasks/c.yaml": claudeTask });
  assert.deepEqual(
    plan.skipped.map(({ path, kind }) => [path, kind]),
    [
      ["tasks/a.yaml", "invalid"],
      ["tasks/b.yaml", "invalid"],
    ],
  );
  assert.deepEqual([...new Set(plan.tasks.map(({ key }) => key))], ["slow/c/00", "fast/c/00", "odd/c/00", "slow/c/01", "odd/c/01"]);
  assert.ok(plan.issues.some(({ file, code }) => file === "experiments/ab.yaml" && code === "not-of-agent-type"));
});

const claudeTask =
  "task_id: c\ndescription: d\ninitial_prompt: p\nagent: {type: claude-code}\nsuccess_criteria: [{type: file_exists, description: e, path: p}]\n";

test("what is wrong in the experiment is told once, at its place there, however many tasks it reaches", async () => {
  const broken =
    "experiment_id: ab\ndefaults: {sandbox: {docker: {env_passthrough_extra: [NOT_SET]}, driver: docker}}\nvariants: [{variant_id: a}]\n";
  const plan = await planOf({ experiment: "ab" }, { "experiments/ab.yaml": broken });
  const found = plan.issues.filter(({ code }) => code === "unset-variable");
  assert.deepEqual(
    found.map(({ file, line }) => [file, line]),
    [["experiments/ab.yaml", 2]],
  );
});

const delegateTask = claudeTask.replace("claude-code", "delegate");

test("what is not executed yet is told where it is asked for: in the experiment, by a flag, in the task", async () => {
  const agents = "experiment_id: ab\nvariants:\n  - {variant_id: a}\n  - {variant_id: b, agent: {type: delegate, project_id: p}}\n";
  const placesOf = async (more: Partial<PlanOptions>) =>
    (await planOf(more, { "tasks/b.yaml": delegateTask, "experiments/ab.yaml": agents })).issues
      .filter(({ code }) => code === "not-supported")
      .map(({ file, line, message, mergedWith }) => [file, line, message, mergedWith]);
  const byTask = ["tasks/b.yaml", 4, "not supported yet: agent type 'delegate'", undefined];
  assert.deepEqual(await placesOf({ experiment: "ab", patterns: ["tasks/b.yaml"] }), [
    byTask,
    ["experiments/ab.yaml", 4, "not supported yet: agent type 'delegate'", "tasks/b.yaml"],
  ]);
  assert.deepEqual(await placesOf({ patterns: ["tasks/b.yaml"], overrides: { set: [], type: "delegate" } }), [
    ["tasks/b.yaml", undefined, "not supported yet: agent type 'delegate'; it is set by --type", undefined],
  ]);
});

test("a type of agent that fits a task's prompt badly is refused after the layers too", async () => {
  const plan = await planOf({ overrides: { set: [], type: "none" }, allowEmpty: true }, { "tasks/c.yaml": claudeTask });
  assert.deepEqual(
    plan.skipped.map(({ path }) => path),
    ["tasks/c.yaml"],
  );
});

test("a stop while files are read ends the plan", async () => {
  const stop = new AbortController();
  stop.abort();
  await assert.rejects(planOf({ signal: stop.signal }), InterruptedError);
});

test("a cap counts rows, variants and replicates, and is recorded", async () => {
  const plan = await planOf({ experiment: "ab", cap: { maxTasks: 6, onMore: "sample", seed: "12" } });
  assert.equal(plan.tasks.length, 6);
  assert.deepEqual(plan.cap, { maxTasks: 6, planned: 9, kept: 6, seed: "12" });
});

const prompted = noAgentTask("p").replace("agent: {type: none}", "initial_prompt: write it");
const errorsOf = async (more: Partial<PlanOptions>, extra: Readonly<Record<string, string>>) =>
  (await planOf({ patterns: ["tasks/p.yaml"], unsupported: "note", ...more }, extra)).issues
    .filter(({ severity }) => severity === "error")
    .map(({ file, line, field, message, mergedWith }) => `${file}:${line} ${field}: ${message} / ${mergedWith}`);

test("an agent type that an experiment or a flag chooses against the task is mended there, not in the task", async () => {
  const none = "experiment_id: none\ndescription: d\ndefaults: {agent: {type: none}}\nvariants: [{variant_id: v}]\n";
  assert.deepEqual(await errorsOf({ experiment: "none" }, { "tasks/p.yaml": prompted, "experiments/none.yaml": none }), [
    "experiments/none.yaml:3 defaults.agent.type: with agent type 'none' nobody reads initial_prompt / tasks/p.yaml",
  ]);
  assert.deepEqual(await errorsOf({ overrides: { set: [], type: "none" } }, { "tasks/p.yaml": prompted }), [
    "tasks/p.yaml:undefined agent.type: with agent type 'none' nobody reads initial_prompt; it is set by --type / undefined",
  ]);
  assert.deepEqual(await errorsOf({ overrides: { set: [], type: "claude-code" } }, { "tasks/p.yaml": noAgentTask("p") }), [
    "tasks/p.yaml:undefined agent.type: with agent type 'claude-code' a task needs a prompt, and this one has none; " +
      "it is set by --type / undefined",
  ]);
});

test("a variant that ends the dialog of a task without a prompt is mended there", async () => {
  const dialog = prompted.replace("initial_prompt: write it", "simulation: {enabled: true, persona: p, goal: g}");
  const ends = "experiment_id: ends\ndescription: d\nvariants:\n  - {variant_id: v}\n  - {variant_id: w, simulation: {enabled: false}}\n";
  assert.deepEqual(await errorsOf({ experiment: "ends" }, { "tasks/p.yaml": dialog, "experiments/ends.yaml": ends }), [
    "experiments/ends.yaml:5 variants[1].simulation.enabled: without its dialog the task needs a prompt, and it has none / tasks/p.yaml",
  ]);
});

test("a variant's own prompt for a task without an agent is mended in the variant", async () => {
  const own = "experiment_id: own\ndescription: d\nvariants:\n  - {variant_id: v, initial_prompt: do it}\n";
  assert.deepEqual(await errorsOf({ experiment: "own" }, { "tasks/p.yaml": noAgentTask("p"), "experiments/own.yaml": own }), [
    "experiments/own.yaml:4 variants[0].initial_prompt: with agent type 'none' nobody reads initial_prompt / tasks/p.yaml",
  ]);
});

test("what is found in a file is told from its top to its end, whether it was found at load or later", async () => {
  const task = noAgentTask(
    "p",
    "sandbox:\n  driver: docker\n  docker: {image: A B}\n  template_sources: [{type: template_dir, path: gone}]\n",
  );
  const lines = (await planOf({ patterns: ["tasks/p.yaml"] }, { "tasks/p.yaml": `${task}odd: 1\n` })).issues.map(({ line }) => line);
  assert.deepEqual(lines, [6, 7, 10]);
});

test("task files that leave the experiment's driver are counted once, at its place in the experiment", async () => {
  const own = (id: string, driver: string) => noAgentTask(id, `sandbox: {driver: ${driver}}\n`);
  const more = {
    "tasks/a.yaml": own("a", "tempdir"),
    "tasks/b.yaml": own("b", "docker"),
    "tasks/c.yaml": own("c", "tempdir"),
    "tasks/d.yaml": noAgentTask("d"),
    "experiments/ab.yaml": experiment.replace("{repeats: 2,", "{repeats: 2, driver: docker,"),
  };
  const told = async (options: Partial<PlanOptions>) => {
    const { issues } = await planOf(options, more);
    return issues.filter(({ code }) => code === "other-driver").map(({ file, line, message }) => `${file}:${line}: ${message}`);
  };
  assert.deepEqual(await told({ experiment: "ab" }), [
    "experiments/ab.yaml:3: 2 of 4 task files, tasks/a.yaml among them, set sandbox.driver to 'tempdir' over the experiment's 'docker'",
  ]);
  assert.deepEqual(await told({ experiment: "ab", patterns: ["tasks/a.yaml"] }), [
    "experiments/ab.yaml:3: tasks/a.yaml sets sandbox.driver to 'tempdir' over the experiment's 'docker'",
  ]);
  assert.deepEqual(await told({}), []);
  assert.deepEqual(await told({ experiment: "ab", overrides: { set: [], driver: "docker" } }), []);
});
