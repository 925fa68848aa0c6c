import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { z } from "zod";
import { agentSchema, knownAgentTypes } from "../../../../src/plan/schema/agent-schema.ts";
import { taskSchema } from "../../../../src/plan/schema/task-schema.ts";

// Field by field against the JSON Schemas of the two versions that mark the ends of the supported range.

interface Node {
  readonly [key: string]: unknown;
}
const nodeSchema = z.record(z.string(), z.unknown());
const asNode = (value: unknown): Node => nodeSchema.parse(value ?? {});
const asNodes = (value: unknown): readonly Node[] => z.array(nodeSchema).parse(value ?? []);

/** Where we differ on purpose: path and keyword, with the reason. */
const intended: Readonly<Record<string, string>> = {
  "tags[] pattern": "theirs is checked apart from the schema (formats.md 1.1)",
  "run_limits.max_turns minimum": "for whole numbers the same as more than 0",
  "run_limits.max_turns exclusiveMinimum": "the same",
  "dataset.paths minItems": "an empty list is as good as none, which is refused too",
  "dataset.rows minItems": "the same",
  "sandbox.limits.timeout exclusiveMinimum": "a limit of 0 s or less ends every command at once",
  "sandbox.docker.network enum": "ours takes the name of a network that the engine has as well",
  "sandbox.docker.network pattern": "such names have a shape",
  "sandbox.limits.max_memory_mb minimum": "no engine takes a negative limit",
};

function load(version: string): Node {
  return asNode(JSON.parse(readFileSync(new URL(`../../../fixtures/plan/task-${version}.json`, import.meta.url), "utf8")));
}

/** Follows references and leaves out `null` arms: gives the bare node and whether null is allowed. */
function bare(node: Node, root: Node): { readonly node: Node; readonly nullable: boolean } {
  if (typeof node.$ref === "string") {
    const target = bare(asNode(asNode(root.$defs)[node.$ref.replace("#/$defs/", "")]), root);
    return { nullable: target.nullable, node: { ...target.node, ...("default" in node ? { default: node.default } : {}) } };
  }
  const arms = asNodes(node.anyOf ?? node.oneOf);
  if (arms.length === 0) {
    const types = Array.isArray(node.type) ? node.type : [node.type];
    return { nullable: types.includes("null"), node: { ...node, type: types.find((type) => type !== "null") } };
  }
  const others = arms.filter((arm) => arm.type !== "null");
  const nullable = others.length < arms.length;
  const only = others[0];
  if (others.length !== 1 || only === undefined) return { nullable, node };
  const inner = bare(only, root);
  return { nullable: nullable || inner.nullable, node: { ...inner.node, ...("default" in node ? { default: node.default } : {}) } };
}

const keywords = [
  "type",
  "enum",
  "const",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "minLength",
  "minItems",
  "pattern",
];

function compare(path: string, theirs: Node, root: Node, ours: Node, differences: string[]): void {
  const their = bare(theirs, root);
  const our = bare(ours, ours);
  if (Object.keys(ours).length === 0) return;
  if (their.nullable !== our.nullable) differences.push(`${path} nullable: theirs ${their.nullable}`);
  for (const keyword of keywords) {
    let mine = our.node[keyword];
    if (typeof mine === "number" && Math.abs(mine) === Number.MAX_SAFE_INTEGER) mine = undefined;
    if (isUnion(their.node) && keyword === "type") continue;
    if (JSON.stringify(mine) !== JSON.stringify(their.node[keyword]) && intended[`${path} ${keyword}`] === undefined) {
      differences.push(`${path} ${keyword}: theirs ${JSON.stringify(their.node[keyword])}, ours ${JSON.stringify(mine)}`);
    }
  }
  if ("default" in their.node && "default" in our.node && JSON.stringify(their.node.default) !== JSON.stringify(our.node.default)) {
    differences.push(`${path} default: theirs ${JSON.stringify(their.node.default)}, ours ${JSON.stringify(our.node.default)}`);
  }
  if (their.node.additionalProperties === false && our.node.additionalProperties !== false) differences.push(`${path} takes unknown keys`);
  if ("items" in their.node) compare(`${path}[]`, asNode(their.node.items), root, asNode(our.node.items), differences);
  compareUnion(path, their.node, root, our.node, differences);
  compareFields(path, their.node, root, our.node, differences);
}

const isUnion = (node: Node): boolean => "anyOf" in node || "oneOf" in node;

function compareUnion(path: string, theirs: Node, root: Node, ours: Node, differences: string[]): void {
  const discriminator = asNode(theirs.discriminator);
  for (const [name, target] of Object.entries(asNode(discriminator.mapping))) {
    const arm = asNodes(ours.oneOf ?? ours.anyOf).find((candidate) => asNode(asNode(candidate.properties).type).const === name);
    if (arm === undefined) differences.push(`${path} lacks ${name}`);
    else compareFields(`${path}<${name}>`, bare({ $ref: target }, root).node, root, arm, differences);
  }
}

function compareFields(path: string, theirs: Node, root: Node, ours: Node, differences: string[]): void {
  const required = z.array(z.string()).parse(theirs.required ?? []);
  for (const [name, field] of Object.entries(asNode(theirs.properties))) {
    if (name === "success_criteria" || (path === "" && name === "agent") || (path === "" && name === "reference")) continue;
    const mine = asNode(ours.properties)[name];
    const place = path === "" ? name : `${path}.${name}`;
    if (mine === undefined) differences.push(`${place} is missing`);
    else if (name !== "type") compare(place, asNode(field), root, asNode(mine), differences);
    const hasDefault = mine !== undefined && "default" in asNode(mine);
    if (required.includes(name) && name !== "type" && hasDefault) differences.push(`${place} has a default but is required`);
  }
}

const jsonSchema = (schema: z.ZodType): Node => asNode(z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }));

for (const version of ["0.8.2", "0.12.16"]) {
  test(`knows every field of ${version} with its type, bounds and default`, () => {
    const root = load(version);
    const differences: string[] = [];
    compareFields("", root, root, jsonSchema(taskSchema), differences);
    assert.deepEqual(differences, []);
  });

  test(`knows every agent of ${version} with its fields`, () => {
    const root = load(version);
    const differences: string[] = [];
    const union = jsonSchema(agentSchema);
    compareUnion("agent", asNode(asNode(root.$defs).AgentConfig), root, union, differences);
    assert.deepEqual(differences, []);
  });
}

test("knows all agent types of both versions, and those of its own", () => {
  const types = Object.keys(asNode(asNode(asNode(asNode(load("0.12.16").$defs).AgentConfig).discriminator).mapping));
  assert.deepEqual([...knownAgentTypes].toSorted(), [...types, "command", "gemini", "qwen", "copilot"].toSorted());
});
