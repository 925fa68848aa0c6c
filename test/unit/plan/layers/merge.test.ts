import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { defaultExperiment } from "../../../../src/plan/layers/default-layer.ts";
import { type Layer, mergeLayers, pickSet, type Root } from "../../../../src/plan/layers/merge.ts";

const goldenSchema = z.object({
  resolved: z.record(z.string(), z.record(z.string(), z.unknown())),
  lineage: z.record(z.string(), z.object({ value: z.unknown(), source: z.string(), source_detail: z.string().nullable() })),
});
const golden = (name: string) =>
  goldenSchema.parse(JSON.parse(readFileSync(new URL(`../../../fixtures/plan/${name}.json`, import.meta.url), "utf8")));

// The task "opinionated" of the golden runs, its fields in the schema's order.
const task: Layer = {
  source: "task",
  agent: {
    type: "scripted",
    model: "model-task",
    permission_mode: "plan",
    allowed_tools: ["Read"],
    system_prompt: "From the task.",
    ignore_patterns: ["*.task"],
    tokens: { uncached_input_tokens: 7 },
  },
  run_limits: { max_turns: 5, max_usd: 1.5, count_cached_input: true },
  sandbox: {
    driver: "tempdir",
    docker: { env_passthrough_extra: ["TASK_VAR"], extra_mounts: ["/a:/b"] },
    python: null,
    limits: { timeout: 77 },
    ignore_patterns: ["*.log"],
    template_sources: [{ type: "template_dir", path: "/workspace/tasks/base" }],
  },
};

const roots: readonly Root[] = ["agent", "run_limits", "sandbox"];

function lineageOf(layers: readonly Layer[]): Record<string, unknown> {
  return Object.fromEntries(roots.flatMap((root) => [...mergeLayers(root, layers).lineage]));
}

test("the built-in defaults below a task give the values and the lineage of 0.8.2", () => {
  const { lineage, resolved } = golden("layers-default");
  const layers: Layer[] = [{ source: "experiment-defaults", ...defaultExperiment }, task];
  const { repeats, ...expected } = lineage;
  assert.equal(repeats?.value, 1);
  assert.deepEqual(lineageOf(layers), expected);
  assert.deepEqual(Object.keys(lineageOf(layers)), Object.keys(expected));
  for (const root of roots) {
    const { fields } = mergeLayers(root, layers);
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value !== "object" || value === null) assert.deepEqual(value, resolved[root]?.[name], `${root}.${name}`);
    }
  }
});

test("four layers merge as in 0.8.2", () => {
  const { lineage, resolved } = golden("layers-cli");
  const layers: Layer[] = [
    { source: "default", ...defaultExperiment },
    {
      source: "experiment-defaults",
      agent: {
        type: "scripted",
        model: "model-defaults",
        permission_mode: "bypassPermissions",
        disallowed_tools: ["Web"],
        tokens: { output_tokens: 3 },
      },
      run_limits: { max_turns: 50, turn_timeout: 111, max_total_tokens: 99999 },
    },
    task,
    {
      source: "cli",
      agent: { permission_mode: "default", allowed_tools: ["Grep"], model: "model-cli" },
      run_limits: { max_turns: 3 },
      detailOf: (path) => `-D ${path}`,
    },
  ];
  for (const root of ["agent", "run_limits"] as const) {
    const merged = mergeLayers(root, layers);
    const expected = Object.fromEntries(Object.entries(lineage).filter(([path]) => path.startsWith(`${root}.`)));
    assert.deepEqual(Object.fromEntries(merged.lineage), expected);
    for (const [name, value] of Object.entries(merged.fields)) assert.deepEqual(value, resolved[root]?.[name], name);
  }
});

const low = (sandbox: Layer["sandbox"]): Layer => ({ source: "experiment-defaults", sandbox });
const high = (sandbox: Layer["sandbox"]): Layer => ({ source: "task", sandbox });
const merged = (below: Layer["sandbox"], above: Layer["sandbox"]) => mergeLayers("sandbox", [low(below), high(above)]).fields;

test("named lists grow, all others replace", () => {
  assert.deepEqual(
    merged(
      { docker: { env_passthrough_extra: ["A"], extra_mounts: ["/a:/a"] } },
      { docker: { env_passthrough_extra: ["B"], extra_mounts: ["/b:/b"] } },
    ),
    {
      docker: { env_passthrough_extra: ["A", "B"], extra_mounts: ["/b:/b"] },
    },
  );
  assert.deepEqual(merged({ template_sources: [1] }, { template_sources: [2] }), { template_sources: [1, 2] });
});

test("null adds nothing to a list that grows and replaces everything else", () => {
  assert.deepEqual(merged({ template_sources: [1], python: { env_packages: ["x"] } }, { template_sources: null, python: null }), {
    template_sources: [1],
    python: null,
  });
});

test("setting the system prompt clears the file of a lower layer, value and lineage", () => {
  const layers: Layer[] = [
    { source: "experiment-defaults", agent: { system_prompt_file: "a.md" } },
    { source: "task", agent: { system_prompt: "x" } },
  ];
  const result = mergeLayers("agent", layers);
  assert.deepEqual(result.fields, { system_prompt: "x" });
  assert.deepEqual([...result.lineage.keys()], ["agent.system_prompt"]);
});

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.integer(),
    fc.constant(null),
    fc.array(fc.integer(), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("any"), { noNullPrototype: true }),
  ),
})).any;
const block = fc.dictionary(fc.constantFrom("docker", "limits", "python", "driver"), value, { noNullPrototype: true });

test("merging changes no layer, an empty layer changes nothing, and the highest scalar wins", () => {
  fc.assert(
    fc.property(block, block, (below, above) => {
      const before = JSON.stringify([below, above]);
      const result = merged(below, above);
      assert.equal(JSON.stringify([below, above]), before);
      assert.deepEqual(merged(below, {}), below);
      assert.deepEqual(merged({}, above), above);
      for (const [name, wanted] of Object.entries(above)) if (typeof wanted === "number") assert.equal(result[name], wanted);
    }),
  );
});

test("what a file sets itself is picked out of the validated value, without the defaults", () => {
  assert.deepEqual(pickSet({ b: "3", a: [{ x: 1 }] }, { a: [{ x: 1, y: 0 }], b: 3, c: null }), { a: [{ x: 1 }], b: 3 });
});
