import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { InputError } from "../../../../src/errors.ts";
import { problems, resolved } from "./layered.ts";

const types = "claude-code, codex, antigravity, gemini, opencode, pi, qwen, copilot, delegate, command, none";

test("an agent whose type a layer takes away has none, which is an error at that place", async () => {
  assert.deepEqual(await problems({ task: "agent: {type: null}\n" }), [
    `t.yaml:5:15 agent.type: the agent has no type [name one of ${types}]`,
  ]);
  assert.deepEqual(await problems({ experiment: "variants:\n  - variant_id: v\n    agent: {type: null}\n" }), [
    `e.yaml:4:19 variants[0].agent.type: the agent has no type (merged with 't.yaml') [name one of ${types}]`,
  ]);
});

const claudeOptions = "sdk_options: {effort: high}";
const hint = "[agents that have it: claude-code, delegate]";

test("a key that the new type does not know is an error that says who set it and who chose the type", async () => {
  assert.deepEqual(
    await problems({
      experiment: `defaults:\n  agent:\n    ${claudeOptions}\nvariants:\n  - variant_id: v\n    agent: {type: codex}\n`,
    }),
    [
      "e.yaml:4:5 defaults.agent.sdk_options: 'sdk_options' is no field of agent type 'codex': " +
        `the field is set by the experiment's defaults, the type by variant 'v' (merged with 't.yaml') ${hint}`,
    ],
  );
  assert.deepEqual(await problems({ task: `agent: {type: claude-code, ${claudeOptions}}\n`, flags: { type: "codex" } }), [
    `t.yaml:5:28 agent.sdk_options: 'sdk_options' is no field of agent type 'codex': the field is set by the task, the type by --type ${hint}`,
  ]);
  assert.deepEqual(await problems({ task: "agent: {type: codex}\n", flags: { set: ["agent.sdk_options.effort=high"] } }), [
    `t.yaml agent.sdk_options: 'sdk_options' is no field of agent type 'codex': the field is set by -D agent.sdk_options, the type by the task ${hint}`,
  ]);
});

test("merged blocks are validated again, and what an experiment's block is to blame for is shown in its file", async () => {
  assert.deepEqual(await problems({ experiment: "defaults:\n  agent: {system_prompt_mode: replace}\nvariants: [{variant_id: v}]\n" }), [
    "e.yaml:3:31 defaults.agent.system_prompt_mode: system_prompt_mode 'replace' needs a system_prompt or " +
      "system_prompt_file (merged with 't.yaml')",
  ]);
});

test("of several layers that set what is wrong the highest is to blame", async () => {
  const experiment =
    "defaults: {agent: {system_prompt_mode: replace}}\nvariants:\n  - variant_id: v\n    agent: {system_prompt_mode: replace}\n";
  assert.deepEqual(
    (await problems({ experiment })).map((problem) => problem.split(": ")[0]),
    ["e.yaml:5:33 variants[0].agent.system_prompt_mode"],
  );
});

test("one variant whose agent has another type clashes with the defaults, the other variants do not", async () => {
  const folder = join(import.meta.dirname, "../../../fixtures/plan/layering/experiments");
  const experiment = readFileSync(join(folder, "one-variant-clashes.yaml"), "utf8").replace(/^experiment_id.*\n/, "");
  const files = { "terse.txt": "x", "overlay-defaults/a": "", "overlay-variant/a": "" };
  assert.deepEqual(await problems({ experiment, variant: "replaced", files }), [
    "e.yaml:10:5 defaults.agent.claude_settings: 'claude_settings' is no field of agent type 'none': the field is set by the experiment's " +
      "defaults, the type by variant 'replaced' (merged with 't.yaml') [agents that have it: claude-code]",
  ]);
  assert.equal((await resolved({ experiment, variant: "quiet", files })).settings.agent.type, "claude-code");
});

test("what a flag is to blame for names the flag", async () => {
  assert.deepEqual(await problems({ flags: { set: ["agent.system_prompt_mode=replace"] } }), [
    "t.yaml agent.system_prompt_mode: system_prompt_mode 'replace' needs a system_prompt or system_prompt_file; " +
      "it is set by -D agent.system_prompt_mode",
  ]);
});

const repo = "{type: repo, url: 'https://example.org/a.git'}";

test("an entry of a list that grew is shown where its own layer has it", async () => {
  const experiment = (where: string) => `${where}template_sources:\n        - {type: starter_files, files: []}\n`;
  const files = { "a/x": "" };
  const twoRepos = "at most one template source may be a repo";
  assert.deepEqual(
    await problems({
      task: `sandbox: {template_sources: [${repo}]}\n`,
      experiment: `variants:\n  - variant_id: v\n    template_sources:\n      - ${repo}\n      - {type: starter_files, files: []}\n`,
      files,
    }),
    [`e.yaml:5:9 variants[0].template_sources[0]: ${twoRepos} (merged with 't.yaml')`],
  );
  assert.deepEqual(
    await problems({
      task: "sandbox: {template_sources: [{type: template_dir, path: a}]}\n",
      experiment: `defaults:\n  ${experiment("").replace("- {type: starter_files, files: []}", `- ${repo}`)}variants: [{variant_id: v}]\n`,
      files,
    }),
    ["e.yaml:4:11 defaults.template_sources[0]: a repo must be the first template source (merged with 't.yaml')"],
  );
});

test("a dialog of an experiment that lacks what the task does not give is shown in the experiment", async () => {
  assert.deepEqual(await problems({ experiment: "defaults:\n  simulation: {enabled: true, goal: g}\nvariants: [{variant_id: v}]\n" }), [
    "e.yaml:3:15 defaults.simulation: required field 'persona' is missing (merged with 't.yaml')",
  ]);
});

test("all problems of all blocks come at once", async () => {
  const found = await problems({
    task: "agent: {type: codex}\n",
    experiment: `defaults: {repeats: 200, agent: {${claudeOptions}, claude_settings: a.json}, simulation: {goal: g}}\nvariants: [{variant_id: v}]\n`,
  });
  assert.equal(found.length, 4, found.join("\n"));
});

test("both of an exclusive pair in one layer are refused before any merge", async () => {
  await assert.rejects(problems({ flags: { set: ["agent.system_prompt=a", "agent.system_prompt_file=b"] } }), InputError);
  await assert.rejects(
    problems({ experiment: "variants: [{variant_id: v, agent: {system_prompt: a, system_prompt_file: b}}]\n", files: { b: "x" } }),
    InputError,
  );
});
