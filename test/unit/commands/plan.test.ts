import assert from "node:assert/strict";
import test from "node:test";
import { type PlanCommandOptions, planCommand } from "../../../src/commands/plan.ts";
import { planJsonSchema } from "../../../src/commands/plan-json.ts";
import { renderPlan } from "../../../src/commands/plan-table.ts";
import { makePlan } from "../../../src/plan/plan.ts";
import { noAgentTask, planOptions, taskFolder } from "../plan/task-folder.ts";

const files = {
  "tasks/files.yaml": noAgentTask("files", "tags: [smoke, area:files]\n"),
  "tasks/image.yaml": noAgentTask(
    "image",
    "sandbox: {driver: docker, docker: {image: 'busybox:1'}, limits: {max_memory_mb: 64, max_cpus: 0.5}}\n",
  ),
  "tasks/later.yaml": noAgentTask("later", "skip: true\n"),
  "tasks/typo.yaml": noAgentTask("typo", "sandbox: {pyhton: null}\n"),
};

async function command(more: Partial<PlanCommandOptions> = {}) {
  await using folder = await taskFolder(files);
  const { text, ...rest } = await planCommand({ ...planOptions(folder.path), json: false, columns: 120, ...more });
  return { ...rest, text: [...text].join("") };
}

test("prints what would run, what would not and why, and the counts", async () => {
  const { text, problems, exitCode } = await command();
  assert.equal(
    text,
    [
      "In every task: agent none",
      "",
      "TASK   SANDBOX           LIMITS            TAGS              FILE",
      "files  tempdir           600s              smoke area:files  tasks/files.yaml",
      "image  docker busybox:1  600s 64MB 0.5cpu                    tasks/image.yaml",
      "",
      "Not run:",
      "  tasks/later.yaml: skip: true",
      "  tasks/typo.yaml: ValueError: Invalid task definition: sandbox.pyhton: unknown field 'pyhton'; did you mean 'python'?",
      "",
      "2 tasks, 1 skipped, 1 file that cannot run, 1 error",
      "",
    ].join("\n"),
  );
  assert.match(problems, /^tasks\/typo\.yaml:4:11: error: sandbox\.pyhton: unknown field 'pyhton'\n {2}4 \| sandbox: \{pyhton: null\}\n/);
  assert.equal(exitCode, 1);
});

test("exits 0 when every file that was asked for can run or says skip", async () => {
  const { exitCode, problems } = await command({ patterns: ["tasks", "!tasks/typo.yaml"] });
  assert.deepEqual([exitCode, problems], [0, ""]);
});

test("--json has a row per task with the layer that set each value, in the published form", async () => {
  const { text } = await command({ json: true });
  const plan = planJsonSchema.parse(JSON.parse(text));
  assert.deepEqual(Object.keys(JSON.parse(text)), ["version", "experiment", "selection", "skipped", "issues", "load_failures", "tasks"]);
  const image = plan.tasks[1];
  assert.ok(image !== undefined);
  const { lineage, resolved, run_limits, ...rest } = image;
  assert.deepEqual(rest, {
    key: "default/image/00",
    task_id: "image",
    suite_id: null,
    row_id: null,
    variant_id: "default",
    replicate_index: 0,
    file: "tasks/image.yaml",
    result_dir: "default/image/00",
    driver: "docker",
    image: "busybox:1",
    dockerfile: null,
    agent: "none",
    model: "claude-sonnet-4-6",
    tags: [],
    criteria: [{ type: "file_exists", description: "e", weight: 1 }],
    limits: { timeout: 300, max_memory_mb: 64, max_cpus: 0.5, max_pids: null, max_disk_mb: null },
    not_supported: [],
  });
  assert.deepEqual(lineage["sandbox.driver"], { value: "docker", source: "task", source_detail: null });
  assert.equal(run_limits.max_turns, 20);
  assert.equal(resolved.task_id, "image");
  assert.equal(plan.load_failures, 1);
});

test("what this version does not run yet is planned, and counted by what it needs", async () => {
  await using folder = await taskFolder({
    "a.yaml":
      "task_id: a\ndescription: d\ninitial_prompt: p\nagent: {type: delegate}\nsuccess_criteria: [{type: file_exists, description: e, path: p}]\n",
  });
  const outcome = await planCommand({ ...planOptions(folder.path), json: false, columns: 120 });
  const text = [...outcome.text].join("");
  assert.match(text, /Planned, but not run by this version \(1 task\):\n {2}agent type 'delegate': 1 task\n/);
  assert.equal(outcome.exitCode, 0);
});

test("fits a narrow terminal, and a hostile name cannot write into it", async () => {
  await using folder = await taskFolder({ "t.yaml": noAgentTask(`"\\e[2J${"x".repeat(200)}"`, "tags: [a]\n") });
  const text = renderPlan(await makePlan(planOptions(folder.path)), 80);
  assert.doesNotMatch(text.replaceAll("\n", ""), /\p{Cc}/u);
  assert.ok(Math.max(...text.split("\n").map((line) => line.length)) <= 80);
});
