import assert from "node:assert/strict";
import test from "node:test";
import type { DriftEntry } from "../../../../src/results/fingerprint/drift-schema.ts";
import { driftCells, driftLine, sortDrift } from "../../../../src/results/fingerprint/drift-text.ts";

function entry(overrides: Partial<DriftEntry> = {}): DriftEntry {
  return {
    kind: "config",
    field: "run_limits.max_turns",
    before: "20",
    now: "30",
    set_by: "cli (--set)",
    benign: false,
    rows: 0,
    tasks: [],
    ...overrides,
  };
}

test("a difference is told in one line, with who set it and whom it concerns", () => {
  assert.equal(driftLine(entry()), "run_limits.max_turns: 20 → 30, set by cli (--set)");
  assert.equal(
    driftLine(entry({ set_by: null, before: null, rows: 2, tasks: ["a", "b"] })),
    "run_limits.max_turns: (none) → 30; 2 tasks: a, b",
  );
});

test("tasks are counted, and only the first named", () => {
  assert.equal(driftCells(entry({ rows: 1, tasks: ["a"] })).rows, "1 task: a");
  assert.equal(driftCells(entry({ rows: 3, tasks: ["a", "a", "a"] })).rows, "3 tasks: a, …");
  assert.equal(driftCells(entry({ rows: 2000, tasks: ["a", "b", "c", "d"] })).rows, "2,000 tasks: a, b, c, …");
  assert.equal(driftCells(entry({ rows: 5 })).rows, "5 tasks");
  assert.equal(driftCells(entry({ rows: 0, tasks: ["a"] })).rows, "");
});

test("a line stays short whatever the values are", () => {
  const long = "x".repeat(10_000);
  const line = driftLine(
    entry({ field: long, before: long, now: long, set_by: long, rows: 9, tasks: [long, `${long}y`, `${long}z`, "d"] }),
  );
  assert.ok(line.length < 700, `${line.length} characters`);
});

test("what matters comes first, what has no effect on results apart", () => {
  const rules = entry({ kind: "algorithm", field: "stamp" });
  const engine = entry({ kind: "environment", field: "engine" });
  const parallel = entry({ field: "max_parallel", benign: true });
  const prompt = entry({ kind: "content", field: "initial_prompt" });
  const turns = entry();
  assert.deepEqual(sortDrift([rules, parallel, engine, prompt, turns]), { grave: [turns, prompt, engine, rules], benign: [parallel] });
});
