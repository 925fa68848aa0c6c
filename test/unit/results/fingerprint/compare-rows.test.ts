import assert from "node:assert/strict";
import test from "node:test";
import type { TaskStamp } from "../../../../src/plan/stamp/task-stamp.ts";
import { compareFingerprints } from "../../../../src/results/fingerprint/compare-fingerprints.ts";
import { keepStamps } from "../../../../src/results/fingerprint/keep-stamps.ts";
import { entriesOf, fingerprintWith, keyOf, linesOf, reread, rowOf, runKeys, stampOf } from "./stamps.ts";

test("a setting is told once for all rows of the same change, with the layer that set it", () => {
  const settings = (model: string, turns: number) => ({ "agent.model": model, "run_limits.max_turns": turns });
  const cli = (stamp: TaskStamp): TaskStamp => ({
    ...stamp,
    settings: { ...stamp.settings, "agent.model": { value: "model-b", source: "cli", detail: "--model" } },
  });
  const ids = ["a", "b", "c", "d", "e", "f", "g"];
  const prior = fingerprintWith({ rows: ids.map((id) => rowOf(id, stampOf(settings("model-a", 20)))) });
  const current = fingerprintWith({
    run: { ...runKeys, agent_type: "pi", overrides: { "agent.model": "model-b" } },
    rows: ids.map((id) => rowOf(id, cli(stampOf(settings("model-b", id === "c" ? 30 : 20))))),
  });
  const { entries, changedRows } = compareFingerprints(prior, current);
  assert.deepEqual(entries, [
    {
      kind: "config",
      field: "agent.model",
      before: '"model-a"',
      now: '"model-b"',
      set_by: "cli (--model)",
      benign: false,
      rows: 7,
      tasks: ids.slice(0, 5),
    },
    { kind: "config", field: "agent_type", before: "null", now: '"pi"', set_by: null, benign: false, rows: 0, tasks: [] },
    { kind: "config", field: "run_limits.max_turns", before: "20", now: "30", set_by: "task", benign: false, rows: 1, tasks: ["c"] },
  ]);
  assert.deepEqual(changedRows, new Set(ids.map((id) => keyOf(id))));
});

test("an override that came to the same setting is no difference, and one that no stamp tells is", () => {
  const prior = fingerprintWith({ run: { ...runKeys, overrides: {} } });
  const current = fingerprintWith({ run: { ...runKeys, overrides: { "agent.model": "model-a", "agent.effort": "high" } } });
  assert.deepEqual(linesOf(prior, current), ['overrides.agent.effort: null → "high"']);
});

test("only rows that are asked for are compared", () => {
  const prior = fingerprintWith();
  const current = fingerprintWith({ rows: [rowOf("a", stampOf({ "agent.model": "x" })), rowOf("b", stampOf({ "agent.model": "y" }))] });
  const { entries, changedRows, comparedRows } = compareFingerprints(prior, current, (key) => key === keyOf("b"));
  assert.deepEqual(
    entries.map(({ now, tasks }) => ({ now, tasks })),
    [{ now: '"y"', tasks: ["b"] }],
  );
  assert.deepEqual([[...changedRows], comparedRows], [[keyOf("b")], 1]);
});

test("changed, added and removed content is told, that of many tasks once", () => {
  const long = (digit: string) => digit.repeat(64);
  const prior = fingerprintWith({
    rows: [
      rowOf("a", stampOf({}, { initial_prompt: "p1", "file old.py": long("1"), "file app.py": long("2") })),
      rowOf("b", stampOf({}, { initial_prompt: "p2", "file app.py": long("2") })),
    ],
  });
  const current = fingerprintWith({
    rows: [
      rowOf("a", stampOf({}, { initial_prompt: "q1", pre_run: "x", "file app.py": long("3") })),
      rowOf("b", stampOf({}, { initial_prompt: "q2", "file app.py": long("3") })),
    ],
  });
  assert.deepEqual(
    entriesOf(prior, current).map(({ kind, field, before, now, rows }) => [kind, field, before, now, rows]),
    [
      ["content", "file app.py", "222222222222", "333333333333", 2],
      ["content", "file old.py", "111111111111", null, 1],
      ["content", "initial_prompt", "differs by task", "differs by task", 2],
      ["content", "pre_run", null, "x", 1],
    ],
  );
});

test("of a folder the files are told where both runs know them, also those of rows kept from an earlier execution", () => {
  const withFolder = (digest: string, files: Readonly<Record<string, string>>) =>
    fingerprintWith({ rows: [rowOf("a", stampOf({}, { "folder app": digest }))], folders: { app: files } });
  const first = withFolder("one", { "a.py": "1", "b.py": "1", "c/d.py": "1" });
  const second = withFolder("two", { "a.py": "2", "c/d.py": "1", "new.py": "1" });
  const third = withFolder("three", { "a.py": "3", "c/d.py": "1", "new.py": "1" });
  assert.deepEqual(linesOf(first, second), ["file app/a.py: 1 → 2", "file app/b.py: 1 → null", "file app/new.py: null → 1"]);
  // Kept in the second execution, so it is the first one's.
  const resumed = reread(keepStamps(second, first, () => true));
  assert.deepEqual(linesOf(resumed, third), ["file app/a.py: 1 → 3", "file app/b.py: 1 → null", "file app/new.py: null → 1"]);
  const unlisted = fingerprintWith({ rows: [rowOf("a", stampOf({}, { "folder app": "two" }))] });
  assert.deepEqual(linesOf(first, unlisted), ["folder app: one → two"]);
});

test("a file that changed alike in several states of its folder, or is named beside it, is told once", () => {
  const rowsOf = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>) => [
    rowOf("a", stampOf({}, a)),
    rowOf("b", stampOf({}, b)),
  ];
  const first = fingerprintWith({
    rows: rowsOf({ "folder app": "one", "file app/a.py": "1" }, { "folder app": "one" }),
    folders: { app: { "a.py": "1" } },
  });
  const second = fingerprintWith({ rows: rowsOf({}, { "folder app": "two" }), folders: { app: { "a.py": "1", "b.py": "1" } } });
  const third = fingerprintWith({
    rows: rowsOf({ "folder app": "three", "file app/a.py": "2" }, { "folder app": "three" }),
    folders: { app: { "a.py": "2", "b.py": "1" } },
  });
  const resumed = reread(keepStamps(second, first, (key) => key === keyOf("a")));
  assert.deepEqual(
    entriesOf(resumed, third).map(({ field, before, now, rows, tasks }) => [field, before, now, rows, tasks]),
    [
      ["file app/a.py", "1", "2", 2, ["a", "b"]],
      ["file app/b.py", null, "1", 1, ["a"]],
    ],
  );
});

test("long values are cut to where they differ", () => {
  const [before, now] = ["x", "y"].map((end) => `${"😀".repeat(500)}${end}${"-".repeat(500)}`);
  const [entry] = entriesOf(
    fingerprintWith({ rows: [rowOf("a", stampOf({ "agent.system_prompt": before }))] }),
    fingerprintWith({ rows: [rowOf("a", stampOf({ "agent.system_prompt": now }))] }),
  );
  assert.ok(entry?.before && entry.now);
  assert.notEqual(entry.before, entry.now);
  for (const text of [entry.before, entry.now]) {
    assert.ok(text.length <= 200 && text.isWellFormed(), text);
    assert.match(text, /^….*[xy]-+…$/s);
  }
});
