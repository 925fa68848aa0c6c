import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { builtInExperiment } from "../../../../src/plan/experiment/default-experiment.ts";
import { loadExperiment } from "../../../../src/plan/experiment/load-experiment.ts";
import type { LoadedExperiment, LoadedVariant } from "../../../../src/plan/experiment/loaded-experiment.ts";
import { type ResolvedPrompt, resolvePrompt } from "../../../../src/plan/experiment/prompt.ts";
import type { Fill } from "../../../../src/plan/experiment/prompt-mutations.ts";
import { head, loaded } from "./experiment-folder.ts";

const layering = join(import.meta.dirname, "../../../fixtures/plan/layering");

const entrySchema = z.object({ value: z.unknown(), source: z.string(), source_detail: z.string().nullable() });
const goldenSchema = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({
      resolved: z.object({ initial_prompt: z.string().nullable() }),
      lineage: z.object({ initial_prompt: entrySchema.optional() }),
    }),
  ),
);
const golden = goldenSchema.parse(JSON.parse(readFileSync(join(layering, "golden.json"), "utf8")));

/** The prompts of the golden runs' tasks before any experiment. */
const taskPrompts: Readonly<Record<string, string>> = {
  plain: "Do the thing.",
  opinionated: "Prompt from a file.",
  answer: "Write the number into answer.txt.",
  steady: "Do nothing.",
  "over-budget": "Do nothing.",
  flaky: "Do nothing.",
};

const runs = {
  "run-layers-1-4": "layers.yaml",
  "run-cli": "layers.yaml",
  "ab-run": "../ab/experiments/ab.yaml",
  "ab-run-repeats-flag": "../ab/experiments/ab.yaml",
};

for (const [run, file] of Object.entries(runs)) {
  test(`prompts and their lineage are those of 0.8.2: ${run}`, async () => {
    const experiment = await loadExperiment(`experiments/${file}`, { cwd: layering, env: {} });
    const rows = Object.entries(golden[run] ?? {});
    assert.ok(rows.length >= 2);
    for (const [key, { resolved, lineage }] of rows) {
      const [variantId = "", task = ""] = key.split("/");
      const result = resolvePrompt(taskPrompts[task] ?? null, experiment, variantOf(experiment, variantId));
      assert.deepEqual(result, { kind: "prompt", prompt: resolved.initial_prompt, entry: lineage.initial_prompt, warnings: [] }, key);
    }
  });
}

function variantOf(experiment: LoadedExperiment, id: string): LoadedVariant {
  const variant = experiment.variants.find(({ variantId }) => variantId === id);
  assert.ok(variant !== undefined, id);
  return variant;
}

async function resolved(prompt: string | null, text: string, fill?: Fill): Promise<ResolvedPrompt> {
  const experiment = await loaded(head + text);
  const [variant] = experiment.variants;
  assert.ok(variant !== undefined);
  return resolvePrompt(prompt, experiment, variant, fill);
}

async function warningsOf(prompt: string, text: string, fill?: Fill): Promise<unknown[]> {
  const result = await resolved(prompt, text, fill);
  assert.ok(result.kind === "prompt");
  return result.warnings.map(({ code, path, message, hint }) => [code, path.join("."), message, hint]);
}

const defaults = (mutation: string) => `defaults: {prompt_mutations: [${mutation}]}\nvariants: [{variant_id: a}]\n`;

test("mutations of the defaults come first, then those of the variant", async () => {
  const text =
    "defaults: {prompt_mutations: [{type: suffix, content: b, separator: ''}]}\nvariants: [{variant_id: a, prompt_mutations: [{type: replace, pattern: pb, replacement: ok}]}]\n";
  const result = await resolved("p", text);
  assert.equal(result.kind === "prompt" ? result.prompt : "", "ok");
});

test("an initial_prompt of the variant switches all mutations off, also for a task without a prompt", async () => {
  const text = "defaults: {prompt_mutations: [{type: suffix, content: b}]}\nvariants: [{variant_id: a, initial_prompt: New.}]\n";
  const entry = { value: "(overridden)", source: "variant", source_detail: "initial_prompt override" };
  for (const prompt of ["p", null]) assert.deepEqual(await resolved(prompt, text), { kind: "prompt", prompt: "New.", entry, warnings: [] });
});

test("an empty initial_prompt counts as set", async () => {
  const result = await resolved("p", "variants: [{variant_id: a, initial_prompt: ''}]\n");
  assert.equal(result.kind === "prompt" ? result.prompt : undefined, "");
});

test("a task without a prompt stays without one: there is nothing to mutate", async () => {
  assert.deepEqual(await resolved(null, defaults("{type: prefix, content: c}")), {
    kind: "prompt",
    prompt: null,
    entry: undefined,
    warnings: [],
  });
});

test("the built-in experiment leaves prompts alone", () => {
  const [variant] = builtInExperiment.variants;
  assert.ok(variant !== undefined);
  assert.deepEqual(resolvePrompt("p", builtInExperiment, variant), { kind: "prompt", prompt: "p", entry: undefined, warnings: [] });
});

test("a name in braces that a template leaves unfilled is a warning with the name, and what may have been meant", async () => {
  assert.deepEqual(await warningsOf("Use the {nmae} of {place}.", defaults("{type: template, variables: {name: map}}")), [
    [
      "unfilled-placeholder",
      "defaults.prompt_mutations.0.variables",
      "the prompt still holds {nmae}, {place} after this template",
      "'name' of the variables may be meant for {nmae}",
    ],
  ]);
});

test("the templates of defaults and variant fill a prompt together", async () => {
  const template = (name: string) => `prompt_mutations: [{type: template, variables: {${name}: x}}]`;
  const text = `defaults: {${template("one")}}\nvariants: [{variant_id: a, ${template("two")}}]\n`;
  assert.deepEqual(await warningsOf("{one} {two}", text), []);
  const [warning] = await warningsOf("{one} {two} {three}", text);
  assert.deepEqual(warning, [
    "unfilled-placeholder",
    "variants.0.prompt_mutations.0.variables",
    "the prompt still holds {three} after this template",
    "add it to the variables; leave it where the prompt means the braces themselves",
  ]);
});

test("braces are no placeholders without a template, in shell variables, in double braces, and around what is no name", async () => {
  const prompt = "{name} ${HOME} {{name}} {a b} {} {1} {'json': 1}";
  assert.deepEqual(await warningsOf(prompt, defaults("{type: prefix, content: c}")), []);
  assert.deepEqual(await warningsOf(prompt.replace("{name} ", ""), defaults("{type: template, variables: {other: x}}")), []);
  assert.deepEqual(await warningsOf("{name}", defaults("{type: template, variables: {}}")), []);
});

test("many names left are counted, not all listed", async () => {
  const [warning] = await warningsOf("{a} {b} {c} {d} {e} {f} {a}", defaults("{type: template, variables: {other: x}}"));
  assert.deepEqual(
    Array.isArray(warning) ? warning[2] : "",
    "the prompt still holds {a}, {b}, {c}, {d}, {e}, … (6 in all) after this template",
  );
});

const fill: Fill = (text) =>
  text.includes("${row.gone}")
    ? { kind: "problem", message: "the row has no field 'gone'" }
    : { kind: "text", text: text.replaceAll("${row.x}", "V") };

test("a dataset row fills the variant's prompt and the mutations' texts", async () => {
  const own = await resolved("p", "variants: [{variant_id: a, initial_prompt: 'Use ${row.x}'}]\n", fill);
  assert.equal(own.kind === "prompt" ? own.prompt : "", "Use V");
  const prefixed = await resolved("p", defaults("{type: prefix, content: '${row.x}', separator: ' '}"), fill);
  assert.equal(prefixed.kind === "prompt" ? prefixed.prompt : "", "V p");
});

test("a text that a row cannot fill is a problem at its place in the experiment file", async () => {
  const problemOf = async (text: string) => {
    const result = await resolved("p", text, fill);
    return result.kind === "problem" ? [result.problem.code, result.problem.path.join("."), result.problem.message] : result;
  };
  const message = "the row has no field 'gone'";
  assert.deepEqual(await problemOf("variants: [{variant_id: a, initial_prompt: '${row.gone}'}]\n"), [
    "row-placeholder",
    "variants.0.initial_prompt",
    message,
  ]);
  assert.deepEqual(await problemOf(defaults("{type: suffix, content: '${row.gone}'}")), [
    "row-placeholder",
    "defaults.prompt_mutations.0.content",
    message,
  ]);
});

test("a placeholder of a row in an experiment for a task without a dataset is a warning, since it stays", async () => {
  const expected = (path: string) => [
    [
      "row-placeholder",
      path,
      "'${row.x}' stays as it is in the prompts of tasks without a dataset",
      "only a dataset's rows have fields to fill it with",
    ],
  ];
  assert.deepEqual(await warningsOf("p", defaults("{type: suffix, content: '${row.x}'}")), expected("defaults.prompt_mutations.0"));
  assert.deepEqual(
    await warningsOf("p", "variants: [{variant_id: a, initial_prompt: '${row.x}'}]\n"),
    expected("variants.0.initial_prompt"),
  );
  assert.deepEqual(await warningsOf("p", defaults("{type: suffix, content: '${row.x}'}"), fill), []);
});
