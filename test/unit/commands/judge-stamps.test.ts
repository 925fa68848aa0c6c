import assert from "node:assert/strict";
import test from "node:test";
import { createStampJudge } from "../../../src/commands/judge-stamps.ts";
import { buildFingerprint } from "../../../src/results/fingerprint/build-fingerprint.ts";
import { compareFingerprints } from "../../../src/results/fingerprint/compare-fingerprints.ts";
import { rowKeyText } from "../../../src/results/layout.ts";
import { sampleResult } from "../results/fixtures.ts";
import { attemptFacts } from "../results/resume/planned.ts";

const fingerprint = (digest: string, run: Readonly<Record<string, unknown>> = {}) =>
  buildFingerprint({
    run,
    rows: [{ variantId: "default", taskId: "a", replicateIndex: 0, stamp: { digest, settings: {}, content: { initial_prompt: digest } } }],
    environment: {},
    folders: {},
  });
const key = rowKeyText("default", "a", 0);
const result = (stamp: string | null) => sampleResult({ task_id: "a", evalbatch: attemptFacts({ stamp }) });

/** @param recorded by the fingerprint @param own of the result */
const judged = (recorded: string | undefined, own: string | null, now = "new") => {
  const prior = recorded === undefined ? undefined : fingerprint(recorded);
  const judge = createStampJudge(prior, prior && compareFingerprints(prior, fingerprint(now)));
  return [judge.judge({ key, digest: now }, result(own)), judge.misattributed.has(key)];
};

test("a result with the stamp that the fingerprint has for it is what the comparison says", () => {
  assert.deepEqual(judged("new", "new"), ["same", false]);
  assert.deepEqual(judged("old", "old"), ["changed", false]);
});

test("what a result tells of itself counts more than a fingerprint that is ahead of it", () => {
  assert.deepEqual(judged("new", "old"), ["foreign", true]);
  assert.deepEqual(judged("between", "old"), ["foreign", true]);
  assert.deepEqual(judged("between", "new"), ["same", true]);
});

test("without a fingerprint a result's own stamp is enough", () => {
  assert.deepEqual(judged(undefined, "new"), ["same", true]);
  assert.deepEqual(judged(undefined, "old"), ["foreign", true]);
  assert.deepEqual(judged(undefined, null), ["same", false]);
});

test("a result without a stamp is what the fingerprint says, and where that has no row, what the run's settings say", () => {
  assert.deepEqual(judged("old", null), ["changed", false]);
  const run = (experiment: string) => ({ run: { experiment_id: experiment }, own: undefined });
  const now = fingerprint("new", { experiment_id: "two" });
  for (const [experiment, verdict] of [
    ["one", "changed"],
    ["two", "same"],
  ] as const) {
    const judge = createStampJudge(run(experiment), compareFingerprints(run(experiment), now));
    assert.equal(judge.judge({ key, digest: "new" }, result(null)), verdict);
  }
});
