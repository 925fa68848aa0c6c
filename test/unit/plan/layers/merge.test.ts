import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type Fields, mergeFields, mergeValues, pickSet } from "../../../../src/plan/layers/merge.ts";
import { type DeepRule, fieldRule, settingsRules } from "../../../../src/plan/layers/merge-rules.ts";
import { blockOf, deepFreeze } from "./block-arbitrary.ts";

const rules = settingsRules();
const blockRules = Object.entries({
  agent: rules.agent,
  run_limits: rules.run_limits,
  sandbox: rules.sandbox,
  simulation: rules.simulation,
});

function mergeAll(rule: DeepRule, layers: readonly Fields[]): Fields {
  return layers.reduce<Fields>((low, high) => mergeFields(rule, low, high), {});
}

const sandbox = (...layers: readonly Fields[]): Fields => mergeAll(rules.sandbox, layers);
const agent = (...layers: readonly Fields[]): Fields => mergeAll(rules.agent, layers);

test("the fields that grow are exactly those of formats.md 3.2", () => {
  const growing: string[] = [];
  const visit = (rule: DeepRule, path: string): void => {
    for (const [name, field] of rule.fields) {
      if (field.kind === "append") growing.push(`${path}.${name} ${field.order}`);
      if (field.kind === "deep") visit(field, `${path}.${name}`);
    }
  };
  for (const [name, rule] of blockRules) visit(rule, name);
  assert.deepEqual(growing, ["sandbox.docker.env_passthrough_extra low-first", "sandbox.template_sources task-first"]);
  assert.deepEqual([rules.pre_run.order, rules.post_run.order], ["low-first", "high-first"]);
});

test("nested models and free mappings merge key by key", () => {
  assert.deepEqual(
    sandbox(
      { docker: { network: "none", build: { args: { A: "1", B: "1" } } }, limits: { timeout: 5 } },
      { docker: { build: { args: { B: "2" }, buildkit: true } }, limits: { max_cpus: 2 } },
    ),
    { docker: { network: "none", build: { args: { A: "1", B: "2" }, buildkit: true } }, limits: { timeout: 5, max_cpus: 2 } },
  );
  assert.deepEqual(agent({ sdk_options: { effort: "low", user: "u" } }, { sdk_options: { effort: "high" } }), {
    sdk_options: { effort: "high", user: "u" },
  });
});

test("claude_settings merge when both are mappings, else the higher one holds", () => {
  assert.deepEqual(agent({ claude_settings: { a: 1 } }, { claude_settings: { b: 2 } }), { claude_settings: { a: 1, b: 2 } });
  assert.deepEqual(agent({ claude_settings: { a: 1 } }, { claude_settings: "file.json" }), { claude_settings: "file.json" });
  assert.deepEqual(agent({ claude_settings: "file.json" }, { claude_settings: { b: 2 } }), { claude_settings: { b: 2 } });
});

const replacingLists: readonly (readonly [DeepRule, readonly string[]])[] = [
  [rules.agent, ["allowed_tools"]],
  [rules.agent, ["disallowed_tools"]],
  [rules.agent, ["plugins"]],
  [rules.agent, ["ignore_patterns"]],
  [rules.agent, ["setting_sources"]],
  [rules.sandbox, ["ignore_patterns"]],
  [rules.sandbox, ["python", "env_packages"]],
  [rules.sandbox, ["node", "env_packages"]],
  [rules.sandbox, ["docker", "build", "secrets"]],
  [rules.sandbox, ["docker", "build", "extra_args"]],
  [rules.sandbox, ["docker", "env_passthrough"]],
  [rules.sandbox, ["docker", "extra_mounts"]],
  [rules.sandbox, ["mock_path_dirs"]],
  [rules.sandbox, ["record_cli"]],
  [rules.simulation, ["constraints"]],
];

function nest(path: readonly string[], value: unknown): Fields {
  const [step = "", ...rest] = path;
  return { [step]: rest.length === 0 ? value : nest(rest, value) };
}

for (const [rule, path] of replacingLists) {
  test(`the list ${path.join(".")} of a higher layer replaces the lower one`, () => {
    assert.deepEqual(mergeAll(rule, [nest(path, ["low"]), nest(path, ["high"])]), nest(path, ["high"]));
    assert.deepEqual(mergeAll(rule, [nest(path, ["low"]), nest(path, [])]), nest(path, []));
  });
}

test("env_passthrough_extra and template_sources grow, the lower layer first", () => {
  assert.deepEqual(sandbox({ docker: { env_passthrough_extra: ["A"] } }, { docker: { env_passthrough_extra: ["B"] } }), {
    docker: { env_passthrough_extra: ["A", "B"] },
  });
  assert.deepEqual(sandbox({ template_sources: [1] }, { template_sources: [2] }), { template_sources: [1, 2] });
});

test("a null adds nothing to a field that grows", () => {
  assert.deepEqual(sandbox({ template_sources: [1] }, { template_sources: null }), { template_sources: [1] });
  assert.deepEqual(sandbox({ template_sources: null }, { template_sources: [1] }), { template_sources: [1] });
  assert.deepEqual(sandbox({ docker: { env_passthrough_extra: ["A"] } }, { docker: { env_passthrough_extra: null } }), {
    docker: { env_passthrough_extra: ["A"] },
  });
});

test("a null for any other field sets null", () => {
  assert.deepEqual(agent({ model: "m", allowed_tools: ["Bash"] }, { model: null, allowed_tools: null }), {
    model: null,
    allowed_tools: null,
  });
  assert.deepEqual(sandbox({ python: { env_packages: ["x"] } }, { python: null }), { python: null });
});

test("what lies below a null does not come back", () => {
  assert.deepEqual(sandbox({ python: { env_packages: ["x"] } }, { python: null }, { python: {} }), { python: {} });
});

test("setting the system prompt or its file clears the other", () => {
  assert.deepEqual(agent({ system_prompt_file: "a.md" }, { system_prompt: "x" }), { system_prompt_file: null, system_prompt: "x" });
  assert.deepEqual(agent({ system_prompt: "x" }, { system_prompt_file: "a.md" }), { system_prompt: null, system_prompt_file: "a.md" });
  assert.deepEqual(agent({ system_prompt: "x" }, { system_prompt_file: null }), { system_prompt: "x", system_prompt_file: null });
});

test("a layer that sets both of the pair keeps both, in whichever order, so that the validation sees it", () => {
  const both = { system_prompt: "x", system_prompt_file: "a.md" };
  assert.deepEqual(agent({ system_prompt: "low" }, both), both);
  assert.deepEqual(agent({ system_prompt: "low" }, Object.fromEntries(Object.entries(both).toReversed())), both);
});

for (const [name, rule] of blockRules) {
  test(`layering ${name} is associative`, () => {
    const block = blockOf(rule);
    fc.assert(
      fc.property(block, block, block, (a, b, c) => {
        const merged = mergeAll(rule, [a, b, c]);
        assert.deepEqual(mergeAll(rule, [mergeAll(rule, [a, b]), c]), merged);
        assert.deepEqual(mergeAll(rule, [a, mergeAll(rule, [b, c])]), merged);
      }),
    );
  });

  test(`an empty layer changes nothing in ${name}, and merging changes no layer`, () => {
    const block = blockOf(rule);
    fc.assert(
      fc.property(block, block, (low, high) => {
        const frozen = [deepFreeze(low), deepFreeze(high)];
        const merged = mergeAll(rule, frozen);
        assert.deepEqual(mergeAll(rule, [...frozen, {}]), merged);
        assert.deepEqual(mergeAll(rule, [{}, ...frozen]), merged);
      }),
    );
  });
}

const list = fc.array(fc.integer(), { maxLength: 3 });
const mapping = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.oneof(fc.integer(), fc.constant(null)), { noNullPrototype: true });
const pair = fc.record(
  { system_prompt: fc.constantFrom("x", "y", null), system_prompt_file: fc.constantFrom("x.md", "y.md", null) },
  { requiredKeys: [], noNullPrototype: true },
);
const agentModel = fieldRule(rules.agent, "model");
const strategies: readonly (readonly [string, fc.Arbitrary<unknown>, (low: unknown, high: unknown) => unknown])[] = [
  ["replace", fc.oneof(fc.integer(), fc.constant(null), list), (low, high) => mergeValues(agentModel, low, high)],
  ["append", fc.oneof(list, fc.constant(null)), (low, high) => mergeValues({ kind: "append", order: "low-first" }, low, high)],
  ["append, high first", fc.oneof(list, fc.constant(null)), (low, high) => mergeValues(rules.post_run, low, high)],
  ["deep", mapping, (low, high) => mergeValues(fieldRule(rules.agent, "sdk_options"), low, high)],
  ["exclusive pair", pair.map((fields) => agent(fields)), (low, high) => mergeValues({ ...rules.agent, free: false }, low, high)],
];

for (const [name, values, merge] of strategies) {
  test(`the strategy '${name}' is associative`, () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        assert.deepEqual(merge(merge(a, b), c), merge(a, merge(b, c)));
      }),
    );
  });
}

test("keys named __proto__ stay keys, and reach no prototype", () => {
  const hostile = (value: number): Fields => JSON.parse(`{"sdk_options":{"__proto__":{"polluted":${value}},"constructor":{"x":1}}}`);
  const merged = agent(hostile(1), hostile(2));
  assert.equal(JSON.stringify(merged), JSON.stringify(hostile(2)));
  assert.equal(Object.getPrototypeOf(merged), Object.prototype);
  assert.equal(Reflect.get({}, "polluted"), undefined);
  const top: Fields = JSON.parse('{"__proto__":{"model":"m"}}');
  assert.equal(agent(top, {}).model, undefined);
  assert.deepEqual(pickSet({ a: 1 }, JSON.parse('{"__proto__":1,"a":2,"constructor":3}')), { a: 2 });
});

test("what a file sets itself is picked out of the validated value, without the defaults", () => {
  assert.deepEqual(pickSet({ b: "3", a: [{ x: 1 }] }, { a: [{ x: 1, y: 0 }], b: 3, c: null }), { a: [{ x: 1 }], b: 3 });
});
