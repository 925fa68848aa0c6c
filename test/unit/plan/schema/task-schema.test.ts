import assert from "node:assert/strict";
import test from "node:test";
import { taskSchema } from "../../../../src/plan/schema/task-schema.ts";

const criterion = { type: "file_exists", description: "e", path: "a" };
const minimal = { task_id: "t", description: "d", agent: { type: "none" }, success_criteria: [criterion] };

const parse = (more: Readonly<Record<string, unknown>>) => taskSchema.safeParse({ ...minimal, ...more });

function accepted(more: Readonly<Record<string, unknown>>) {
  const result = parse(more);
  assert.ok(result.success, result.success ? "" : JSON.stringify(result.error.issues));
  return result.data;
}

/** `path: message` of each problem. */
function problems(more: Readonly<Record<string, unknown>>): string[] {
  const result = parse(more);
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

const refused = (more: Readonly<Record<string, unknown>>, ...patterns: readonly RegExp[]) => {
  const found = problems(more);
  assert.equal(found.length, patterns.length, found.join("\n"));
  for (const [index, pattern] of patterns.entries()) assert.match(found[index] ?? "", pattern);
};

test("fills every default of 0.8.2, and none of later versions, so that 0.8.2 can read what is written", () => {
  const { sandbox, run_limits, agent } = accepted({});
  assert.deepEqual(sandbox.python, { env_packages: [] });
  assert.equal(sandbox.docker.image, "coder-eval-agent:0.8.2");
  assert.equal(sandbox.docker.env_passthrough.length, 19);
  assert.deepEqual(sandbox.limits, { timeout: 300, max_memory_mb: null, max_cpus: null, max_pids: null, max_disk_mb: null });
  assert.equal(run_limits, null);
  assert.equal("record_cli" in sandbox, false);
  assert.equal(agent !== null && "context_window" in agent, false);
});

test("converts as pydantic's lax mode does", () => {
  const task = accepted({
    skip: "yes",
    run_limits: { max_turns: "3", task_timeout: 60.0, max_usd: "1.5", count_cached_input: "on" },
    sandbox: { limits: { max_cpus: "0.5", max_pids: true } },
  });
  assert.equal(task.skip, true);
  assert.deepEqual([task.run_limits?.max_turns, task.run_limits?.task_timeout, task.run_limits?.max_usd], [3, 60, 1.5]);
  assert.deepEqual([task.sandbox.limits.max_cpus, task.sandbox.limits.max_pids], [0.5, 1]);
});

test("never makes text of a number or a list of text", () => {
  refused({ task_id: 7 }, /^task_id: .*string/);
  refused({ tags: "smoke" }, /^tags: .*array/);
  refused({ sandbox: { docker: { build: { args: { A: 1 } } } } }, /^sandbox\.docker\.build\.args\.A: .*string/);
  refused({ run_limits: { max_turns: 3.5 } }, /^run_limits\.max_turns: /);
});

test("a task needs an id and at least one criterion", () => {
  refused({ task_id: " " }, /^task_id: must not be blank/);
  refused({ success_criteria: [] }, /^success_criteria: a task needs at least one criterion/);
});

test("tags are kebab case with at most one key", () => {
  accepted({ tags: ["smoke", "area:files", "a-1:b-2", "0"] });
  for (const tag of ["Smoke", "a_b", "a:b:c", "-a", "a-", ":a", "a b", ""]) refused({ tags: [tag] }, /^tags\.0: a tag is/);
});

test("limits have the bounds of formats.md 1.5", () => {
  for (const [field, low] of Object.entries({ max_turns: 1, expected_turns: 1, task_timeout: 30, turn_timeout: 10, max_total_tokens: 1 })) {
    accepted({ run_limits: { [field]: low } });
    assert.equal(problems({ run_limits: { [field]: low - 1 } }).length, 1, field);
  }
  refused({ run_limits: { max_usd: 0 } }, /max_usd/);
  refused({ run_limits: { stop_early_gate_threshold: 1.1 } }, /stop_early_gate_threshold/);
});

test("hooks run 1 to 300 seconds", () => {
  assert.deepEqual(accepted({ pre_run: [{ command: "true" }] }).pre_run, [{ command: "true", timeout: 30, fail_on_error: true }]);
  refused({ pre_run: [{ command: "true", timeout: 301 }] }, /^pre_run\.0\.timeout/);
  refused({ post_run: [{ command: "true", timeout: 0 }] }, /^post_run\.0\.timeout/);
  refused({ post_run: [{ command: "true", fail_on_error: true }] }, /^post_run\.0: Unrecognized key/);
});

test("each agent type has its own fields", () => {
  accepted({ agent: { type: "command", command: "./agent.sh" } });
  accepted({ agent: { type: "pi", thinking_level: "xhigh" } });
  accepted({ agent: {} });
  refused({ agent: { type: "codex", sdk_options: {} } }, /^agent: Unrecognized key: "sdk_options"/);
  refused({ agent: { sdk_options: {} } }, /^agent: Unrecognized key/);
  refused({ agent: { type: "antigravity", thinking_level: "max" } }, /^agent\.thinking_level/);
  refused({ agent: { type: "command", command: " " } }, /^agent\.command: the command must not be empty/);
});

test("SDK options that the harness sets, or that are none, are refused", () => {
  accepted({ agent: { type: "claude-code", sdk_options: { effort: "high", betas: [] } } });
  refused(
    { agent: { type: "claude-code", sdk_options: { hooks: {}, efort: 1 } } },
    /hooks' is set by the harness/,
    /efort' is no SDK option/,
  );
});

test("a system prompt is text or a file, and replacing needs one", () => {
  refused({ agent: { type: "none", system_prompt: "a", system_prompt_file: "b" } }, /exclude each other/);
  refused({ agent: { type: "claude-code", system_prompt_mode: "replace" } }, /needs a system_prompt/);
  accepted({ agent: { type: "claude-code", system_prompt_mode: "replace", system_prompt: "x" } });
});

test("ignore patterns are trimmed, and an empty one is refused", () => {
  assert.deepEqual(accepted({ sandbox: { ignore_patterns: [" a ", "!.venv"] } }).sandbox.ignore_patterns, ["a", "!.venv"]);
  refused({ sandbox: { ignore_patterns: [" "] } }, /must not be empty/);
  refused({ sandbox: { ignore_patterns: ["!"] } }, /bare '!'/);
});

test("template sources stay inside, and a repo comes first and alone", () => {
  const folder = (more: object) => ({ sandbox: { template_sources: [{ type: "template_dir", path: "x", ...more }] } });
  accepted(folder({ mount_point: "a/b", include_patterns: ["./*.py"] }));
  for (const mount_point of ["", "/a", "../a", "a/../../b", "C:/x"]) refused(folder({ mount_point }), /without '\.\.'/);
  refused(folder({ include_patterns: ["../x"] }), /without '\.\.'/);
  const repo = { type: "repo", url: "https://example.org/r.git" };
  accepted({ sandbox: { template_sources: [repo, { type: "starter_files", files: [] }] } });
  refused({ sandbox: { template_sources: [{ type: "starter_files", files: [] }, repo] } }, /must be the first/);
  refused({ sandbox: { template_sources: [repo, repo] } }, /at most one/);
  refused({ sandbox: { template_sources: [{ type: "starter_files", files: [{ path: "../x", content: "" }] }] } }, /without '\.\.'/);
  refused({ sandbox: { template_sources: [{ path: "x" }] } }, /template_sources\.0\.type/);
});

test("docker blocks are checked before an engine sees them", () => {
  const docker = (more: object) => ({ sandbox: { driver: "docker", docker: more } });
  for (const working_dir of ["auto", "/app", "/workshop", "/a/work"]) accepted(docker({ working_dir }));
  for (const working_dir of ["/", "//", "/work", "/work/x", "app", "/a/..", "/./work"]) refused(docker({ working_dir }), /working_dir/);
  for (const mount of ["/a:/b", "$HOME/a:/b:rw", "C:/a:/b:ro", "./a:/b"]) accepted(docker({ extra_mounts: [mount] }));
  for (const mount of ["/a", "/a:b", "/a:/b:x", ":/b"]) refused(docker({ extra_mounts: [mount] }), /extra_mounts/);
  refused(docker({ network: "host" }), /network/);
  refused(docker({ image: "" }), /image/);
});

test("a reference has exactly one of its three forms", () => {
  accepted({ reference: { directory: "solution" } });
  accepted({ reference: { code: "x = 1" } });
  refused({ reference: {} }, /exactly one/);
  refused({ reference: { file: "a", code: "b" } }, /exactly one/);
});

test("a dataset has paths or rows", () => {
  accepted({ dataset: { rows: [{ id: "a" }] } });
  refused({ dataset: {} }, /exactly one/);
  refused({ dataset: { rows: [] } }, /dataset\.rows/);
  refused({ dataset: { paths: ["a"], rows: [{}] } }, /exactly one/);
});

test("stopping a dialog on its criteria needs criteria during the dialog", () => {
  const base = { persona: "p", goal: "g" };
  accepted({ simulation: { ...base, stop_on_criteria_pass: true, check_criteria: "both" } });
  refused({ simulation: { ...base, stop_on_criteria_pass: true } }, /check_criteria/);
  refused({ simulation: { ...base, persona: " " } }, /must not be blank/);
});

test("recorded tools have harmless names, and scalar flags mean equality", () => {
  const record = (more: object) => ({ sandbox: { record_cli: [{ tool: "uip", ...more }] } });
  const task = accepted(record({ responses: [{ when: { verb: "list", flags: { output: "json" } } }] }));
  assert.equal(task.sandbox.record_cli?.[0]?.responses[0]?.when.flags?.output?.equals, "json");
  for (const tool of ["git", "a b", "../x"]) assert.ok(problems(record({ tool })).length > 0, tool);
});

test("removed criterion types say what to write instead", () => {
  for (const type of ["program_stdout_equals", "code_lints", "scored_command"]) {
    refused({ success_criteria: [{ type, description: "d" }] }, /was removed; use run_command/);
  }
});

test("command_not_executed becomes command_executed with both counts 0", () => {
  const [only] = accepted({ success_criteria: [{ type: "command_not_executed", description: "d", tool_name: "Bash" }] }).success_criteria;
  assert.equal(only?.type, "command_executed");
});
