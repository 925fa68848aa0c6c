import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { countedOutcome, passedOnRetry } from "../../../src/results/counted-outcome.ts";
import { categoryOf, type FinalStatus } from "../../../src/results/final-status.ts";
import type { AttemptStatus } from "../../../src/results/resume/attempt-history.ts";
import { retryReason } from "../../../src/results/resume/judge-result.ts";
import { retryPolicies } from "../../../src/results/resume/resume-facts.ts";
import { sampleResult } from "../results/fixtures.ts";
import { earlier, tried } from "../results/histories.ts";
import { root } from "./source-files.ts";

// What the documents promise of a resume, held against the code.

function rowsBelow(document: string, head: string): string[][] {
  const text = readFileSync(join(root, document), "utf8");
  const lines = text.slice(text.indexOf(head)).split("\n");
  return lines.slice(2, lines.indexOf("")).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const statuses: Readonly<Record<string, FinalStatus>> = { "ended in an error": "ERROR", failed: "FAILURE", passed: "SUCCESS" };

test("the tables of what runs again say what a resume does", () => {
  const heads = { "docs/resume.md": "| what is found of a task |", "docs/action.md": "| | `retry: missing` |" };
  for (const [document, head] of Object.entries(heads)) {
    const rows = rowsBelow(document, head);
    for (const [name, status] of Object.entries(statuses)) {
      const result = sampleResult({ final_status: status });
      const cells = retryPolicies.map((policy) => (retryReason(result, policy, false) === undefined ? "kept" : "runs"));
      assert.deepEqual(rows.find(([found]) => found === name)?.slice(1), cells, `${document}: ${name}`);
    }
    const others = rows.filter(([name = ""]) => !(name in statuses));
    assert.ok(others.length > 0);
    for (const [name, ...cells] of others)
      assert.deepEqual(
        cells,
        retryPolicies.map(() => "runs"),
        name,
      );
  }
});

const words: Readonly<Record<string, AttemptStatus>> = {
  passed: "SUCCESS",
  failed: "FAILURE",
  error: "ERROR",
  interrupted: "INTERRUPTED",
};

test("the table of attempts says how a row counts", () => {
  const rows = rowsBelow("docs/resume.md", "| attempts of a task |");
  assert.ok(rows.length >= 5);
  for (const [attempts = "", counted, rate] of rows) {
    const superseded = attempts.includes("changed and run again");
    const all = attempts.split(",").flatMap((part) => words[/\w+$/.exec(part.trim())?.[0] ?? ""] ?? []);
    const status = all.at(-1);
    if (status === undefined || status === "INTERRUPTED") throw new Error(`no status in "${attempts}"`);
    const row = tried(
      status,
      all.slice(0, -1).map((before) => earlier(before, superseded ? { superseded } : {})),
    );
    const retried = passedOnRetry(row) ? ", and in `tasks_passed_on_retry`" : "";
    const success = categoryOf(countedOutcome(row).status) === "succeeded" ? "success" : "miss";
    assert.deepEqual([counted, rate], [`${categoryOf(status)}${retried}`, success], attempts);
  }
});
