import assert from "node:assert/strict";
import test from "node:test";
import { taskSchema } from "../../../../src/plan/schema/task-schema.ts";
import { parseYaml } from "../../../../src/plan/yaml/yaml.ts";
import { criterion } from "./rule-table.ts";

// What a task is taken for, where the JSON Schemas of both versions do not say it (their defaults: task-schema-facts).

const task = (more: object) =>
  taskSchema.parse({ task_id: "t", description: "d", initial_prompt: "p", success_criteria: [criterion], ...more });

test("1.9 the minimal task of the format is one, all else as by default", () => {
  const text = `task_id: hello-file
description: Create one file
tags: [smoke, area:files]
initial_prompt: Write hello.txt containing the word hello.
run_limits: {max_turns: 10, task_timeout: 120}
success_criteria:
  - type: file_contains
    description: greeting is there
    path: hello.txt
    includes: [hello]
`;
  const parsed = parseYaml(Buffer.from(text), "hello.yaml");
  assert.ok(parsed.kind === "parsed");
  const { run_limits, success_criteria, tags, ...rest } = taskSchema.parse(parsed.value);
  assert.deepEqual([run_limits?.max_turns, run_limits?.task_timeout, run_limits?.turn_timeout], [10, 120, null]);
  assert.deepEqual(tags, ["smoke", "area:files"]);
  assert.deepEqual(success_criteria, [
    {
      type: "file_contains",
      description: "greeting is there",
      weight: 1,
      pass_threshold: 0.9,
      suite_thresholds: null,
      path: "hello.txt",
      includes: ["hello"],
      excludes: null,
    },
  ]);
  const { task_id: _id, description: _text, initial_prompt: _prompt, sandbox, ...unset } = rest;
  assert.equal(sandbox.driver, "tempdir");
  assert.deepEqual(unset, {
    initial_prompt_file: null,
    skip: false,
    agent: null,
    reference: null,
    expected_commands: null,
    pre_run: [],
    post_run: [],
    dataset: null,
    suite_id: null,
    row_id: null,
    simulation: null,
  });
});

test("1.1 an empty agent block is one without a type", () => {
  assert.equal(task({ agent: {} }).agent?.type, null);
  assert.equal(task({}).agent, null);
});

test("1.3 ignore patterns are trimmed, of the agent as of the sandbox", () => {
  const { agent, sandbox } = task({ agent: { ignore_patterns: [" *.log "] }, sandbox: { ignore_patterns: [" !.venv"] } });
  assert.deepEqual([agent?.ignore_patterns, sandbox.ignore_patterns], [["*.log"], ["!.venv"]]);
});

test("1.3 a blank system prompt stays one, as in 0.8.2", () => {
  assert.equal(task({ agent: { type: "codex", system_prompt: " " } }).agent?.system_prompt, " ");
});

test("1.4 python is on by default, with null off, node the other way round", () => {
  const { sandbox } = task({});
  assert.deepEqual([sandbox.python, sandbox.node], [{ env_packages: [] }, null]);
  const other = task({ sandbox: { python: null, node: {} } }).sandbox;
  assert.deepEqual([other.python, other.node], [null, { env_packages: [] }]);
});

test("1.4 the variables passed to a container by default are those of 0.8.2, in its order; a list of one's own replaces them", () => {
  const names =
    "ANTHROPIC_API_KEY API_BACKEND UIPATH_LLM_BACKEND UIPATH_ACCESS_TOKEN UIPATH_URL UIPATH_TENANT_ID UIPATH_ORGANIZATION_ID " +
    "UIPATH_CLI_DISABLE_VERSION_SYNC AWS_BEARER_TOKEN_BEDROCK AWS_REGION BEDROCK_MODEL CLAUDE_CODE_USE_BEDROCK ANTHROPIC_MODEL " +
    "CODEX_API_KEY CODEX_BASE_URL CODEX_MODEL GEMINI_API_KEY ANTIGRAVITY_MODEL HOME";
  assert.deepEqual(task({}).sandbox.docker.env_passthrough, names.split(" "));
  assert.deepEqual(task({ sandbox: { docker: { env_passthrough: ["A"] } } }).sandbox.docker.env_passthrough, ["A"]);
});

test("1.4 a leading ./ of an include pattern is cut", () => {
  const source = { type: "template_dir", path: "t", include_patterns: ["./a/*", "././b", "c/./d"] };
  const [read] = task({ sandbox: { template_sources: [source] } }).sandbox.template_sources ?? [];
  assert.deepEqual(read?.type === "template_dir" && read.include_patterns, ["a/*", "b", "c/./d"]);
});

test("1.4 a response of a recorded tool ignores no flag, where cli_called ignores output", () => {
  const when = { verb: "x" };
  const { sandbox, success_criteria } = task({
    sandbox: { record_cli: [{ tool: "uip", responses: [{ when }] }] },
    success_criteria: [{ type: "cli_called", description: "c", tool: "uip" }],
  });
  assert.deepEqual(sandbox.record_cli?.[0]?.responses[0]?.when.ignore_flags, []);
  const [called] = success_criteria;
  assert.deepEqual(called?.type === "cli_called" && [called.ignore_flags, called.value_flags, called.log], [
    ["output"],
    ["output"],
    "cli_mocks/calls.jsonl",
  ]);
});
