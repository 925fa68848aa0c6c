import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";
import { parseTaskResult, readTaskResult } from "../../../src/results/read-task-result.ts";
import { fixtureRuns, put, temporaryDirectory } from "./fixtures.ts";

const minimal = {
  task_id: "t",
  task_description: "d",
  agent_type: "none",
  started_at: "2026-07-07T10:11:12",
  final_status: "SUCCESS",
  iteration_count: 1,
};

function read(value: unknown) {
  return parseTaskResult(JSON.stringify(value));
}

function resultOf(value: unknown) {
  const found = read(value);
  assert.equal(found.kind, "result");
  return found.kind === "result" ? found.result : assert.fail();
}

function reasonOf(text: string): string {
  const found = parseTaskResult(text);
  return found.kind === "unreadable" ? found.reason : assert.fail("was readable");
}

test("every result that coder_eval 0.8.2 and 0.12.16 wrote is readable", () => {
  const files = globSync("{all-pass,mixed,mixed-0.12.16}/**/task.json", { cwd: fixtureRuns });
  assert.ok(files.length > 40);
  for (const file of files) assert.equal(readTaskResult(join(fixtureRuns, file)).kind, "result", file);
});

test("every result in the shared upstream runs is readable, but for the damaged ones", (t) => {
  const runs = resolve(import.meta.dirname, "../../..", process.env.EVALBATCH_SHARED ?? "../shared", "upstream-runs");
  if (!existsSync(runs)) return t.skip(`${runs} is absent`);
  const files = globSync("**/task.json", { cwd: runs }).filter((file) => !/damaged|artifacts|rebuilt|resumed|malformed/.test(file));
  assert.ok(files.length > 200);
  for (const file of files) {
    const found = readTaskResult(join(runs, file));
    assert.equal(found.kind === "unreadable" ? found.reason : "readable", "readable", file);
  }
});

test("reading changes nothing that coder_eval wrote, but fills in the keys of later versions", () => {
  const text = readFileSync(join(fixtureRuns, "mixed-0.12.16/default/passes/00/task.json"), "utf8");
  const written = JSON.parse(text);
  const found = parseTaskResult(text);
  assert.equal(found.kind, "result");
  const result = found.kind === "result" ? { ...found.result } : {};
  assert.deepEqual(JSON.parse(JSON.stringify({ ...result, evalbatch: undefined })), written);
});

test("a foreign key in agent_config, an unknown agent type and unknown top-level keys do not cost the result", () => {
  const result = resultOf({ ...minimal, agent_config: { type: "from-the-future", strange: 1 }, another_key: true });
  assert.deepEqual(result.agent_config, { type: "from-the-future", strange: 1 });
});

test("fields that only inform are read as absent when their type is unexpected", () => {
  const result = resultOf({
    ...minimal,
    model_used: 7,
    duration_seconds: null,
    environment_info: [],
    iterations: "x",
    pre_run_results: [1],
  });
  assert.equal(result.model_used, null);
  assert.equal(result.duration_seconds, null);
  assert.deepEqual(result.environment_info, {});
  assert.deepEqual(result.iterations, []);
  assert.deepEqual(result.pre_run_results, []);
});

test("the old name `turns` is read as iterations", () => {
  const result = resultOf({ ...minimal, turns: [{ iteration: 1, user_input: "hi", agent_output: "ho" }] });
  assert.equal(result.iterations[0]?.agent_output, "ho");
});

test("a usage with input_tokens only counts them as uncached", () => {
  const usage = resultOf({ ...minimal, total_token_usage: { input_tokens: 120, output_tokens: 3 } }).total_token_usage;
  assert.equal(usage?.uncached_input_tokens, 120);
  assert.equal(usage?.input_tokens, 120);
});

test("NaN and Infinity of Python writers become null with a warning, and never within strings", () => {
  const found = parseTaskResult(
    `{"task_id": "t", "final_status": "ERROR", "duration_seconds": NaN, "weighted_score": -Infinity, "error_message": "NaN, \\"Infinity\\""}`,
  );
  assert.equal(found.kind, "result");
  if (found.kind !== "result") return;
  assert.equal(found.result.duration_seconds, null);
  assert.equal(found.result.weighted_score, null);
  assert.equal(found.result.error_message, 'NaN, "Infinity"');
  assert.equal(found.warning, "2 numbers written as NaN or Infinity read as null");
});

test("a score that is no number is a miss with an error, never a pass", () => {
  const [criterion] = resultOf({
    ...minimal,
    success_criteria_results: [{ criterion_type: "x", description: "y", score: null }],
  }).success_criteria_results;
  assert.equal(criterion?.score, 0);
  assert.equal(criterion?.error, "the score was not a number");
});

test("the kind of a criterion result is inferred where it is absent", () => {
  const types = ["llm_judge", "agent_judge", "classification_match", "skill_triggered", "file_exists"];
  const results = types.map((criterion_type) => ({ criterion_type, description: "", score: 1 }));
  const kinds = resultOf({ ...minimal, success_criteria_results: results }).success_criteria_results.map((result) => result.result_kind);
  assert.deepEqual(kinds, ["judge", "judge", "classification", "classification", "basic"]);
});

test("an unreadable result says why in one line", () => {
  assert.equal(reasonOf(""), "the file is empty");
  assert.equal(reasonOf("[]"), "expected an object, found a list");
  assert.equal(reasonOf("null"), "expected an object, found null");
  assert.match(reasonOf('{"task_id": "t'), /^not valid JSON: .*position/);
  assert.equal(reasonOf(JSON.stringify({ ...minimal, final_status: "SOMETHING_NEW" })), 'final_status "SOMETHING_NEW" is unknown');
  assert.equal(reasonOf(JSON.stringify({ ...minimal, final_status: undefined })), "final_status is missing");
  assert.match(reasonOf(JSON.stringify({ ...minimal, task_id: 3 })), /^task_id: /);
  assert.match(
    reasonOf(JSON.stringify({ ...minimal, success_criteria_results: [{ criterion_type: "x", score: 1.5 }] })),
    /^success_criteria_results\.0\.score: /,
  );
});

test("a missing file is unreadable, not an exception", () => {
  const found = readTaskResult(join(fixtureRuns, "nowhere/task.json"));
  assert.match(found.kind === "unreadable" ? found.reason : "", /ENOENT/);
});

test("a byte order mark before the JSON does not matter", () => {
  assert.equal(parseTaskResult(`\ufeff${JSON.stringify(minimal)}`).kind, "result");
});

test("bytes that are no text are damage, in small files and in large ones", () => {
  using root = temporaryDirectory();
  for (const size of [10, 2_000_000]) {
    const text = JSON.stringify({ ...minimal, task_description: `${"x".repeat(size)}\u00ff` });
    put(root.path, "task.json", text);
    assert.equal(readTaskResult(join(root.path, "task.json")).kind, "result");
    writeFileSync(join(root.path, "task.json"), Buffer.from(text, "latin1"));
    const read = readTaskResult(join(root.path, "task.json"));
    assert.equal(read.kind === "unreadable" ? read.reason : "", "the file is not valid UTF-8");
  }
});
