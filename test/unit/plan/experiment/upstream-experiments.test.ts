import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";
import { z } from "zod";
import { InputError } from "../../../../src/errors.ts";
import { builtInExperiment } from "../../../../src/plan/experiment/default-experiment.ts";
import { loadExperiment } from "../../../../src/plan/experiment/load-experiment.ts";
import type { ExperimentLayer, LoadedExperiment } from "../../../../src/plan/experiment/loaded-experiment.ts";

// The corpus's own experiments lie beside the repository; those of our own golden runs are fixtures.
const root = resolve(import.meta.dirname, "../../../..");
const shared = process.env.EVALBATCH_SHARED ?? join(root, "../shared");
const facts = join(shared, "corpus-expected/experiments.json");
const skip = existsSync(facts) ? false : `no corpus at ${shared} (EVALBATCH_SHARED)`;

const blockSchema = z.record(z.string(), z.unknown());
const factSchema = z.object({
  file: z.string(),
  load: z.string(),
  experiment_id: z.string().optional(),
  description: z.string().optional(),
  defaults: blockSchema.nullish(),
  variant_patches: z.array(blockSchema).optional(),
});

function readFacts(): readonly z.infer<typeof factSchema>[] {
  return z.object({ experiments: z.array(factSchema) }).parse(JSON.parse(readFileSync(facts, "utf8"))).experiments;
}

/** A block as the facts write it: what is set, under the names of the file. */
function blockOf(layer: ExperimentLayer): Record<string, unknown> {
  const { path: _place, ...fields } = layer;
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );
}

function factOf(experiment: LoadedExperiment): unknown {
  return {
    experiment_id: experiment.experimentId,
    description: experiment.description,
    defaults: blockOf(experiment.defaults),
    variant_patches: experiment.variants.map((variant) => {
      const { variantId, description, ...fields } = blockOf(variant);
      return { variant_id: variantId, ...fields, ...(description === "" ? {} : { description }) };
    }),
  };
}

test("every real experiment means what it means to the Python tool: defaults, variants, description", { skip }, async () => {
  const rows = readFacts().filter(({ load, file }) => load === "ok" && file.startsWith("corpus/"));
  assert.ok(rows.length >= 7);
  for (const { file, load: _ok, ...fact } of rows) {
    const experiment = await loadExperiment(file, { cwd: shared, env: { SKILLS_REPO_PATH: "/skills" } });
    assert.deepEqual(factOf(experiment), fact, file);
    assert.deepEqual(
      experiment.warnings.filter(({ code }) => code !== "missing-plugin"),
      [],
      file,
    );
  }
});

test("the built-in experiment is the packaged one", { skip }, () => {
  const fact = readFacts().find(({ file }) => file === "(packaged default)");
  assert.ok(fact !== undefined);
  const { file: _file, load: _ok, ...expected } = fact;
  assert.deepEqual(factOf(builtInExperiment), expected);
});

test("a template of an experiment with a placeholder for its id is refused, and the error names the field", { skip }, async () => {
  const [broken] = readFacts().filter(({ load }) => load === "error");
  assert.ok(broken !== undefined);
  await assert.rejects(loadExperiment(broken.file, { cwd: shared, env: {} }), (error) => {
    assert.ok(error instanceof InputError);
    const [issue, ...others] = error.issues.filter(({ severity }) => severity === "error");
    assert.deepEqual([issue?.field, issue?.line, others], ["experiment_id", 13, []]);
    assert.match(issue?.message ?? "", /^found text 'skill-comparison-<short-name>'; an experiment_id is/);
    return true;
  });
});

test("a task file of the corpus is no experiment", { skip }, async () => {
  const task = "corpus/tasks/uipath-functions/smoke/smoke_trigger.yaml";
  await assert.rejects(loadExperiment(task, { cwd: shared, env: {} }), /this is a task file and no experiment: it has task_id/);
});

const layering = join(import.meta.dirname, "../../../fixtures/plan/layering");

test("the experiments of the golden runs load with every layer in its place", async () => {
  const experiment = await loadExperiment("layers", { cwd: layering, env: {} });
  assert.deepEqual(experiment.warnings, []);
  assert.deepEqual(factOf(experiment), {
    experiment_id: "layers",
    description: "One value per layer",
    defaults: {
      repeats: 1,
      agent: {
        type: "claude-code",
        model: "model-defaults",
        permission_mode: "bypassPermissions",
        disallowed_tools: ["Web"],
        claude_settings: { output_tokens: 3 },
      },
      run_limits: { max_turns: 50, turn_timeout: 111, max_total_tokens: 99999 },
      sandbox: {
        python: null,
        limits: { timeout: 55, max_cpus: 1.5 },
        docker: { network: "none", env_passthrough_extra: ["DEFAULTS_VAR"] },
        ignore_patterns: ["*.defaults"],
      },
      template_sources: [overlay("overlay-defaults")],
      pre_run: [{ command: "echo pre-defaults >> order.txt", timeout: 30, fail_on_error: true }],
      post_run: [{ command: "echo post-defaults >> order.txt", timeout: 30 }],
      prompt_mutations: [{ type: "suffix", content: "From the defaults.", separator: "\n\n" }],
    },
    variant_patches: [
      { variant_id: "quiet" },
      {
        variant_id: "loud",
        description: "overrides",
        repeats: 2,
        agent: {
          model: "model-variant",
          system_prompt: "You are terse.",
          allowed_tools: ["Bash", "Write"],
          claude_settings: { output_tokens: 9 },
        },
        run_limits: { max_turns: 8 },
        template_sources: [overlay("overlay-variant")],
        prompt_mutations: [{ type: "prefix", content: "From the variant.", separator: "\n\n" }],
      },
      { variant_id: "replaced", initial_prompt: "A wholly new prompt." },
    ],
  });
});

test("an experiment whose variant clashes with its defaults loads: only the merge can tell", async () => {
  const { variants } = await loadExperiment("one-variant-clashes", { cwd: layering, env: {} });
  assert.deepEqual(variants[2]?.agent, { type: "none" });
});

test("the experiment of the comparison run loads", async () => {
  const { experimentId, defaults, variants } = await loadExperiment("ab", { cwd: join(layering, "ab"), env: {} });
  assert.deepEqual([experimentId, defaults.repeats], ["ab-compare", 2]);
  assert.deepEqual(
    variants.map(({ variantId, description, prompt_mutations }) => [variantId, description, prompt_mutations.map(({ type }) => type)]),
    [
      ["baseline", "as it is", []],
      ["candidate", "another model that knows the answer", ["prefix", "replace"]],
    ],
  );
});

function overlay(name: string): unknown {
  return { type: "template_dir", path: join(layering, "experiments", name), mount_point: ".", include_patterns: [] };
}
