import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { InputError } from "../../../src/errors.ts";
import { makePlan, type PlanOptions } from "../../../src/plan/plan.ts";
import { noAgentTask, planOptions, taskFolder } from "./task-folder.ts";

async function planOf(files: Readonly<Record<string, string | Uint8Array>>, more: Partial<PlanOptions> = {}) {
  await using folder = await taskFolder(files);
  return { plan: await makePlan(planOptions(folder.path, more)), folder: folder.path };
}

async function inputError(files: Readonly<Record<string, string>>, more: Partial<PlanOptions> = {}): Promise<InputError> {
  try {
    await planOf(files, more);
  } catch (error) {
    assert.ok(error instanceof InputError);
    return error;
  }
  return assert.fail("no error");
}

test("a plan holds everything that a run needs to know of a task", async () => {
  const yaml = noAgentTask("hello", "tags: [smoke]\n");
  const { plan, folder } = await planOf({ "tasks/a.yaml": yaml });
  const [task] = plan.tasks;
  assert.ok(task);
  const { task: definition, lineage, contributions: _asked, ...rest } = task;
  assert.deepEqual(rest, {
    key: "default/hello/00",
    taskId: "hello",
    variantId: "default",
    replicateIndex: 0,
    taskFile: "tasks/a.yaml",
    taskDir: join(folder, "tasks"),
    sourceYaml: yaml,
    resultDir: "default/hello/00",
    notSupported: [],
  });
  assert.equal(definition.run_limits.task_timeout, 600);
  assert.equal(lineage["agent.type"]?.source, "task");
});

test("tasks come in the order of their files, by code point, however they are asked for", async () => {
  const files = { "b.yaml": noAgentTask("t1"), "a/z.yaml": noAgentTask("t2"), "B.yaml": noAgentTask("t3") };
  const ids = async (patterns: readonly string[]) => (await planOf(files, { patterns })).plan.tasks.map(({ taskFile }) => taskFile);
  assert.deepEqual(await ids(["."]), ["B.yaml", "a/z.yaml", "b.yaml"]);
  assert.deepEqual(await ids(["b.yaml", "a", "B.yaml"]), ["B.yaml", "a/z.yaml", "b.yaml"]);
});

test("the reason of a misspelt word says what was meant, not all that could have been", async () => {
  const { plan } = await planOf({ "a.yaml": noAgentTask("a").replace("file_exists", "file_exist") });
  assert.equal(
    plan.skipped[0]?.reason,
    "ValueError: Invalid task definition: success_criteria[0].type: found text 'file_exist'; unknown criterion type; did you mean 'file_exists'?",
  );
});

test("one bad file becomes a row, the others go on, and the failure is counted", async () => {
  const { plan } = await planOf({
    "bad-yaml.yaml": "task_id: 'x\n",
    "bad.yaml": "task_id: a\n",
    "bytes.yaml": Uint8Array.from([...Buffer.from("task_id: "), 0xff]),
    "good.yaml": noAgentTask("good"),
    "skipped.yaml": noAgentTask("later", "skip: true\n"),
  });
  assert.deepEqual(
    plan.tasks.map(({ taskId }) => taskId),
    ["good"],
  );
  assert.equal(plan.loadFailures, 3);
  assert.deepEqual(
    plan.skipped.map(({ path, reason }) => `${path} ${reason}`),
    [
      "bad-yaml.yaml YAMLError: line 1, column 10: the quote that opens here is never closed",
      "bad.yaml ValueError: Invalid task definition: initial_prompt: a prompt is missing: initial_prompt or initial_prompt_file; " +
        "description: required field 'description' is missing; success_criteria: required field 'success_criteria' is missing",
      "bytes.yaml YAMLError: the file is not UTF-8: byte 9 (counted from 0) starts no character",
      "skipped.yaml skip: true (task_id='later')",
    ],
  );
  assert.equal(plan.lineOf("bad-yaml.yaml", 1), "task_id: 'x");
});

test("a reason is cut at 500 characters", async () => {
  const tags = Array.from({ length: 50 }, (_, index) => `BAD_${index}`).join(", ");
  const { plan } = await planOf({ "a.yaml": noAgentTask("a", `tags: [${tags}]\n`) });
  assert.equal(plan.skipped[0]?.reason.length, 500);
});

test("--include-skipped runs tasks that say skip: true", async () => {
  const files = { "a.yaml": noAgentTask("a", "skip: true\n") };
  assert.equal((await planOf(files, { includeSkipped: true })).plan.tasks.length, 1);
});

test("files that do not load stay a row whatever the tags say, skipped ones too", async () => {
  const { plan } = await planOf(
    {
      "a.yaml": noAgentTask("a", "tags: [smoke]\n"),
      "b.yaml": noAgentTask("b"),
      "bad.yaml": "task_id: 1\n",
      "s.yaml": noAgentTask("s", "skip: true\n"),
    },
    { tags: ["smoke"] },
  );
  assert.deepEqual(
    plan.tasks.map(({ taskId }) => taskId),
    ["a"],
  );
  assert.deepEqual(
    plan.skipped.map(({ path }) => path),
    ["bad.yaml", "s.yaml"],
  );
});

test("two files with one task id are an error that names both, before anything runs", async () => {
  const error = await inputError({ "x/a.yaml": noAgentTask("same"), "y/b.yaml": noAgentTask("same"), "z.yaml": noAgentTask("other") });
  assert.equal(error.code, "duplicate-task");
  const [issue] = error.issues;
  assert.deepEqual([issue?.file, issue?.line, issue?.column], ["y/b.yaml", 1, 10]);
  assert.match(error.message, /x\/a\.yaml/);
});

test("ids that differ in case only are an error too", async () => {
  assert.equal((await inputError({ "a.yaml": noAgentTask("Same"), "b.yaml": noAgentTask("same") })).code, "duplicate-task");
});

test("nothing to run is an error that says why, unless it is allowed", async () => {
  const files = { "a.yaml": noAgentTask("a", "tags: [slow]\n"), "s.yaml": noAgentTask("s", "skip: true\n") };
  const error = await inputError(files, { tags: ["smoke"] });
  assert.equal(error.message, "there is no task to run: 2 files found, 1 with skip: true, the tag filter leaves none of the rest");
  assert.equal((await planOf(files, { tags: ["smoke"], allowEmpty: true })).plan.tasks.length, 0);
});

test("a misspelt tag that leaves nothing gets a guess", async () => {
  const error = await inputError({ "a.yaml": noAgentTask("a", "tags: [smoke]\n") }, { tags: ["smkoe"] });
  assert.equal(error.issues[0]?.hint, "no task has the tag 'smkoe'; did you mean 'smoke'?");
});

test("a misspelt tag beside one that some tasks have is a warning: less runs than was meant", async () => {
  const { plan } = await planOf({ "a.yaml": noAgentTask("a", "tags: [smoke, area:files]\n") }, { tags: ["smoke", "area:flies"] });
  assert.deepEqual(
    plan.issues.map(({ code, hint }) => [code, hint]),
    [["unknown-tag", "did you mean 'area:files'?"]],
  );
  const empty = async (tag: string) =>
    (await planOf({ "a.yaml": noAgentTask("a", "tags: [smoke]\n") }, { tags: [tag], allowEmpty: true })).plan;
  assert.deepEqual((await empty("nightly")).issues, []);
  assert.deepEqual(
    (await empty("smkoe")).issues.map(({ hint }) => hint),
    ["did you mean 'smoke'?"],
  );
});

test("a plan of broken files alone is no error: its rows and the exit code tell", async () => {
  const { plan } = await planOf({ "a.yaml": "task_id: a\n" });
  assert.deepEqual([plan.tasks.length, plan.loadFailures], [0, 1]);
});

test("a folder's other YAML is passed over with a notice that tells how to have it read", async () => {
  const { plan } = await planOf({ "a.yaml": noAgentTask("a"), "compose.yaml": "services: {}\n" });
  assert.deepEqual([plan.tasks.length, plan.loadFailures, plan.skipped.length], [1, 0, 0]);
  assert.deepEqual(
    plan.issues.map(({ code, file }) => [code, file]),
    [["no-task", "compose.yaml"]],
  );
});

test("criteria that cannot be met are warned of, and the task still runs as in 0.8.2", async () => {
  const criteria = [
    "  - {type: file_matches_regex, description: r, path: a, pattern: '(unclosed'}",
    "  - {type: file_check, description: c, path: a, patterns: [{pattern: ok}, {pattern: '[z-a]'}]}",
    "  - {type: run_command, description: o, command: x, stdout_match: regex, expected_stdout: '*'}",
    "  - {type: run_command, description: x, command: x, expected_stdout: '*'}",
    "  - {type: json_check, description: j, path: a, assertions: [{expression: 'a[', expected: 1}, {expression: a, operator: regex, expected: '+'}]}\n",
  ].join("\n");
  const yaml = `task_id: t\ndescription: d\nagent: {type: none}\nsuccess_criteria:\n${criteria}`;
  const { plan } = await planOf({ "t.yaml": yaml });
  assert.equal(plan.tasks.length, 1);
  assert.deepEqual(
    plan.issues.map(({ severity, code, field }) => `${severity} ${code} ${field}`),
    [
      "warning invalid-regex success_criteria[0].pattern",
      "warning invalid-regex success_criteria[1].patterns[1].pattern",
      "warning invalid-regex success_criteria[2].expected_stdout",
      "warning invalid-jmespath success_criteria[4].assertions[0].expression",
      "warning invalid-regex success_criteria[4].assertions[1].expected",
    ],
  );
});

test("a variable that a docker task is to have and that is not set is warned of", async () => {
  const yaml = noAgentTask("t", "sandbox: {driver: docker, docker: {image: busybox, env_passthrough_extra: [SET, UNSET]}}\n");
  const codes = async (more: Partial<PlanOptions>) =>
    (await planOf({ "t.yaml": yaml }, { env: { SET: "" }, ...more })).plan.issues.map(({ code, field }) => `${code} ${field}`);
  const variable = "unset-variable sandbox.docker.env_passthrough_extra[1]";
  assert.deepEqual(await codes({}), [variable]);
  assert.deepEqual(await codes({ overrides: { set: [], driver: "tempdir" } }), []);
});

test("the plan does not depend on how many files there are", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`${String(index).padStart(3, "0")}.yaml`, noAgentTask(`t${index}`)]),
  );
  const { plan } = await planOf(files);
  assert.deepEqual(
    plan.tasks.map(({ taskId }) => taskId),
    Array.from({ length: 60 }, (_, index) => `t${index}`),
  );
});
