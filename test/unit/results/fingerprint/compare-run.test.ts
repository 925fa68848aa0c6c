import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { entriesOf, fingerprintWith, foreignFile, linesOf, parsed, rowOf, runKeys, stampOf } from "./stamps.ts";

test("lists of tags and tools are sets, and other lists are not", () => {
  const tags = fc
    .uniqueArray(fc.string(), { minLength: 2 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
  const withTags = (list: readonly string[]) =>
    fingerprintWith({
      run: { ...runKeys, include_tags: list, exclude_tags: [...list, ...list], overrides: { "agent.allowed_tools": list } },
      rows: [rowOf("a", stampOf({ "agent.allowed_tools": list }))],
    });
  fc.assert(fc.property(tags, ([list, shuffled]) => assert.deepEqual(entriesOf(withTags(list), withTags(shuffled)), [])));
  assert.deepEqual(linesOf(withTags(["a", "b"]), withTags(["a"])), [
    'agent.allowed_tools: ["a","b"] → ["a"]',
    'exclude_tags: ["a","b"] → ["a"]',
    'include_tags: ["a","b"] → ["a"]',
  ]);
  const ordered = (list: readonly string[]) => fingerprintWith({ rows: [rowOf("a", stampOf({ "agent.command": list }))] });
  assert.deepEqual(linesOf(ordered(["a", "b"]), ordered(["b", "a"])), ['agent.command: ["a","b"] → ["b","a"]']);
});

test("runs of coder_eval are compared by their keys, tags as sets and what changes no result apart", () => {
  const [first, other, again] = ["0.8.2-first.json", "0.8.2-other-model.json", "0.8.2-tags-in-other-order.json"].map((name) =>
    parsed(foreignFile(name)),
  );
  assert.ok(first !== undefined && other !== undefined && again !== undefined);
  assert.deepEqual(linesOf(first, other), [
    'backend: "direct" → "bedrock"',
    'overrides.agent.model: "model-a" → "model-b"',
    "overrides.run_limits.max_turns: null → 7",
    "-max_parallel: 2 → 1",
    "-verbose: false → true",
  ]);
  assert.deepEqual(linesOf(other, again), []);
});

test("a run of coder_eval and one of ours are compared by what both know, in both directions", () => {
  for (const name of ["0.8.2-first.json", "0.12.16.json"]) {
    const foreign = parsed(foreignFile(name));
    const ours = fingerprintWith({ run: { ...runKeys, ...foreign.run, backend: "bedrock", run_dir: "elsewhere", only_ours: 1 } });
    assert.deepEqual(linesOf(foreign, ours), ['backend: "direct" → "bedrock"', '-run_dir: "run" → "elsewhere"']);
    assert.deepEqual(linesOf(ours, foreign), ['backend: "bedrock" → "direct"', '-run_dir: "elsewhere" → "run"']);
  }
});
