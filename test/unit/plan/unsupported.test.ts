import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { makePlan } from "../../../src/plan/plan.ts";
import { planOptions, taskFolder } from "./task-folder.ts";

/** What is said about a task: nothing when it is planned. */
async function refusal(more: string, agent = "{type: none}", criteria = ""): Promise<string[]> {
  const prompt = agent.includes("none") ? "" : "initial_prompt: p\n";
  const own = criteria === "" ? "  - {type: file_exists, description: e, path: a}\n" : criteria;
  const yaml = `task_id: t\ndescription: d\nagent: ${agent}\n${prompt}${more}success_criteria:\n${own}`;
  await using folder = await taskFolder({ "t.yaml": yaml });
  const plan = await makePlan(planOptions(folder.path, { allowEmpty: true }));
  assert.equal(plan.tasks.length, plan.loadFailures === 0 ? 1 : 0);
  return plan.issues.filter(({ severity }) => severity === "error").map(({ field, message }) => `${field}: ${message}`);
}

const cases: Readonly<Record<string, string>> = {
  "reference: {directory: d}": "reference: not supported yet: reference",
  "checker_context: {}": "checker_context: not supported yet: checker_context",
};

for (const [yaml, message] of Object.entries(cases)) {
  test(`a task with '${yaml}' is refused, not run without it`, async () => {
    assert.deepEqual(await refusal(`${yaml}\n`), [message]);
  });
}

test("an enabled dialog is refused, a switched-off one is not", async () => {
  const dialog = (enabled: boolean) => `simulation: {enabled: ${enabled}, persona: p, goal: g}\n`;
  assert.deepEqual(await refusal(dialog(true), "{type: command, command: x}"), ["simulation.enabled: not supported yet: simulation"]);
  assert.deepEqual(await refusal(dialog(false)), []);
});

test("an agent that only coder_eval's makers have is refused, the others are planned", async () => {
  assert.deepEqual(await refusal("", "{type: delegate}"), ["agent.type: not supported yet: agent type 'delegate'"]);
  for (const type of ["claude-code", "codex", "antigravity", "gemini", "opencode", "pi", "qwen", "copilot"]) {
    assert.deepEqual(await refusal("", `{type: ${type}}`), [], type);
  }
  assert.deepEqual(await refusal("", "{type: command, command: x}"), []);
  assert.deepEqual(await refusal("initial_prompt: p\n", "null"), []);
});

test("settings for tools and sessions are refused where a task gives them to a plain command, and mean nothing where no agent runs", async () => {
  for (const setting of ["allowed_tools: [Bash]", "plugins: [{type: local, path: p}]", "system_prompt: s", "ignore_patterns: [x]"]) {
    const name = setting.split(":")[0];
    assert.deepEqual(await refusal("", `{type: command, command: x, ${setting}}`), [
      `agent.${name}: not supported yet: agent.${name} for agent type 'command'`,
    ]);
    assert.deepEqual(await refusal("", `{type: none, ${setting}}`), []);
  }
  assert.deepEqual(await refusal("", "{type: command, command: x, model: m}"), []);
  assert.deepEqual(await refusal("", "{type: command, command: x, plugins: null, ignore_patterns: []}"), []);
});

test("criterion types that are not executed are refused, each where it stands", async () => {
  const criteria = [
    "  - {type: file_exists, description: e, path: a}",
    "  - {type: llm_judge, description: j, prompt: p}",
    "  - {type: uipath_eval, description: u, agent_name: a, eval_set: e, thresholds: {}}",
    "  - {type: agent_judge, description: a, prompt: p}",
    "  - {type: cli_called, description: c, tool: uip}\n",
  ].join("\n");
  assert.deepEqual(await refusal("", "{type: none}", criteria), [
    "success_criteria[1].type: not supported yet: criterion type 'llm_judge'",
    "success_criteria[2].type: not supported yet: criterion type 'uipath_eval'",
    "success_criteria[3].type: not supported yet: criterion type 'agent_judge'",
  ]);
});

test("what is honoured, or cannot matter without a model, is planned", async () => {
  const honoured = [
    "pre_run: [{command: a, fail_on_error: false}]",
    "post_run: [{command: b}]",
    "expected_commands: 3",
    "run_limits: {max_turns: 3, expected_turns: 2, task_timeout: 30, max_usd: 1, max_total_tokens: 5, stop_early: false}",
    "sandbox:",
    "  driver: docker",
    "  python: {env_packages: [requests]}",
    "  node: {env_packages: [left-pad]}",
    "  limits: {timeout: 5, max_memory_mb: 64, max_cpus: 0.5, max_pids: 10}",
    "  ignore_patterns: ['*.log']",
    "  mock_path_dirs: [bin]",
    "  record_cli: [{tool: uip}]",
    "  template_sources:",
    "    - {type: repo, url: 'https://example.org/r.git', commit: abc}",
    "    - {type: template_dir, path: .}",
    "    - {type: starter_files, files: [{path: a, content: b}]}",
    "  docker:",
    "    image: busybox",
    "    network: none",
    "    working_dir: auto",
    "    env_passthrough: [A]",
    "    env_passthrough_extra: [B]",
    "    extra_mounts: ['/a:/b']",
    "    build: {args: {A: b}, secrets: ['id=x'], extra_args: [--pull], buildkit: true}\n",
  ].join("\n");
  assert.deepEqual(await refusal(honoured), []);
});

test("a refused task is a row with a reason, and the exit code has to tell", async () => {
  await using folder = await taskFolder({
    "t.yaml":
      "task_id: t\ndescription: d\nagent: {type: none}\nchecker_context: {}\nsuccess_criteria: [{type: file_exists, description: e, path: p}]\n",
  });
  const plan = await makePlan(planOptions(folder.path));
  assert.deepEqual(plan.skipped, [
    { path: "t.yaml", reason: "NotSupportedError: checker_context: not supported yet: checker_context", kind: "invalid" },
  ]);
  assert.equal(plan.loadFailures, 1);
});

test("a task that the tags leave out is not refused", async () => {
  const yaml =
    "task_id: t\ndescription: d\nagent: {type: none}\nchecker_context: {}\nsuccess_criteria: [{type: file_exists, description: e, path: p}]\n";
  await using folder = await taskFolder({ [join("x", "t.yaml")]: yaml });
  const plan = await makePlan(planOptions(folder.path, { tags: ["smoke"], allowEmpty: true }));
  assert.deepEqual([plan.loadFailures, plan.skipped, plan.issues], [0, [], []]);
});
