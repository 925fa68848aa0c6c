import assert from "node:assert/strict";
import test from "node:test";
import { promptWords } from "../../../../src/plan/experiment/prompt-words.ts";
import { loaded } from "./experiment-folder.ts";

const text = `experiment_id: e
defaults: {prompt_mutations: [{type: prefix, content: a}]}
variants:
  - {variant_id: plain}
  - {variant_id: more, prompt_mutations: [{type: replace, pattern: a, replacement: b}]}
  - {variant_id: own, initial_prompt: do it}
`;

test("what a variant does to prompts is told in words: mutations of the defaults too, unless it has a prompt of its own", async () => {
  const experiment = await loaded(text);
  assert.deepEqual(
    experiment.variants.map((variant) => promptWords(experiment, variant)),
    ["1 mutation: prefix", "2 mutations: prefix, replace", "own prompt"],
  );
  const bare = await loaded("experiment_id: e\nvariants: [{variant_id: a}]\n");
  assert.deepEqual(
    bare.variants.map((variant) => promptWords(bare, variant)),
    ["base prompt"],
  );
});
