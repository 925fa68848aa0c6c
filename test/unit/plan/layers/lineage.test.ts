import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type LineageDraft, layOn } from "../../../../src/plan/layers/lay-on.ts";
import type { Root } from "../../../../src/plan/layers/layer.ts";
import type { Fields } from "../../../../src/plan/layers/merge.ts";
import { type DeepRule, fieldRule, settingsRules } from "../../../../src/plan/layers/merge-rules.ts";
import type { LineageSource } from "../../../../src/plan/resolved-task.ts";
import { isMapping } from "../../../../src/plan/schema/field-types.ts";
import { blockOf, deepFreeze } from "./block-arbitrary.ts";
import { resolved } from "./layered.ts";

const sources: readonly LineageSource[] = ["default", "experiment-defaults", "task", "variant"];

function layOnEachOther(root: Root, blocks: readonly Fields[]) {
  const lineage: LineageDraft = new Map();
  const merged = blocks.reduce<Fields>(
    (below, block, index) => layOn(root, below, { source: sources[index] ?? "cli" }, block, lineage),
    {},
  );
  return { merged, lineage };
}

const sourcesOf = (lineage: LineageDraft) => Object.fromEntries([...lineage].map(([path, { source }]) => [path, source]));

test("a nested model has one entry with the merged value, from the highest layer that sets any of it", () => {
  const { lineage } = layOnEachOther("sandbox", [{ docker: { network: "none" } }, { docker: { build: { buildkit: true } } }, { node: {} }]);
  assert.deepEqual(
    [...lineage],
    [
      ["sandbox.docker", { value: { network: "none", build: { buildkit: true } }, source: "experiment-defaults", source_detail: null }],
      ["sandbox.node", { value: {}, source: "task", source_detail: null }],
    ],
  );
});

test("a free mapping has an entry for each of its first-level keys", () => {
  const { lineage } = layOnEachOther("agent", [
    { sdk_options: { effort: "low", thinking: { type: "enabled" } } },
    { sdk_options: { effort: "high", thinking: { budget: 1 } } },
    { sdk_options: { user: "u" } },
  ]);
  assert.deepEqual(sourcesOf(lineage), {
    "agent.sdk_options.effort": "experiment-defaults",
    "agent.sdk_options.thinking": "experiment-defaults",
    "agent.sdk_options.user": "task",
  });
  assert.deepEqual(lineage.get("agent.sdk_options.thinking")?.value, { type: "enabled", budget: 1 });
});

test("no entry of a free mapping outlives a layer that replaces it", () => {
  assert.deepEqual(sourcesOf(layOnEachOther("agent", [{ claude_settings: { a: 1 } }, { claude_settings: "file.json" }]).lineage), {
    "agent.claude_settings": "experiment-defaults",
  });
  assert.deepEqual(sourcesOf(layOnEachOther("agent", [{ claude_settings: "file.json" }, { claude_settings: { a: 1 } }]).lineage), {
    "agent.claude_settings.a": "experiment-defaults",
  });
});

test("a field that grows has one entry with the whole list, from the highest layer that adds to it", () => {
  const { lineage } = layOnEachOther("sandbox", [{ template_sources: [1] }, { template_sources: [2] }, { template_sources: null }]);
  assert.deepEqual([...lineage], [["sandbox.template_sources", { value: [1, 2], source: "experiment-defaults", source_detail: null }]]);
});

test("setting one of the exclusive pair takes the other's entry away", () => {
  for (const [one, other] of [
    ["system_prompt", "system_prompt_file"],
    ["system_prompt_file", "system_prompt"],
  ] as const) {
    assert.deepEqual(sourcesOf(layOnEachOther("agent", [{ [one]: "low" }, { [other]: "high" }]).lineage), {
      [`agent.${other}`]: "experiment-defaults",
    });
  }
});

test("a dialog has one entry", () => {
  const { lineage } = layOnEachOther("simulation", [{ persona: "a", goal: "b" }, { goal: "c" }]);
  assert.deepEqual(
    [...lineage],
    [["simulation", { value: { persona: "a", goal: "c" }, source: "experiment-defaults", source_detail: null }]],
  );
});

test("a file that an experiment reads for a system prompt is recorded as the prompt", async () => {
  const { lineage, settings } = await resolved({
    experiment: "variants: [{variant_id: v, agent: {system_prompt_file: terse.txt}}]\n",
    files: { "terse.txt": "You are terse.\n" },
  });
  assert.deepEqual(lineage["agent.system_prompt"], { value: "You are terse.", source: "variant", source_detail: null });
  assert.equal("agent.system_prompt_file" in lineage, false);
  assert.equal(settings.agent.system_prompt_file, null);
});

test("the same file of a task leaves no entry for its null either", async () => {
  const { lineage } = await resolved({ task: "agent: {system_prompt_file: a.txt}\n", files: { "a.txt": "x" } });
  assert.equal(lineage["agent.system_prompt"]?.source, "task");
  assert.equal("agent.system_prompt_file" in lineage, false);
});

test("entries of the command line name the flag, hold whole validated blocks, and come after repeats where they are new", async () => {
  const { lineage, settings } = await resolved({
    flags: { set: ["sandbox.limits.max_cpus=2", "agent.sdk_options.effort=high", "run_limits.max_turns=true"], model: "m" },
  });
  const cli = Object.entries(lineage).filter(([, { source }]) => source === "cli");
  assert.deepEqual(Object.fromEntries(cli.map(([path, { value, source_detail }]) => [path, [value, source_detail]])), {
    "agent.model": ["m", "-D agent.model"],
    // As 0.8.2 has it: of a scalar the word that was given.
    "run_limits.max_turns": [true, "-D run_limits.max_turns"],
    "agent.sdk_options.effort": ["high", "-D agent.sdk_options.effort"],
    "sandbox.limits": [{ timeout: 300, max_memory_mb: null, max_cpus: 2, max_pids: null, max_disk_mb: null }, "-D sandbox.limits"],
  });
  assert.equal(settings.run_limits.max_turns, 1);
  assert.deepEqual(Object.keys(lineage).slice(-3), ["repeats", "agent.sdk_options.effort", "sandbox.limits"]);
});

test("the type names the flag that chose it", async () => {
  const detail = async (flags: Parameters<typeof resolved>[0]["flags"]) =>
    (await resolved({ flags: flags ?? {} })).lineage["agent.type"]?.source_detail;
  assert.equal(await detail({ type: "codex" }), "--type");
  assert.equal(await detail({ type: "codex", set: ["agent.type=pi"] }), "-D agent.type");
});

test("values are recorded as they were understood, and commands not at all", async () => {
  const { lineage } = await resolved({
    task: "run_limits: {max_turns: '7'}\nsandbox: {limits: {timeout: 60.0}}\npre_run: [{command: a}]\npost_run: [{command: b}]\n",
  });
  assert.equal(lineage["run_limits.max_turns"]?.value, 7);
  assert.deepEqual(lineage["sandbox.limits"]?.value, { timeout: 60 });
  assert.deepEqual(
    Object.keys(lineage).filter((path) => path.endsWith("_run")),
    [],
  );
});

/** Who set a field, told without the engine: the last layer that sets it, unless a later one sets its rival. */
function expectedSource(rule: DeepRule, blocks: readonly Fields[], name: string): LineageSource | undefined {
  const field = fieldRule(rule, name);
  const rival = rule.rivals.get(name);
  let source: LineageSource | undefined;
  blocks.forEach((block, index) => {
    const rivalIsSet = rival !== undefined && block[rival] !== undefined && block[rival] !== null;
    if (rivalIsSet && (block[name] === undefined || block[name] === null)) source = undefined;
    else if (!Object.hasOwn(block, name)) return;
    else if (field.kind !== "append" || block[name] !== null || source === undefined) source = sources[index];
  });
  return source;
}

for (const root of ["agent", "run_limits", "sandbox"] as const) {
  test(`lineage of ${root} always names the layer that a value came from`, () => {
    const rule = settingsRules()[root];
    const block = blockOf(rule).map(deepFreeze);
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
        const { merged, lineage } = layOnEachOther(root, blocks);
        const seen = new Set<string>();
        for (const name of rule.fields.keys()) {
          const path = `${root}.${name}`;
          const field = fieldRule(rule, name);
          const isFree = field.kind === "deep" && field.free && isMapping(merged[name]);
          const keys = isFree && isMapping(merged[name]) ? Object.keys(merged[name]) : [];
          for (const key of keys) {
            const inner = blocks.map((one) => (isMapping(one[name]) ? one[name] : {}));
            const at = inner.findLastIndex((one) => Object.hasOwn(one, key));
            assert.equal(lineage.get(`${path}.${key}`)?.source, sources[at], `${path}.${key}`);
            assert.deepEqual(lineage.get(`${path}.${key}`)?.value, isMapping(merged[name]) ? merged[name][key] : undefined);
            seen.add(`${path}.${key}`);
          }
          if (keys.length > 0) continue;
          const source = expectedSource(rule, blocks, name);
          if (isFree) assert.ok(lineage.get(path) !== undefined, path);
          else assert.equal(lineage.get(path)?.source, source, path);
          if (lineage.has(path)) {
            assert.deepEqual(lineage.get(path)?.value, merged[name], path);
            seen.add(path);
          } else assert.equal(merged[name] ?? null, null, `${path} is set, and nobody says by whom`);
        }
        assert.deepEqual([...lineage.keys()].toSorted(), [...seen].toSorted());
      }),
    );
  });

  test(`the value of a replaced field of ${root} is that of the layer that its lineage names`, () => {
    const rule = settingsRules()[root];
    fc.assert(
      fc.property(fc.array(blockOf(rule), { minLength: 1, maxLength: 4 }), (blocks) => {
        const { lineage } = layOnEachOther(root, blocks);
        for (const [name, field] of rule.fields) {
          const entry = lineage.get(`${root}.${name}`);
          if (field.kind !== "replace" || entry === undefined) continue;
          assert.deepEqual(entry.value, blocks[sources.indexOf(entry.source)]?.[name], name);
        }
      }),
    );
  });
}
