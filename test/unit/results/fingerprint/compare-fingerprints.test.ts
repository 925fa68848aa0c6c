import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { buildFingerprint } from "../../../../src/results/fingerprint/build-fingerprint.ts";
import { compareFingerprints } from "../../../../src/results/fingerprint/compare-fingerprints.ts";
import { driftEntrySchema } from "../../../../src/results/fingerprint/drift-schema.ts";
import type { Fingerprint } from "../../../../src/results/fingerprint/fingerprint.ts";
import { keepStamps } from "../../../../src/results/fingerprint/keep-stamps.ts";
import { entriesOf, facts, fingerprintWith, ofVersion, reread, rowOf, runKeys, stampOf } from "./stamps.ts";

test("a fingerprint does not differ from itself, nor from its file", () => {
  fc.assert(
    fc.property(facts, facts, fc.func(fc.boolean()), (some, others, isKept) => {
      const fingerprint = keepStamps(buildFingerprint(some), buildFingerprint(others), isKept);
      assert.deepEqual(entriesOf(fingerprint, fingerprint), []);
      const { entries, changedRows } = compareFingerprints(reread(fingerprint), fingerprint);
      assert.deepEqual([entries, changedRows.size], [[], 0]);
    }),
  );
});

/** Fields of settings and environment that some stamp of a run has, and keys of the run. */
function fieldsOf({ run, own }: Fingerprint): Set<string> {
  const settings = [...(own?.rows.values() ?? [])].flatMap(({ stamp }) => Object.keys(stamp.settings));
  return new Set([...Object.keys(run), ...Object.keys(own?.madeIn.environment ?? {}), ...settings]);
}

test("a key that only one of them has is never told as a difference", () => {
  fc.assert(
    fc.property(facts, facts, (some, others) => {
      const [prior, current] = [buildFingerprint(some), buildFingerprint(others)];
      for (const { kind, field } of entriesOf(prior, current)) {
        if (kind === "content" || field.startsWith("overrides.")) continue;
        assert.ok(fieldsOf(prior).has(field) && fieldsOf(current).has(field), field);
      }
    }),
  );
});

test("a content part that only one stamp has is told only where both stamps follow the same rules", () => {
  fc.assert(
    fc.property(facts, facts, (some, others) => {
      const prior = ofVersion(buildFingerprint(some), 2);
      const current = buildFingerprint(others);
      for (const { kind, before, now } of entriesOf(prior, current)) assert.ok(kind !== "content" || (before !== null && now !== null));
    }),
  );
});

test("both directions tell the same fields of the same rows", () => {
  fc.assert(
    fc.property(facts, facts, (some, others) => {
      const [prior, current] = [buildFingerprint(some), buildFingerprint(others)];
      const there = compareFingerprints(prior, current);
      const back = compareFingerprints(current, prior);
      const fields = (entries: typeof there.entries) => [...new Set(entries.map(({ kind, field }) => `${kind} ${field}`))].sort();
      assert.deepEqual(fields(there.entries), fields(back.entries));
      assert.deepEqual(there.changedRows, back.changedRows);
    }),
  );
});

test("the same difference is told the same way whatever the order of rows and keys", () => {
  fc.assert(
    fc.property(facts, facts, (some, others) => {
      const turned = { ...others, rows: [...others.rows].reverse(), run: Object.fromEntries(Object.entries(others.run).reverse()) };
      const plain = (entries: ReturnType<typeof entriesOf>) => entries.map((entry) => ({ ...entry, tasks: [...entry.tasks].sort() }));
      assert.deepEqual(
        plain(entriesOf(buildFingerprint(some), buildFingerprint(others))),
        plain(entriesOf(buildFingerprint(some), buildFingerprint(turned))),
      );
    }),
  );
});

test("entries fit the schema of run.json", () => {
  fc.assert(
    fc.property(facts, facts, (some, others) => {
      for (const entry of entriesOf(buildFingerprint(some), buildFingerprint(others))) {
        assert.deepEqual(driftEntrySchema.parse(JSON.parse(JSON.stringify(entry))), entry);
      }
    }),
  );
});

test("of very many differences the last entry counts the rest", () => {
  const files = (digest: string) => Object.fromEntries(Array.from({ length: 1000 }, (_file, index) => [`${index}.py`, digest]));
  const withFiles = (digest: string, parallel: number) =>
    fingerprintWith({
      run: { ...runKeys, max_parallel: parallel, experiment_id: digest },
      rows: [rowOf("a", stampOf({}, { "folder app": digest }))],
      folders: { app: files(digest) },
    });
  const entries = entriesOf(withFiles("one", 1), withFiles("two", 2));
  assert.equal(entries.length, 200);
  assert.equal(entries[0]?.field, "experiment_id");
  assert.deepEqual(entries.at(-1), {
    kind: "content",
    field: "… and 803 more",
    before: null,
    now: null,
    set_by: null,
    benign: false,
    rows: 0,
    tasks: [],
  });
});

test("that stamps follow other rules is told however much else differs", () => {
  const files = (digest: string) =>
    Object.fromEntries(Array.from({ length: 500 }, (_part, index) => [`file ${index}.py`, index === 0 ? "" : digest]));
  const withFiles = (digest: string) => fingerprintWith({ rows: [rowOf("a", stampOf({}, files(digest)))] });
  const entries = entriesOf(ofVersion(withFiles("one"), 2), withFiles("two"));
  assert.equal(entries.length, 200);
  assert.deepEqual(
    entries.slice(-2).map(({ kind, field }) => [kind, field]),
    [
      ["content", "… and 301 more"],
      ["algorithm", "fingerprint version"],
    ],
  );
});
