import assert from "node:assert/strict";
import test from "node:test";
import { criterionSchema, criterionTypes } from "../../../src/criteria/criterion-schema.ts";

const d = { description: "d" };

function issuesOf(value: unknown): { path: string; message: string }[] {
  const parsed = criterionSchema.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
}

const smallest: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  file_exists: { path: "a" },
  file_contains: { path: "a", includes: [] },
  file_check: { path: "a" },
  file_matches_regex: { path: "a", pattern: "x" },
  json_check: { path: "a" },
  run_command: { command: "true" },
  classification_match: { path: "a", expected_label: "x", allowed_labels: ["x"] },
  reference_comparison: { agent_file: "a" },
  command_executed: {},
  command_not_executed: {},
  cli_called: { tool: "uip" },
  commands_efficiency: { expected_commands: 3 },
  skill_triggered: { expected_skill: "a", skill_name: "a" },
  uipath_eval: { agent_name: "a", eval_set: "b", thresholds: {} },
  llm_judge: { prompt: "p" },
  agent_judge: { prompt: "p" },
  system_one_judge: { questions: {} },
};

test("every type is accepted with its required fields alone, and is told by one of the listed names", () => {
  assert.deepEqual(Object.keys(smallest).sort(), [...criterionTypes].sort());
  for (const [type, fields] of Object.entries(smallest)) assert.deepEqual(issuesOf({ type, ...d, ...fields }), [], type);
});

test("every type refuses an unknown key", () => {
  for (const [type, fields] of Object.entries(smallest)) {
    assert.match(issuesOf({ type, ...d, ...fields, colour: 1 })[0]?.message ?? "", /colour/, type);
  }
});

test("defaults are those of the original, judges pass at 0.7", () => {
  assert.deepEqual(criterionSchema.parse({ type: "run_command", ...d, command: "true" }), {
    type: "run_command",
    description: "d",
    weight: 1,
    pass_threshold: 0.9,
    suite_thresholds: null,
    command: "true",
    timeout: 30,
    expected_exit_code: 0,
    expected_stdout: null,
    stdout_match: "exact",
    score_from_stdout: false,
  });
  assert.equal(criterionSchema.parse({ type: "llm_judge", ...d, prompt: "p" }).pass_threshold, 0.7);
});

test("scalars are read as pydantic reads them, but a number is no text", () => {
  const parsed = criterionSchema.parse({
    type: "file_matches_regex",
    ...d,
    path: "a",
    pattern: "x",
    flags: "8",
    must_match: "no",
    weight: "2",
  });
  assert.deepEqual({ ...parsed }, { ...parsed, flags: 8, must_match: false, weight: 2 });
  assert.equal(issuesOf({ type: "file_exists", ...d, path: 3 })[0]?.path, "path");
  assert.equal(issuesOf({ type: "file_exists", description: 3, path: "a" })[0]?.path, "description");
});

test("an unknown type and a missing one are told apart, with the types that exist", () => {
  assert.match(issuesOf({ type: "file_exist", ...d })[0]?.message ?? "", /^unknown criterion type, expected one of file_exists, /);
  assert.match(issuesOf({ ...d, path: "a" })[0]?.message ?? "", /^criterion without 'type', expected one of /);
});

test("a removed type says what to write instead", () => {
  for (const [type, instead] of [
    ["program_stdout_equals", /expected_stdout/],
    ["code_lints", /run_command/],
    ["scored_command", /score_from_stdout/],
  ] as const) {
    const [issue] = issuesOf({ type, ...d, anything: 1 });
    assert.equal(issue?.path, "type");
    assert.match(issue?.message ?? "", instead);
  }
});

test("command_not_executed is command_executed with no call allowed", () => {
  const parsed = criterionSchema.parse({ type: "command_not_executed", ...d, command_pattern: "rm", stop_early: {} });
  assert.deepEqual(parsed, {
    type: "command_executed",
    description: "d",
    weight: 1,
    pass_threshold: 0.9,
    suite_thresholds: null,
    stop_early: { on_pass: "continue", decide_within: null },
    tool_name: null,
    command_pattern: "rm",
    min_count: 0,
    max_count: 0,
    require_success: false,
    exclude_pattern: null,
  });
  assert.equal(issuesOf({ type: "command_not_executed", ...d, max_count: 3 })[0]?.path, "max_count");
});

test("fields that exclude each other or do not fit together are refused", () => {
  const cases: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ type: "run_command", command: "x", score_from_stdout: true, expected_stdout: "1" }, "expected_stdout"],
    [{ type: "command_executed", min_count: 3, max_count: 2 }, "max_count"],
    [{ type: "command_executed", max_count: 0 }, "max_count"],
    [{ type: "cli_called", tool: "a", min_count: 0 }, "max_count"],
    [{ type: "cli_called", tool: "a", min_count: 2, max_count: 1 }, "max_count"],
    [{ type: "cli_called", verb: "a", verb_any_of: ["b"] }, "verb_any_of"],
    [{ type: "cli_called" }, ""],
    [{ type: "cli_called", tool: "a", flags: { f: { equals: "x", contains: "y" } } }, "flags.f"],
    [{ type: "cli_called", tool: "a", flags: { f: {} } }, "flags.f"],
    [{ type: "agent_judge", prompt: "p", verdict_channel: "tool" }, "verdict_channel"],
    [{ type: "file_exists", path: "a", stop_early: {} }, "stop_early"],
    [{ type: "file_exists", path: "a", weight: -1 }, "weight"],
    [{ type: "file_exists", path: "a", weight: Number.POSITIVE_INFINITY }, "weight"],
    [{ type: "file_exists", path: "a", pass_threshold: 1.1 }, "pass_threshold"],
    [{ type: "file_exists", path: "a", weight: 0, suite_thresholds: { mean: 0.5 } }, "suite_thresholds"],
    [{ type: "skill_triggered", expected_skill: "a", skill_name: "a", weight: 0, stop_early: {} }, "stop_early"],
  ];
  for (const [fields, path] of cases) {
    assert.deepEqual(
      issuesOf({ ...d, ...fields }).map((issue) => issue.path),
      [path],
      JSON.stringify(fields),
    );
  }
});

test("both early-stop syntaxes are read where tool calls decide", () => {
  assert.deepEqual(issuesOf({ type: "command_executed", ...d, stop_when: "auto" }), []);
  assert.deepEqual(
    issuesOf({ type: "skill_triggered", ...d, ...smallest.skill_triggered, stop_early: { on_pass: "stop", decide_within: 3 } }),
    [],
  );
  assert.equal(issuesOf({ type: "command_executed", ...d, stop_early: { decide_within: 0 } })[0]?.path, "stop_early.decide_within");
});

test("an assertion needs 'expected' (null counts) except for exists, and a text of 8 characters for contains", () => {
  const of = (assertion: unknown) => issuesOf({ type: "json_check", ...d, path: "a", assertions: [assertion] });
  assert.deepEqual(of({ expression: "a", expected: null }), []);
  assert.deepEqual(of({ expression: "a", operator: "exists" }), []);
  assert.equal(of({ expression: "a" })[0]?.path, "assertions.0.expected");
  assert.match(of({ expression: "a", operator: "contains", expected: "  seven77 " })[0]?.message ?? "", /at least 8 characters/);
  assert.deepEqual(of({ expression: "a", operator: "contains", expected: "eight888" }), []);
  assert.deepEqual(of({ expression: "a", operator: "contains", expected: 5 }), []);
});

test("a bare flag value means equals", () => {
  const parsed = criterionSchema.parse({ type: "cli_called", ...d, tool: "uip", flags: { output: "json", limit: 5 } });
  assert.ok(parsed.type === "cli_called");
  assert.equal(parsed.flags?.output?.equals, "json");
  assert.equal(parsed.flags?.limit?.equals, "5");
});
