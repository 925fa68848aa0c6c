import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { root } from "../house/source-files.ts";
import { marksIn } from "./editor.ts";

const head = "task_id: t\ndescription: d\ninitial_prompt: p\n";
const task = `${head}success_criteria:\n  - {type: file_exists, description: e, path: p}\n`;
const withCriterion = (criterion: string) =>
  `${head}success_criteria:\n  - {type: file_exists, description: e, path: p}\n  - ${criterion}\n`;

const brokenTasks: Readonly<Record<string, readonly [yaml: string, marks: readonly string[]]>> = {
  "no id": [
    "description: d\ninitial_prompt: p\nsuccess_criteria: [{type: file_exists, description: e, path: p}]",
    [": must have required property 'task_id' (task_id)"],
  ],
  "no prompt": [task.replace("initial_prompt: p\n", ""), [": must have required property 'initial_prompt' (initial_prompt)"]],
  "no criteria": [`${head}success_criteria: []`, ["/success_criteria: must NOT have fewer than 1 items"]],
  "a number where text belongs": [task.replace("initial_prompt: p", "initial_prompt: 3"), ["/initial_prompt: must be string,null"]],
  "text where a list belongs": [`${task}tags: smoke\n`, ["/tags: must be array"]],
  "a tag in capitals": [`${task}tags: [Smoke]\n`, ["/tags/0: a tag is lower-case words"]],
  "a word where yes or no belongs": [`${task}skip: maybe\n`, ["/skip: true or false is expected"]],
  "a misspelt field of a block": [
    `${task}run_limits: {task_timout: 60}\n`,
    ["/run_limits: must NOT have additional properties (task_timout)"],
  ],
  "a limit below its bound": [`${task}run_limits: {task_timeout: 5}\n`, ["/run_limits/task_timeout: must be >= 30"]],
  "a limit in words": [`${task}run_limits: {task_timeout: ten minutes}\n`, ["/run_limits/task_timeout: a whole number is expected"]],
  "an unknown agent": [`${task}agent: {type: claude}\n`, ["/agent/type: must be equal to one of the allowed values"]],
  "a field of another agent": [
    `${task}agent: {type: codex, sdk_options: {}}\n`,
    ["/agent: must NOT have additional properties (sdk_options)"],
  ],
  "an agent's field without a type": [`${task}agent: {command: c}\n`, ["/agent: must NOT have additional properties (command)"]],
  "a command agent without a command": [`${task}agent: {type: command}\n`, ["/agent: must have required property 'command' (command)"]],
  "an SDK option that the harness sets": [
    `${task}agent: {type: claude-code, sdk_options: {cwd: /}}\n`,
    ["/agent/sdk_options: must be equal to one of the allowed values", "/agent/sdk_options: property name must be valid (cwd)"],
  ],
  "a path that leads out of the sandbox": [
    `${task}sandbox: {mock_path_dirs: [../x]}\n`,
    ["/sandbox/mock_path_dirs/0: a relative path without '..' is expected"],
  ],
  "a working directory that is ours": [
    `${task}sandbox: {docker: {working_dir: /work/x}}\n`,
    ["/sandbox/docker/working_dir: 'auto' is expected, or an absolute path"],
  ],
  "a template source without a type": [
    `${task}sandbox: {template_sources: [{path: t}]}\n`,
    ["/sandbox/template_sources/0: must have required property 'type' (type)"],
  ],
  "a template source with a field of another": [
    `${task}sandbox: {template_sources: [{type: repo, url: u, path: t}]}\n`,
    ["/sandbox/template_sources/0: must NOT have additional properties (path)"],
  ],
  "a dataset without rows": [`${task}dataset: {id_field: id}\n`, ["/dataset: must have required property 'rows' (rows)"]],
  "an empty reference": [`${task}reference: {}\n`, ["/reference: must NOT have fewer than 1 properties"]],
};

const brokenCriteria: Readonly<Record<string, readonly [yaml: string, marks: readonly string[]]>> = {
  "a criterion without a type": ["{description: e, path: p}", ["/success_criteria/1: must have required property 'type' (type)"]],
  "a criterion of an unknown type": [
    "{type: file_exist, description: e, path: p}",
    ["/success_criteria/1/type: must be equal to one of the allowed values"],
  ],
  "a criterion of a removed type": [
    "{type: code_lints, description: e}",
    ["/success_criteria/1/type: must be equal to one of the allowed values"],
  ],
  "a criterion without a description": [
    "{type: file_exists, path: p}",
    ["/success_criteria/1: must have required property 'description' (description)"],
  ],
  "a criterion without its own field": [
    "{type: file_contains, description: e, path: p}",
    ["/success_criteria/1: must have required property 'includes' (includes)"],
  ],
  "a misspelt field": [
    "{type: file_contains, description: e, path: p, includes: [a], exclude: [b]}",
    ["/success_criteria/1: must NOT have additional properties (exclude)"],
  ],
  "a field of another type": [
    "{type: file_exists, description: e, path: p, timeout: 5}",
    ["/success_criteria/1: must NOT have additional properties (timeout)"],
  ],
  "a field that only live types have": [
    "{type: file_exists, description: e, path: p, stop_early: {}}",
    ["/success_criteria/1: must NOT have additional properties (stop_early)"],
  ],
  "a value of a wrong kind": [
    "{type: run_command, description: e, command: c, expected_stdout: 2}",
    ["/success_criteria/1/expected_stdout: must be string,null"],
  ],
  "a word that is not offered": [
    "{type: run_command, description: e, command: c, stdout_match: fuzzy}",
    ["/success_criteria/1/stdout_match: must be equal to one of the allowed values"],
  ],
  "a threshold above 1": [
    "{type: file_exists, description: e, path: p, pass_threshold: 90}",
    ["/success_criteria/1/pass_threshold: must be <= 1"],
  ],
  "an entry deep inside": [
    "{type: json_check, description: e, path: p, assertions: [{expression: a, operator: is, expected: 1}]}",
    ["/success_criteria/1/assertions/0/operator: must be equal to one of the allowed values"],
  ],
};

const experiment = "experiment_id: e\nvariants:\n  - variant_id: a\n";

const brokenExperiments: Readonly<Record<string, readonly [yaml: string, marks: readonly string[]]>> = {
  "an id in capitals": ["experiment_id: My Test\nvariants: [{variant_id: a}]", ["/experiment_id: an experiment_id is lower-case words"]],
  "no variants": ["experiment_id: e\nvariants: []", ["/variants: must NOT have fewer than 1 items"]],
  "an unknown field at the top": [`${experiment}variant: x\n`, [": must NOT have additional properties (variant)"]],
  "sandbox in a variant": [`${experiment}    sandbox: {driver: docker}\n`, ["/variants/0: must NOT have additional properties (sandbox)"]],
  "a prompt in the defaults": [
    `${experiment}defaults: {initial_prompt: p}\n`,
    ["/defaults: must NOT have additional properties (initial_prompt)"],
  ],
  "a mutation of an unknown type": [
    `${experiment}    prompt_mutations: [{type: rephrase}]\n`,
    ["/variants/0/prompt_mutations/0/type: must be equal to one of the allowed values"],
  ],
  "a mutation without its field": [
    `${experiment}    prompt_mutations: [{type: prefix}]\n`,
    ["/variants/0/prompt_mutations/0: must have required property 'content' (content)"],
  ],
  "a field that no agent has": [`${experiment}    agent: {modle: m}\n`, ["/variants/0/agent: must NOT have additional properties (modle)"]],
  "no replicate": [`${experiment}    repeats: 0\n`, ["/variants/0/repeats: must be >= 1"]],
};

/** A mark may go on where the table has only its beginning. */
function assertMarks(found: readonly string[], wanted: readonly string[], name: string): void {
  const fits = found.length === wanted.length && wanted.every((mark, index) => found[index]?.startsWith(mark));
  if (!fits) assert.deepEqual(found, wanted, name);
}

test("an editor marks what is wrong with a task, at its place and nowhere else", () => {
  assert.deepEqual(marksIn("task", task), []);
  for (const [name, [yaml, marks]] of Object.entries(brokenTasks)) assertMarks(marksIn("task", yaml), marks, name);
});

test("a fault of one criterion is marked in that criterion, in the words of its type", () => {
  for (const [name, [yaml, marks]] of Object.entries(brokenCriteria)) assertMarks(marksIn("task", withCriterion(yaml)), marks, name);
});

test("an editor marks what is wrong with an experiment, at its place and nowhere else", () => {
  assert.deepEqual(marksIn("experiment", experiment), []);
  for (const [name, [yaml, marks]] of Object.entries(brokenExperiments)) assertMarks(marksIn("experiment", yaml), marks, name);
});

test("an unknown field at the top of a task is not marked: the loader ignores it with a warning", () => {
  assert.deepEqual(marksIn("task", `${task}owner: team-a\n`), []);
});

test("most of what the loader finds in the two files with every mistake, an editor finds as well", () => {
  const read = (path: string) => readFileSync(join(root, "test/fixtures/plan", path), "utf8");
  assert.ok(marksIn("task", read("issues/everything-wrong.yaml")).length >= 10);
  assert.ok(marksIn("experiment", read("experiments/everything-wrong.yaml")).length >= 5);
});
