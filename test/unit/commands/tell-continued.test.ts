import assert from "node:assert/strict";
import test from "node:test";
import type { EarlierPart } from "../../../src/commands/earlier-part.ts";
import { tellContinued } from "../../../src/commands/tell-continued.ts";
import { resumeFactsSchema } from "../../../src/results/resume/resume-facts.ts";

const facts = (overrides: object) => resumeFactsSchema.parse({ source: { kind: "directory" }, ...overrides });

function said(part: Partial<EarlierPart> & { readonly warnings?: readonly string[] }): string[] {
  const lines: string[] = [];
  const line = (kind: string) => (text: string) => void lines.push(`${kind}: ${text}`);
  tellContinued({ resume: facts({}), drift: [], setAside: [], warnings: [], ...part }, { notice: line("note"), warning: line("warning") });
  return lines;
}

test("what is kept and what runs again is one line, in words", () => {
  assert.deepEqual(said({ resume: facts({ attempt: 2, rows_kept: 1, rows_to_run: 0 }) }), [
    "note: continuing, attempt 2: 1 result kept, nothing is left to run",
  ]);
  const resume = facts({ attempt: 3, rows_kept: 12_000, rows_to_run: 1200, reasons: { missing: 1100, drift: 99, error: 2 } });
  assert.deepEqual(said({ resume }), [
    "note: continuing, attempt 3: 12,000 results kept, 1,200 to run (1,100 missing, 2 errors, 99 changed)",
  ]);
});

test("a run from scratch has nothing to tell", () => {
  assert.deepEqual(said({ resume: null }), []);
});

test("of many results of other tasks one line is told, of many damaged files the first", () => {
  const other = (index: number) => ({ path: `default/o${index}/00/task.json`, reason: "not part of the plan", moved_to: null });
  const damaged = (index: number) => ({ path: `default/d${index}/00/task.json`, reason: "the file is empty", moved_to: `x${index}` });
  const many = Array.from({ length: 2000 }, (_, index) => index);
  const lines = said({ setAside: [...many.map(damaged), ...many.map(other)] }).slice(1);
  assert.equal(lines.length, 12);
  assert.equal(lines[0], "warning: default/d0/00/task.json was not used: the file is empty (now x0)");
  assert.deepEqual(lines.slice(10), [
    "warning: and 1,990 more files were not used, see run.md",
    "note: 2,000 results of tasks that are not part of this run do not count: default/o0/00/task.json, …",
  ]);
  assert.deepEqual(said({ setAside: [other(1)] }).slice(1), [
    "note: 1 result of tasks that are not part of this run does not count: default/o1/00/task.json",
  ]);
});

test("warnings are told before anything runs: a run that never comes to its end has no report to tell them", () => {
  const warnings = Array.from({ length: 12 }, (_, index) => `row ${index} was started 3 times`);
  const lines = said({ warnings }).slice(1);
  assert.deepEqual(
    [lines[0], lines.length, lines.at(-1)],
    ["warning: row 0 was started 3 times", 11, "warning: and 2 more warnings like these"],
  );
});
