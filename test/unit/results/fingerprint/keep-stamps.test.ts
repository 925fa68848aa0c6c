import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { buildFingerprint } from "../../../../src/results/fingerprint/build-fingerprint.ts";
import { compareFingerprints } from "../../../../src/results/fingerprint/compare-fingerprints.ts";
import { stampDigestOf } from "../../../../src/results/fingerprint/fingerprint.ts";
import { keepStamps } from "../../../../src/results/fingerprint/keep-stamps.ts";
import { facts, fingerprintWith, foreignFile, keyOf, parsed, reread, rowOf, stampOf, textOf } from "./stamps.ts";

test("kept rows have their earlier stamp, run rows the present one, and no row has any other", () => {
  fc.assert(
    fc.property(facts, facts, fc.func(fc.boolean()), (some, others, isKept) => {
      const [current, prior] = [buildFingerprint(some), buildFingerprint(others)];
      const merged = keepStamps(current, prior, isKept);
      const keys = new Set([...(current.own?.rows.keys() ?? []), ...(prior.own?.rows.keys() ?? [])]);
      for (const key of keys) assert.equal(merged.own?.rows.get(key), (isKept(key) ? prior : current).own?.rows.get(key));
      for (const key of merged.own?.rows.keys() ?? []) assert.ok(keys.has(key));
      assert.deepEqual([merged.run, merged.own?.madeIn], [current.run, current.own?.madeIn]);
    }),
  );
});

test("a kept row whose stamp is unknown gets none, since the present one would be a lie", () => {
  for (const prior of [parsed(foreignFile("0.8.2-first.json")), fingerprintWith({ rows: [] })]) {
    const merged = keepStamps(fingerprintWith(), prior, (key) => key === keyOf("a"));
    assert.deepEqual([...(merged.own?.rows.keys() ?? [])], [keyOf("b")]);
  }
});

test("a row that is no part of the plan any more keeps its stamp for the day it is one again", () => {
  const prior = fingerprintWith({ rows: [rowOf("a"), rowOf("gone", stampOf({}))] });
  const merged = keepStamps(fingerprintWith({ rows: [rowOf("a")] }), prior, () => true);
  assert.equal(stampDigestOf(merged, keyOf("gone")), stampOf({}).digest);
});

test("a second resume still knows of what changed before the first one", () => {
  const [first, later] = ["model-a", "model-b"].map((model) =>
    fingerprintWith({ rows: ["a", "b"].map((id) => rowOf(id, stampOf({ "agent.model": model }))) }),
  );
  assert.ok(first !== undefined && later !== undefined);
  const resumed = reread(keepStamps(later, first, (key) => key === keyOf("a")));
  const { entries, changedRows } = compareFingerprints(resumed, later);
  assert.deepEqual(
    entries.map(({ field, before, now, tasks }) => [field, before, now, tasks]),
    [["agent.model", '"model-a"', '"model-b"', ["a"]]],
  );
  assert.deepEqual(changedRows, new Set([keyOf("a")]));
});

test("where nothing has changed the file of a resumed run is, byte by byte, that of a run from scratch, whatever was kept", () => {
  fc.assert(
    fc.property(facts, fc.func(fc.boolean()), (some, isKept) => {
      const fromScratch = textOf(buildFingerprint(some));
      assert.equal(textOf(keepStamps(buildFingerprint(some), parsed(fromScratch), isKept)), fromScratch);
    }),
  );
});

test("lists of files stay for the folders that some stamp still has", () => {
  const withFolder = (digest: string) =>
    fingerprintWith({ rows: [rowOf("a", stampOf({}, { "folder app": digest }))], folders: { app: { "a.py": digest } } });
  const digestsOf = (isKept: boolean) =>
    keepStamps(withFolder("two"), withFolder("one"), () => isKept).own?.folders.map(({ digest }) => digest);
  assert.deepEqual([digestsOf(true), digestsOf(false)], [["one"], ["two"]]);
});
