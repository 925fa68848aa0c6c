import assert from "node:assert/strict";
import test from "node:test";
import { PromptBudget } from "../../../src/plan/prompt-budget.ts";

test("prompts are taken until they are too many together", () => {
  const budget = new PromptBudget(10);
  assert.deepEqual([budget.take("12345"), budget.take(null), budget.take("67890")], [undefined, undefined, undefined]);
  const problem = budget.take("x");
  assert.deepEqual([problem?.severity, problem?.code], ["error", "too-much-text"]);
});
