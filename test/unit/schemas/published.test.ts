import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { allDocKeys } from "../../../scripts/field-docs/field-docs.ts";
import { isSchema, type JsonSchema, mapSchema, propertiesOf } from "../../../scripts/schemas/json-schema.ts";
import { experimentFileSchema, planOutputSchema, publishedFiles, taskFileSchema } from "../../../scripts/schemas/publish.ts";
import { root } from "../house/source-files.ts";

const all = { task: taskFileSchema(), experiment: experimentFileSchema(), plan: planOutputSchema() };

/** Every schema below, with its path. */
function nodesOf(schema: JsonSchema): { readonly path: string; readonly node: JsonSchema }[] {
  const nodes: { readonly path: string; readonly node: JsonSchema }[] = [];
  mapSchema(schema, (node, path) => {
    nodes.push({ path, node });
    return node;
  });
  return nodes;
}

test("the files of schemas/ are what the loader's schemas give (npm run schemas writes them)", () => {
  const files = publishedFiles();
  assert.deepEqual(readdirSync(join(root, "schemas")).sort(), Object.keys(files).sort());
  for (const [name, text] of Object.entries(files)) assert.equal(readFileSync(join(root, "schemas", name), "utf8"), text, name);
});

test("every field, and every kind of block, has a text to hover over", () => {
  for (const [name, { schema, undescribed }] of Object.entries(all)) {
    assert.deepEqual(undescribed, [], name);
    const silent = nodesOf(schema).flatMap(({ path, node }) =>
      Object.entries(propertiesOf(node)).flatMap(([field, inner]) =>
        typeof inner.description === "string" && inner.description !== "" ? [] : [`${path}.${field}`],
      ),
    );
    assert.deepEqual(silent, [], name);
  }
});

test("every text belongs to a field that is there", () => {
  const used = new Set(Object.values(all).flatMap(({ keys }) => [...keys]));
  assert.deepEqual(
    allDocKeys.filter((key) => !used.has(key)),
    [],
  );
});

test("nothing is a union of blocks, which an editor could only call wrong as a whole", () => {
  for (const { schema } of Object.values(all)) {
    const unions = nodesOf(schema).filter(({ node }) => node.oneOf !== undefined || node.anyOf !== undefined);
    assert.deepEqual(
      unions.map(({ path }) => path),
      [],
    );
  }
});

test("blocks of task and experiment files are closed; the top level of a task is open, as the loader only warns there", () => {
  const open = (schema: JsonSchema) =>
    nodesOf(schema).flatMap(({ path, node }) =>
      isSchema(node.properties) && node.additionalProperties !== false && !isSchema(node.allOf) && !Array.isArray(node.allOf) ? [path] : [],
    );
  assert.deepEqual(open(all.task.schema), [""]);
  assert.deepEqual(open(all.experiment.schema), []);
});

test("every pattern has a message of its own, since an editor would show the pattern", () => {
  for (const { schema } of [all.task, all.experiment]) {
    const bare = nodesOf(schema).filter(({ node }) => node.pattern !== undefined && node.patternErrorMessage === undefined);
    assert.deepEqual(
      bare.map(({ path }) => path),
      [],
    );
  }
});

test("the output of plan is open, since a later version may add fields", () => {
  const closed = nodesOf(all.plan.schema).filter(({ node }) => node.additionalProperties === false);
  assert.deepEqual(closed, []);
});

test("defaults are told where a task leaves a field out, and not where a layer does", () => {
  const at = (schema: JsonSchema, wanted: string) => nodesOf(schema).find(({ path }) => path === wanted)?.node.default;
  assert.equal(at(all.task.schema, "pre_run[].timeout"), 30);
  assert.equal(at(all.task.schema, "success_criteria[]<llm_judge>.pass_threshold"), 0.7);
  assert.equal(at(all.task.schema, "sandbox.driver"), "tempdir");
  assert.equal(at(all.task.schema, "agent<command>.permission_mode"), "acceptEdits");
  assert.equal(at(all.experiment.schema, "defaults.agent.permission_mode"), undefined);
  assert.equal(at(all.experiment.schema, "variants[].run_limits.count_cached_input"), undefined);
  assert.equal(at(all.experiment.schema, "defaults.pre_run[].timeout"), 30);
  assert.equal(at(all.experiment.schema, "variants[].prompt_mutations[]<prefix>.separator"), "\n\n");
});
