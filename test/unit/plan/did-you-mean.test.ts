import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { didYouMean } from "../../../src/plan/did-you-mean.ts";

const known = ["python", "node", "driver", "docker", "initial_prompt", "task_id", "limits"];

test("finds the word behind a typing mistake", () => {
  const cases = {
    pyhton: "python",
    Docker: "docker",
    "task-id": "task_id",
    initalprompt: "initial_prompt",
    limit: "limits",
    nodes: "node",
  };
  for (const [word, meant] of Object.entries(cases)) assert.equal(didYouMean(word, known), meant, word);
});

test("guesses nothing for a word that is not close to any", () => {
  for (const word of ["file", "xyz", "", "a", "max_iterations", "n".repeat(10_000)]) assert.equal(didYouMean(word, known), undefined, word);
});

test("takes the beginning of one word for a short form of it, and guesses nothing where it begins several", () => {
  const types = ["claude-code", "codex", "command", "none"];
  assert.equal(didYouMean("claude", types), "claude-code");
  assert.equal(didYouMean("Claude_", types), "claude-code");
  assert.equal(didYouMean("initial", [...known, "initial_prompt_file"]), undefined);
  assert.equal(didYouMean("cl", types), undefined);
});

test("gives one of the known words or nothing, for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.string({ unit: "binary" })), (word, words) => {
      const meant = didYouMean(word, words);
      assert.ok(meant === undefined || (words.includes(meant) && meant !== word));
    }),
  );
});
