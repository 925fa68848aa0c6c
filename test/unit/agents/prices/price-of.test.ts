import assert from "node:assert/strict";
import test from "node:test";
import type { CallUsage } from "../../../../src/agents/agent-event.ts";
import { priceOf } from "../../../../src/agents/prices/price-of.ts";

const at = new Date("2026-03-01T00:00:00Z");
const none: CallUsage = { uncachedInput: 0, cacheCreation: 0, cacheRead: 0, output: 0, reasoning: null };

/** USD per million of uncached input, output, tokens written to the cache and read from it. */
function ratesOf(model: string): (number | null)[] {
  const parts: Partial<CallUsage>[] = [{ uncachedInput: 1000 }, { output: 1000 }, { cacheCreation: 1000 }, { cacheRead: 1000 }];
  return parts.map((part) => {
    const price = priceOf(model, { ...none, ...part }, at);
    return price === null ? null : Number((price * 1000).toFixed(6));
  });
}

// Those on which our list and the one of coder_eval agree.
const rates: readonly (readonly [string, readonly number[]])[] = [
  ["claude-sonnet-4-5", [3, 15, 3.75, 0.3]],
  ["claude-sonnet-4-5-20250929", [3, 15, 3.75, 0.3]],
  ["claude-sonnet-4-20250514", [3, 15, 3.75, 0.3]],
  ["claude-opus-4-20250514", [15, 75, 18.75, 1.5]],
  ["claude-opus-4-5-20251101", [5, 25, 6.25, 0.5]],
  ["claude-haiku-4-5-20251001", [1, 5, 1.25, 0.1]],
  ["claude-3-haiku-20240307", [0.25, 1.25, 0.3, 0.03]],
  ["gpt-5", [1.25, 10, 1.25, 0.125]],
  ["gpt-5-codex", [1.25, 10, 1.25, 0.125]],
  ["gpt-5.3-codex", [1.75, 14, 1.75, 0.175]],
  ["gpt-5.5", [5, 30, 5, 0.5]],
  ["gemini-3-pro-preview", [2, 12, 2, 0.2]],
  ["gemini-3.5-flash", [1.5, 9, 1.5, 0.15]],
];

for (const [model, expected] of rates) {
  test(`${model} costs what both lists say`, () => assert.deepEqual(ratesOf(model), expected));
}

const sonnet = [3, 15, 3.75, 0.3];
for (const model of [
  "anthropic/claude-sonnet-4-5",
  "openrouter/anthropic/claude-sonnet-4.5",
  "anthropic.claude-sonnet-4-5-20250929-v1:0",
  "eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "amazon-bedrock/global.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "us.claude-sonnet-4-5",
  "claude-sonnet-4-5@20250929",
  "claude-sonnet-4-5[1m]",
  "github-copilot/claude-sonnet-4.5",
  "anthropic/claude-sonnet-4-5:high",
]) {
  test(`the model behind ${model} is found`, () => assert.deepEqual(ratesOf(model), sonnet));
}

test("a model that nobody knows has no price, whatever its name looks like", () => {
  for (const model of [
    "",
    "/",
    "fake-model",
    "anthropic/nothing-of-this-name",
    "x".repeat(10_000),
    "a/".repeat(5000),
    "openai/",
    "%",
    "__proto__",
  ]) {
    assert.equal(priceOf(model, { ...none, output: 10 }, at), null, model.slice(0, 40));
  }
});

test("counts that cannot be have no price", () => {
  for (const output of [Number.NaN, Number.POSITIVE_INFINITY, -1]) assert.equal(priceOf("gpt-5", { ...none, output }, at), null);
});

test("nothing costs nothing, and a date that is none is no obstacle", () => {
  assert.equal(priceOf("gpt-5", none, at), 0);
  assert.equal(priceOf("gpt-5", { ...none, output: 1_000_000 }, new Date(Number.NaN)), 10);
});
