import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { errorMessage } from "../../../src/errors.ts";
import { inputNames, inputVariable, loadInputs } from "../../../src/github/inputs.ts";
import { outputNames } from "../../../src/github/outputs.ts";

const root = join(import.meta.dirname, "../../..");
const metadata = z
  .strictObject({
    name: z.literal("evalbatch"),
    description: z.string().max(125),
    author: z.string(),
    branding: z.strictObject({
      icon: z.string(),
      color: z.enum(["white", "black", "yellow", "blue", "green", "orange", "red", "purple", "gray-dark"]),
    }),
    inputs: z.record(
      z.string(),
      z.strictObject({ description: z.string().min(10), required: z.boolean(), default: z.string().optional() }),
    ),
    outputs: z.record(z.string(), z.strictObject({ description: z.string().min(10) })),
    runs: z.strictObject({
      using: z.literal("node24"),
      main: z.literal("dist/main.js"),
      post: z.literal("dist/post.js"),
      "post-if": z.literal("always()"),
    }),
  })
  .parse(parse(readFileSync(join(root, "action.yml"), "utf8")));

test("action.yml and the code know the same inputs in the same order", () => {
  assert.deepEqual(Object.keys(metadata.inputs), inputNames);
});

test("action.yml and the code know the same outputs in the same order", () => {
  assert.deepEqual(Object.keys(metadata.outputs), outputNames);
});

test("only tasks is required, and every other input has a default", () => {
  for (const [name, input] of Object.entries(metadata.inputs)) {
    assert.equal(input.required, name === "tasks", name);
    assert.equal(input.default === undefined, name === "tasks", name);
  }
});

test("each default of action.yml is what the code does for an empty text", () => {
  const required = { [inputVariable("tasks")]: "t" };
  const load = (texts: Readonly<Record<string, string>>) => loadInputs({ ...required, ...texts }, { workspace: root }, () => {}).inputs;
  for (const [name, input] of Object.entries(metadata.inputs)) {
    if (input.required) continue;
    assert.deepEqual(load({ [inputVariable(name)]: input.default ?? "" }), load({ [inputVariable(name)]: "" }), name);
  }
});

test("an input that takes words names each of them in its description", () => {
  for (const [name, input] of Object.entries(metadata.inputs)) {
    const texts = { [inputVariable("tasks")]: "t", [inputVariable(name)]: "!?" };
    let problem = "";
    try {
      loadInputs(texts, { workspace: root }, () => {});
    } catch (error) {
      problem = errorMessage(error);
    }
    const words = [...(/expected (.*), got/.exec(problem)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "");
    if (words.join() === "true,false") continue;
    for (const word of words) assert.ok(input.description.includes(`"${word}"`), `${name}: "${word}"`);
  }
});

test("the defaults of action.yml mean the same as no text at all", () => {
  const load = (texts: Readonly<Record<string, string>>) =>
    loadInputs({ ...texts, [inputVariable("tasks")]: "t" }, { workspace: root }, () => {}).inputs;
  const defaults = Object.entries(metadata.inputs).map(([name, input]) => [inputVariable(name), input.default ?? ""]);
  assert.deepEqual(load(Object.fromEntries(defaults)), load({}));
});
