import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { parse } from "yaml";
import { inputNames } from "../../../src/github/inputs.ts";
import { outputNames } from "../../../src/github/outputs.ts";
import { unsafeTrigger } from "../../../src/github/trigger.ts";
import { failOnWords, type GatePolicy, judgeGate } from "../../../src/results/gate.ts";
import { suiteSummarySchema } from "../../../src/results/suites/suite-summary.ts";
import { defaultStageLimits } from "../../../src/untrusted/files/limits.ts";
import { rowOf, rowsOf, runOf, type Scenario } from "../results/gate-runs.ts";
import { root } from "./source-files.ts";

// What docs/action.md promises, held against the code.

const document = readFileSync(join(root, "docs/action.md"), "utf8");
const rowsBelow = (head: string): string[][] => {
  const lines = document.slice(document.indexOf(head)).split("\n");
  return lines.slice(2, lines.indexOf("")).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};

/** The runs that the rows of the gate's table speak of. */
const scenarios: Readonly<Record<string, { readonly run: Scenario; readonly policy?: Partial<GatePolicy> }>> = {
  "all pass": { run: { rows: rowsOf({ SUCCESS: 10 }) } },
  "9 pass, 1 fails": { run: { rows: rowsOf({ SUCCESS: 9, FAILURE: 1 }) } },
  "9 pass, 1 fails, `min-pass-rate: 0.9`": { run: { rows: rowsOf({ SUCCESS: 9, FAILURE: 1 }) }, policy: { minPassRate: 0.9 } },
  "8 pass, 2 fail, `min-pass-rate: 0.9`": { run: { rows: rowsOf({ SUCCESS: 8, FAILURE: 2 }) }, policy: { minPassRate: 0.9 } },
  "all pass, a suite misses a threshold of its task, `min-pass-rate: 0.9`": {
    run: { rows: rowsOf({ SUCCESS: 10 }), suites: [suiteSummarySchema.parse({ suite_id: "s", passed: false })] },
    policy: { minPassRate: 0.9 },
  },
  "9 pass, 1 ends in an error": { run: { rows: rowsOf({ SUCCESS: 9, ERROR: 1 }) } },
  "9 pass, 1 ends in an error, `min-pass-rate: 0.9`": { run: { rows: rowsOf({ SUCCESS: 9, ERROR: 1 }) }, policy: { minPassRate: 0.9 } },
  "all end in an error, `min-pass-rate: 0`": { run: { rows: rowsOf({ ERROR: 10 }) }, policy: { minPassRate: 0 } },
  "all pass, one with a score of 0.4, `min-task-score: 0.5`": {
    run: { rows: [...rowsOf({ SUCCESS: 9 }), rowOf("SUCCESS", 0.4)] },
    policy: { minTaskScore: 0.5 },
  },
  "9 pass, 1 file cannot be loaded, `min-pass-rate: 0.9`": {
    run: { rows: rowsOf({ SUCCESS: 9 }), invalid: 1 },
    policy: { minPassRate: 0.9 },
  },
  "no task at all (`allow-empty: true` lets it pass)": { run: {} },
  "cut short": { run: { rows: rowsOf({ SUCCESS: 9 }), notRun: 1, interrupted: true } },
};

test("the gate's table says what the gate does", () => {
  const [head, ...rows] = [document.split("\n").find((line) => line.startsWith("| 10 tasks |")) ?? "", ...rowsBelow("| 10 tasks |")];
  assert.deepEqual(
    head
      .split("|")
      .slice(2, -1)
      .map((cell) => cell.trim()),
    failOnWords.map((word) => `\`fail-on: ${word}\``),
  );
  assert.deepEqual(
    rows.map(([name]) => name),
    Object.keys(scenarios),
  );
  for (const [name = "", ...cells] of rows) {
    const { run, policy } = scenarios[name] ?? { run: {} };
    const base = { minPassRate: undefined, minTaskScore: undefined, allowEmpty: false, ...policy };
    const ends = failOnWords.map((failOn) => (judgeGate(runOf(run), { ...base, failOn }).passes ? "passes" : "**fails**"));
    assert.deepEqual(cells, ends, name);
  }
  assert.equal(judgeGate(runOf({}), { failOn: "failure", minPassRate: undefined, minTaskScore: undefined, allowEmpty: true }).passes, true);
});

test("the events that are refused are those that the table names, and no other of it", () => {
  for (const [events = "", comment] of rowsBelow("| event | comment on |")) {
    for (const [, name = ""] of events.matchAll(/`(\w+)`/g)) {
      // Those with a payload of their own are in the tests of src/github/trigger.ts.
      if (["pull_request", "push", "merge_group", "workflow_run"].includes(name)) continue;
      assert.equal(unsafeTrigger({ kind: "other", name }) !== undefined, comment === "refused", name);
    }
  }
});

test("the limits of an artifact are those of the code", () => {
  const mib = (bytes: number) => bytes / 1024 / 1024;
  const { fileBytes, groupBytes, groupFiles, totalBytes, files } = defaultStageLimits;
  const number = (value: number) => value.toLocaleString("en");
  const task = `${mib(groupBytes)} MiB and ${number(groupFiles)} files a task`;
  const text = `${mib(fileBytes)} MiB a file, ${task}, ${mib(totalBytes)} MiB and ${number(files)} files in all`;
  assert.ok(document.includes(text), text);
});

test("workflows that the documents show give the action only inputs that it has, and read only outputs that it has", () => {
  const [uses, wrong]: [string[], string[]] = [[], []];
  for (const file of ["README.md", "docs/action.md"]) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [, block = ""] of text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)) {
      for (const [, name = ""] of block.matchAll(/steps\.evals\.outputs\.([\w-]+)/g)) if (!outputNames.includes(name)) wrong.push(name);
      visit(parse(block), (step) => {
        uses.push(file);
        wrong.push(...Object.keys(Object(step.with)).filter((name) => !inputNames.includes(name)));
      });
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(uses.includes("README.md") && uses.filter((file) => file === "docs/action.md").length >= 2);
});

/** Every step of the action in a piece of a workflow. */
function visit(value: unknown, tell: (step: Readonly<Record<string, unknown>>) => void): void {
  if (typeof value !== "object" || value === null) return;
  const step = Object.fromEntries(Object.entries(value));
  if (String(step.uses).startsWith("OWNER/evalbatch@")) tell(step);
  for (const part of Object.values(step)) visit(part, tell);
}

test("every link within the document leads to a heading of it", () => {
  const headings = new Set(Array.from(document.matchAll(/^#+ (.+)$/gm), ([, title = ""]) => title.toLowerCase().replaceAll(" ", "-")));
  const broken = Array.from(document.matchAll(/\]\(#([^)]+)\)/g), ([, target = ""]) => target).filter((target) => !headings.has(target));
  assert.deepEqual(broken, []);
});
