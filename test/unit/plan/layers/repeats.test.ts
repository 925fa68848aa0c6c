import assert from "node:assert/strict";
import test from "node:test";
import { problems, resolved } from "./layered.ts";

const replicates = async (setup: Parameters<typeof resolved>[0]) => {
  const { settings, lineage } = await resolved(setup);
  return [settings.replicates, lineage.repeats];
};

test("repeats is 1 where no layer sets it, and its lineage is always there", async () => {
  const entry = { value: 1, source: "default", source_detail: null };
  assert.deepEqual(await replicates({}), [1, entry]);
  assert.deepEqual(await replicates({ experiment: "variants: [{variant_id: v}]\n" }), [1, entry]);
});

test("repeats resolves from the experiment, the variant and the flag, each above the one before", async () => {
  const experiment = "defaults: {repeats: 2}\nvariants: [{variant_id: v}, {variant_id: w, repeats: 3}]\n";
  const entry = (value: number, source: string) => [value, { value, source, source_detail: null }];
  assert.deepEqual(await replicates({ experiment }), entry(2, "experiment-defaults"));
  assert.deepEqual(await replicates({ experiment, variant: "w" }), entry(3, "variant"));
  assert.deepEqual(await replicates({ experiment, variant: "w", flags: { repeats: 1 } }), entry(1, "cli"));
});

test("99 repeats are allowed", async () => {
  assert.equal((await replicates({ experiment: "variants: [{variant_id: v, repeats: 99}]\n" }))[0], 99);
});

test("more than 99 repeats are an error at the place that asks for them", async () => {
  assert.deepEqual(await problems({ experiment: "variants:\n  - variant_id: v\n    repeats: 100\n" }), [
    "e.yaml:4:14 variants[0].repeats: found 100 repeats, expected at most 99 (merged with 't.yaml')",
  ]);
  assert.deepEqual(await problems({ experiment: "defaults:\n  repeats: 100\nvariants: [{variant_id: v}]\n" }), [
    "e.yaml:3:12 defaults.repeats: found 100 repeats, expected at most 99 (merged with 't.yaml')",
  ]);
});

const dialog = (more: string) => `simulation: {persona: a, goal: b, ${more}}\n`;

test("n_trials of an enabled dialog takes the place of repeats, up to 100", async () => {
  assert.equal((await replicates({ task: dialog("enabled: true, n_trials: 4"), flags: { repeats: 2 } }))[0], 4);
  assert.equal((await replicates({ task: dialog("enabled: true, n_trials: 100") }))[0], 100);
});

test("n_trials of 1, or of a dialog that is switched off, leaves repeats", async () => {
  assert.equal((await replicates({ task: dialog("enabled: true, n_trials: 1"), flags: { repeats: 2 } }))[0], 2);
  assert.equal((await replicates({ task: dialog("enabled: false, n_trials: 4"), flags: { repeats: 2 } }))[0], 2);
});
