import assert from "node:assert/strict";
import test from "node:test";
import { compareFingerprints } from "../../../../src/results/fingerprint/compare-fingerprints.ts";
import { keepStamps } from "../../../../src/results/fingerprint/keep-stamps.ts";
import { entriesOf, environment, fingerprintWith, keyOf, linesOf, ofVersion, reread, rowOf, stampOf } from "./stamps.ts";

test("another environment is told, and what cannot change a result apart", () => {
  const now = { evalbatch: "0.5.0", node: "26.0.0", engine: "28.0.1", "image node:24": `sha256:${"ab".repeat(32)}`, uv: "1.0" };
  assert.deepEqual(linesOf(fingerprintWith(), fingerprintWith({ environment: now })), [
    "evalbatch: 0.4.0 → 0.5.0",
    "image node:24: sha256:1111 → sha256:abababababab",
    "-node: 24.1.0 → 26.0.0",
  ]);
});

test("rows kept from an execution in another environment are told by number, also two executions later", () => {
  const later = { ...environment, "image node:24": "sha256:2222" };
  const resumed = reread(keepStamps(fingerprintWith({ environment: later }), fingerprintWith(), (key) => key === keyOf("b")));
  const [entry, ...others] = entriesOf(resumed, fingerprintWith({ environment: later }));
  assert.deepEqual(others, []);
  assert.deepEqual(entry && [entry.field, entry.before, entry.now, entry.rows, entry.tasks], [
    "image node:24",
    "sha256:1111",
    "sha256:2222",
    1,
    ["b"],
  ]);
});

test("stamps of other rules are said to be that, and compared by what both know: an upgrade does not change everything", () => {
  const rowsWith = (content: (id: string) => Readonly<Record<string, string>>, turns: number) =>
    ["a", "b", "c"].map((id) => rowOf(id, stampOf({ "run_limits.max_turns": turns, [`only.in.${turns}`]: 1 }, content(id))));
  const prior = ofVersion(
    fingerprintWith({
      rows: rowsWith((id) => ({ initial_prompt: `old-${id}`, success_criteria: "same", dropped: "x", "file a.py": "1" }), 20),
    }),
    2,
  );
  const current = fingerprintWith({
    rows: rowsWith(
      (id) => ({ initial_prompt: `new-${id}`, success_criteria: id === "b" ? "other" : "same", added: "x", "file a.py": "1" }),
      30,
    ),
  });
  const { entries, changedRows } = compareFingerprints(prior, current);
  assert.deepEqual(
    entries.map(({ kind, field, before, now, rows }) => [kind, field, before, now, rows]),
    [
      ["config", "run_limits.max_turns", "20", "30", 3],
      ["content", "success_criteria", "same", "other", 1],
      ["algorithm", "fingerprint version (not comparable: initial_prompt)", "2", "1", 0],
    ],
  );
  assert.equal(changedRows.size, 3);
  const same = compareFingerprints(ofVersion(fingerprintWith(), 2), fingerprintWith());
  assert.deepEqual(
    same.entries.map(({ kind, benign }) => ({ kind, benign })),
    [{ kind: "algorithm", benign: false }],
  );
  assert.equal(same.changedRows.size, 0);
});

test("of a folder that other rules list, files that only one list has are not told, since the rules may be why", () => {
  const listing = (files: Readonly<Record<string, string>>, digest: string) =>
    fingerprintWith({
      // One folder is the same for both: folders are digested alike.
      rows: [rowOf("a", stampOf({}, { "folder app": digest })), rowOf("b", stampOf({}, { "folder same": "0" }))],
      folders: { app: files, same: {} },
    });
  const contentOf = (before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>) =>
    entriesOf(ofVersion(listing(before, "1"), 2), listing(now, "2")).flatMap(({ kind, field }) => (kind === "content" ? [field] : []));
  assert.deepEqual(contentOf({ "a.py": "1", "old.py": "1" }, { "a.py": "2", "new.py": "1" }), ["file app/a.py"]);
  assert.deepEqual(contentOf({ "a.py": "1" }, { "a.py": "1", "new.py": "1" }), ["folder app"]);
});

test("rows that a resumed run kept by other rules stay known as such", () => {
  const resumed = reread(keepStamps(fingerprintWith(), ofVersion(fingerprintWith(), 7), (key) => key === keyOf("a")));
  assert.deepEqual(
    entriesOf(resumed, fingerprintWith()).map(({ kind, before, rows, tasks }) => ({ kind, before, rows, tasks })),
    [{ kind: "algorithm", before: "7", rows: 1, tasks: ["a"] }],
  );
});
