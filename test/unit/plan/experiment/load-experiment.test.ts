import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { InputError } from "../../../../src/errors.ts";
import { loadExperiment } from "../../../../src/plan/experiment/load-experiment.ts";
import { renderIssues } from "../../../../src/plan/render-issues.ts";
import { taskFolder } from "../task-folder.ts";
import { errorsOf, head, loaded, oneVariant, refused } from "./experiment-folder.ts";

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/plan/experiments/${name}`, import.meta.url), "utf8");

test("shows all problems of an experiment at once, each with its place, what was found and what is allowed", async () => {
  const text = fixture("everything-wrong.yaml");
  const lines = text.split("\n");
  const shown = renderIssues(await refused(text), (_file, line) => lines[line - 1]);
  assert.equal(`${shown}\n`, fixture("everything-wrong.txt"));
});

test("a block sets only what it sets, with values coerced as in task files", async () => {
  const { defaults, variants } = await loaded(
    [
      "experiment_id: compare",
      "defaults:",
      "  agent: {type: claude-code, ignore_patterns: [' x ']}",
      '  run_limits: {max_turns: "7", count_cached_input: yes}',
      "  sandbox: {limits: {timeout: 55}, docker: {network: none}, python: null}",
      "  simulation: {n_trials: 3.0}",
      "variants:",
      "  - {variant_id: a, run_limits: {max_usd: 2}, agent: {}}",
    ].join("\n"),
  );
  assert.deepEqual(
    [defaults.agent, defaults.run_limits, defaults.sandbox, defaults.simulation],
    [
      { type: "claude-code", ignore_patterns: ["x"] },
      { max_turns: 7, count_cached_input: true },
      { docker: { network: "none" }, python: null, limits: { timeout: 55 } },
      { n_trials: 3 },
    ],
  );
  assert.deepEqual([variants[0]?.run_limits, variants[0]?.agent, variants[0]?.simulation], [{ max_usd: 2 }, {}, undefined]);
});

test("the other name of ignore_patterns is understood in an agent block", async () => {
  const { defaults } = await loaded(`${head}defaults: {agent: {additional_ignore_patterns: [a]}}\n${oneVariant}`);
  assert.deepEqual(defaults.agent, { ignore_patterns: ["a"] });
});

test("driver beats a nested sandbox.driver of the same block", async () => {
  const { defaults, variants } = await loaded(
    `${head}defaults: {driver: docker, sandbox: {driver: tempdir, python: null}}\nvariants: [{variant_id: a, driver: tempdir}, {variant_id: b, driver: null}]\n`,
  );
  assert.deepEqual(defaults.sandbox, { driver: "docker", python: null });
  assert.deepEqual([variants[0]?.sandbox, variants[1]?.sandbox], [{ driver: "tempdir" }, undefined]);
});

test("template_sources inside of defaults.sandbox are dropped, with a warning that names the right place", async () => {
  const { defaults, warnings } = await loaded(
    `${head}defaults: {sandbox: {template_sources: [{type: template_dir, path: gone}]}, template_sources: [{type: starter_files, files: []}]}\n${oneVariant}`,
  );
  assert.equal(defaults.sandbox, undefined);
  assert.deepEqual(defaults.template_sources, [{ type: "starter_files", files: [] }]);
  assert.deepEqual(
    warnings.map(({ field, line, message, hint }) => [field, line, message, hint]),
    [
      [
        "defaults.sandbox.template_sources",
        2,
        "template_sources inside of defaults.sandbox have no effect",
        "move them to defaults.template_sources",
      ],
    ],
  );
});

test("paths are relative to the experiment file: templates absolute, prompt files read into their prompt", async () => {
  const files = {
    "over/x.txt": "",
    "prompts/p.md": " Do it.\r\nNow. \n",
    "prompts/s.md": "Be terse.\n",
    "image/Dockerfile": "FROM scratch\n",
  };
  const experiment = await loaded(
    [
      "experiment_id: compare",
      "defaults:",
      "  agent: {system_prompt_file: prompts/s.md}",
      "  sandbox: {docker: {dockerfile_path: image/Dockerfile}}",
      "  template_sources: [{type: template_dir, path: over}, {type: template_dir, path: $FOLDER/over, mount_point: m}]",
      "variants: [{variant_id: a, initial_prompt_file: $PROMPTS/p.md, template_sources: [{type: template_dir, path: ./over}]}]",
    ].join("\n"),
    files,
    { PROMPTS: "prompts" },
  );
  const { defaults, variants, warnings } = experiment;
  assert.deepEqual(warnings, []);
  assert.deepEqual(defaults.agent, { system_prompt: "Be terse." });
  const paths = [...defaults.template_sources, ...(variants[0]?.template_sources ?? [])].map((source) =>
    source.type === "template_dir" ? source.path : "",
  );
  const folder = (paths[0] ?? "").replace(/\/over$/, "");
  assert.match(folder, /^\/.*\/experiments$/);
  assert.deepEqual(paths, [`${folder}/over`, `${folder}/over`, `${folder}/over`]);
  assert.deepEqual(defaults.sandbox, { docker: { dockerfile_path: `${folder}/image/Dockerfile` } });
  assert.equal(variants[0]?.initial_prompt, "Do it.\nNow.");
});

test("a file that an experiment names and that is not there is an error or a warning as in a task file", async () => {
  const text = [
    "experiment_id: compare",
    "defaults: {agent: {system_prompt_file: gone.md}, sandbox: {docker: {dockerfile_path: Gone}}, template_sources: [{type: template_dir, path: gone}]}",
    "variants: [{variant_id: a, initial_prompt_file: $NOPE/p.md}]",
  ].join("\n");
  const issues = await refused(text);
  assert.deepEqual(
    issues.map(({ severity, field, code, message }) => [severity, field, code, message]),
    [
      ["error", "defaults.agent.system_prompt_file", "missing-file", "the file 'gone.md' does not exist"],
      ["error", "defaults.sandbox.docker.dockerfile_path", "missing-file", "the Dockerfile 'Gone' does not exist"],
      ["error", "variants[0].initial_prompt_file", "undefined-variable", "the variable 'NOPE' in '$NOPE/p.md' is not set"],
      ["warning", "defaults.template_sources[0].path", "missing-template", "the template folder 'gone' does not exist"],
    ],
  );
});

test("a plugin's path stays as it is written, since agents expand it when they start", async () => {
  const { defaults } = await loaded(`${head}defaults: {agent: {plugins: [{type: local, path: $SKILLS}]}}\n${oneVariant}`);
  assert.deepEqual(defaults.agent, { plugins: [{ type: "local", path: "$SKILLS" }] });
});

test("a key that comes twice is an error in an experiment, at both depths", async () => {
  const issues = await refused(`${head}defaults:\n  agent: {model: a, model: b}\ndefaults: {}\n${oneVariant}`);
  assert.deepEqual(
    issues.map(({ severity, code, line, message, hint }) => [severity, code, line, message, hint]),
    [
      ["error", "duplicate-key", 3, "the key 'model' comes again", "keep one of them"],
      ["error", "duplicate-key", 4, "the key 'defaults' comes again", "keep one of them"],
    ],
  );
});

test("a key of a merged mapping that is set again is no duplicate", async () => {
  const { variants } = await loaded(`${head}variants:\n  - &base {variant_id: a, repeats: 2}\n  - {<<: *base, variant_id: b}\n`);
  assert.deepEqual(
    variants.map(({ variantId, repeats }) => [variantId, repeats]),
    [
      ["a", 2],
      ["b", 2],
    ],
  );
});

test("a task file given as experiment is told apart in words", async () => {
  const task = "task_id: t\ndescription: d\nsuccess_criteria: []\n";
  const [issue] = await refused(task);
  assert.deepEqual(
    [issue?.code, issue?.line, issue?.message, issue?.hint],
    [
      "not-an-experiment",
      1,
      "this is a task file and no experiment: it has task_id",
      "give it as a task; an experiment has experiment_id and variants",
    ],
  );
});

test("what is no mapping, and an empty file, are refused in words", async () => {
  assert.deepEqual(await errorsOf("- a\n"), [": an experiment is a mapping of fields, found a list of 1"]);
  assert.deepEqual(await errorsOf(""), [": the file is empty"]);
  const [broken] = await refused("experiment_id: 'x\n");
  assert.deepEqual([broken?.code, broken?.file, broken?.line], ["yaml-syntax", "experiments/e.yaml", 1]);
});

test("a mapping whose keys are no text says which key", async () => {
  assert.deepEqual(await errorsOf(`${head}defaults: {agent: {on: x}}\n${oneVariant}`), [
    "defaults.agent: found a mapping whose key true is not text",
  ]);
});

test("names that JavaScript gives a meaning are unknown fields like others", async () => {
  assert.deepEqual(await errorsOf(`${head}constructor: {}\ntoString: 1\n${oneVariant}`), [
    "constructor: unknown field 'constructor'",
    "toString: unknown field 'toString'",
  ]);
});

test("a file that cannot be read, or is far too large, is an error and no crash", async () => {
  await using folder = await taskFolder({ "big.yaml": "#".repeat(11_000_000) });
  await assert.rejects(loadExperiment("big.yaml", { cwd: folder.path, env: {} }), (error) => {
    assert.ok(error instanceof InputError);
    assert.match(error.message, /^the file has 11000000 bytes, more than \d+$/);
    return true;
  });
});

test("variants keep the file's order, and every block knows its place", async () => {
  const { defaults, variants, file } = await loaded(`${head}variants: [{variant_id: z, description: last}, {variant_id: a}]\n`);
  assert.equal(file, "experiments/e.yaml");
  assert.deepEqual(defaults.path, ["defaults"]);
  assert.deepEqual(
    variants.map(({ variantId, description, path }) => [variantId, description, path]),
    [
      ["z", "last", ["variants", 0]],
      ["a", "", ["variants", 1]],
    ],
  );
});
