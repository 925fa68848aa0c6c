import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { builtInExperiment } from "../../../../src/plan/experiment/default-experiment.ts";
import { applyLayers } from "../../../../src/plan/layers/layers.ts";
import { loadTask } from "../../../../src/plan/load.ts";
import { parseOverrides } from "../../../../src/plan/overrides/parse-overrides.ts";
import { resolved } from "./layered.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures");
const tree = z.record(z.string(), z.unknown());
const goldenSchema = z.object({ resolved: tree, source_yaml: z.string(), lineage: tree });

for (const name of ["prepared-files", "template-copy"]) {
  test(`resolves ${name} to the config and lineage that 0.8.2 wrote`, async () => {
    const golden = goldenSchema.parse(JSON.parse(readFileSync(join(fixtures, `plan/all-pass/${name}.task-config.json`), "utf8")));
    const folder = join(fixtures, "upstream/all-pass");
    const loaded = await loadTask({ path: join(folder, `${name}.yaml`), name, explicit: true }, {});
    const [variant] = builtInExperiment.variants;
    assert.ok(loaded.kind === "loaded" && variant !== undefined);
    const result = applyLayers({ loaded, experiment: builtInExperiment, variant, overrides: parseOverrides({ set: [] }) });
    assert.ok(result.kind === "resolved");
    const { replicates, ...settings } = result.settings;
    const here = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(folder, "/workspace/tasks"));
    assert.deepEqual(here({ ...loaded.definition, ...settings }), golden.resolved);
    assert.deepEqual(here(result.lineage), golden.lineage);
    assert.deepEqual(Object.keys(result.lineage), Object.keys(golden.lineage));
    assert.equal(replicates, 1);
    assert.equal(loaded.parsed.source.text, golden.source_yaml);
  });
}

const everyLayer = {
  task: "agent: {permission_mode: plan}\nrun_limits: {max_usd: 3, max_turns: 3, expected_turns: 3, max_total_tokens: 3}\n",
  experiment:
    "defaults: {run_limits: {turn_timeout: 22, max_usd: 2, max_turns: 2, expected_turns: 2}}\n" +
    "variants: [{variant_id: v, run_limits: {max_turns: 4, expected_turns: 4}}]\n",
  flags: { set: ["run_limits.max_turns=5"] },
};

test("layers go low to high: default experiment, experiment defaults, task, variant, command line", async () => {
  const { settings, lineage } = await resolved(everyLayer);
  const { task_timeout, turn_timeout, max_usd, expected_turns, max_turns, max_total_tokens } = settings.run_limits;
  assert.deepEqual([task_timeout, turn_timeout, max_usd, expected_turns, max_turns, max_total_tokens], [600, 22, 3, 4, 5, 3]);
  const source = (name: string) => lineage[`run_limits.${name}`]?.source;
  assert.deepEqual(["task_timeout", "turn_timeout", "max_usd", "expected_turns", "max_turns"].map(source), [
    "default",
    "experiment-defaults",
    "task",
    "variant",
    "cli",
  ]);
});

test("without an experiment the built-in one is the active one, and its values count as experiment defaults", async () => {
  const { settings, lineage } = await resolved({});
  assert.equal(settings.agent.type, "claude-code");
  assert.equal(settings.run_limits.max_turns, 20);
  assert.equal(lineage["agent.type"]?.source, "experiment-defaults");
  assert.equal(lineage["run_limits.max_turns"]?.source, "experiment-defaults");
});

test("the built-in experiment gives a task of another experiment its agent and limits, and no command", async () => {
  const { settings, lineage } = await resolved({ experiment: "variants: [{variant_id: v}]\n" });
  assert.equal(settings.agent.model, "claude-sonnet-4-6");
  assert.equal(settings.run_limits.task_timeout, 600);
  assert.equal(lineage["agent.model"]?.source, "default");
  assert.deepEqual([settings.pre_run, settings.post_run], [[], []]);
});

test("the built-in clean-up runs where no experiment is given, after the task's own post_run", async () => {
  const { settings } = await resolved({ task: "post_run: [{command: mine}]\n" });
  assert.deepEqual(
    settings.post_run.map(({ command }) => command),
    ["mine", "rm -rf node_modules .npm-prefix"],
  );
});

test("pre_run is that of the experiment defaults and then the task's, post_run the other way round", async () => {
  const { settings } = await resolved({
    task: "pre_run: [{command: task}]\npost_run: [{command: task}]\n",
    experiment: "defaults: {pre_run: [{command: defaults}], post_run: [{command: defaults}]}\nvariants: [{variant_id: v}]\n",
  });
  const commands = (list: readonly { command: string }[]) => list.map(({ command }) => command);
  assert.deepEqual(commands(settings.pre_run), ["defaults", "task"]);
  assert.deepEqual(commands(settings.post_run), ["task", "defaults"]);
});

const folderSource = (path: string) => `[{type: template_dir, path: ${path}}]`;

test("template sources are the task's, then the experiment defaults', then the variant's, then the command line's", async () => {
  const { settings, lineage, folder } = await resolved({
    task: `sandbox: {template_sources: ${folderSource("task")}}\n`,
    experiment: `defaults: {template_sources: ${folderSource("defaults")}}\nvariants: [{variant_id: v, template_sources: ${folderSource("variant")}}]\n`,
    flags: { set: [`sandbox.template_sources=${folderSource("/cli")}`] },
    files: { "task/a": "", "defaults/a": "", "variant/a": "" },
  });
  const paths = settings.sandbox.template_sources?.map((source) => (source.type === "template_dir" ? source.path : ""));
  assert.deepEqual(paths, [join(folder, "task"), join(folder, "defaults"), join(folder, "variant"), "/cli"]);
  assert.equal(lineage["sandbox.template_sources"]?.source, "cli");
});

test("only keys that a layer really sets take part, not the defaults of their schemas", async () => {
  const { settings } = await resolved({
    task: "sandbox: {limits: {max_cpus: 2}}\nrun_limits: {max_usd: 1}\n",
    experiment:
      "defaults: {sandbox: {limits: {timeout: 55}, driver: docker}, run_limits: {count_cached_input: true}}\nvariants: [{variant_id: v}]\n",
  });
  assert.equal(settings.sandbox.limits.timeout, 55);
  assert.equal(settings.sandbox.driver, "docker");
  assert.equal(settings.run_limits.count_cached_input, true);
});

test("a null for a replaced field sets null", async () => {
  const { settings, lineage } = await resolved({ task: "agent: {model: null, allowed_tools: null}\nrun_limits: {task_timeout: null}\n" });
  assert.deepEqual([settings.agent.model, settings.agent.allowed_tools, settings.run_limits.task_timeout], [null, null, null]);
  assert.deepEqual(lineage["agent.model"], { value: null, source: "task", source_detail: null });
});

test("values of lower layers survive a change of the agent's type", async () => {
  const { settings } = await resolved({ task: "agent: {type: codex}\n" });
  assert.equal(settings.agent.type, "codex");
  assert.equal(settings.agent.model, "claude-sonnet-4-6");
  assert.deepEqual(settings.agent.allowed_tools, ["Bash", "Read", "Write", "Edit", "Glob", "Grep", "Skill"]);
});

test("the driver beside an experiment's sandbox beats the one inside it, and a flag beats both", async () => {
  const setup = { experiment: "defaults: {driver: docker, sandbox: {driver: tempdir}}\nvariants: [{variant_id: v}]\n" };
  assert.equal((await resolved(setup)).settings.sandbox.driver, "docker");
  const { settings, lineage } = await resolved({ ...setup, flags: { driver: "tempdir" } });
  assert.equal(settings.sandbox.driver, "tempdir");
  assert.deepEqual(lineage["sandbox.driver"], { value: "tempdir", source: "cli", source_detail: "-D sandbox.driver" });
});

test("a user's image is for docker tasks that get neither an image nor a Dockerfile from any layer", async () => {
  const image = async (docker: string, experiment?: string) => {
    const setup = { task: `sandbox: {${docker}}\n`, flags: { image: "mine:1" }, files: { Dockerfile: "FROM scratch" } };
    return (await resolved(experiment === undefined ? setup : { ...setup, experiment })).settings.sandbox.docker.image;
  };
  const other = "coder-eval-agent:0.8.2";
  assert.equal(await image("driver: docker"), "mine:1");
  assert.equal(await image("driver: docker, docker: {network: none}"), "mine:1");
  assert.equal(await image("driver: docker, docker: {image: 'own:2'}"), "own:2");
  assert.equal(await image("driver: docker, docker: {dockerfile_path: Dockerfile}"), other);
  assert.equal(await image("driver: tempdir"), other);
  assert.equal(await image("driver: docker", "defaults: {sandbox: {docker: {image: 'low:3'}}}\nvariants: [{variant_id: v}]\n"), "low:3");
  assert.equal(await image("python: null", "variants: [{variant_id: v, driver: docker}]\n"), "mine:1");
});

test("a dialog merges key by key over experiment and task", async () => {
  const { settings, lineage } = await resolved({
    task: "simulation: {enabled: true, persona: a, goal: b, max_turns: 3}\n",
    experiment: "defaults: {simulation: {max_turns: 9, stop_token: END}}\nvariants: [{variant_id: v, simulation: {goal: c}}]\n",
  });
  const { persona, goal, max_turns, stop_token } = settings.simulation ?? {};
  assert.deepEqual([persona, goal, max_turns, stop_token], ["a", "c", 3, "END"]);
  assert.equal(lineage.simulation?.source, "variant");
});

test("a task without a dialog in any layer has none", async () => {
  const { settings, lineage } = await resolved({ task: "simulation: null\n" });
  assert.equal(settings.simulation, null);
  assert.equal("simulation" in lineage, false);
});
