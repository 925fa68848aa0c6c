import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { gradeTask, verdictOf } from "../../../src/criteria/grade.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import type { Comparable, Differences } from "./criteria-differences.ts";
import { type GoldenRow, goldenRows, materialEntries } from "./criteria-rows.ts";

const commandEnv = { PATH: "/usr/local/bin:/usr/bin:/bin", NODE_PATH: "", TASK_DIR: "/workspace/tasks" };

/** Judges every golden criterion in the sandbox and compares with what coder_eval 0.8.2 made of it, but for the listed differences. */
export async function checkGolden(t: TestContext, sandbox: Sandbox, differences: Differences): Promise<void> {
  await sandbox.putFiles(await materialEntries());
  const seen = new Set<string>();
  for (const row of goldenRows()) {
    const key = `${row.task}: ${row.criterion.description}`;
    seen.add(key);
    await t.test(key, async () => await checkRow(row, sandbox, differences[key]));
  }
  assert.deepEqual(
    Object.keys(differences).filter((key) => !seen.has(key)),
    [],
    "every listed difference belongs to a row",
  );
}

async function checkRow(row: GoldenRow, sandbox: Sandbox, difference: Differences[string] | undefined): Promise<void> {
  const [result] = await gradeTask([row.criterion], { sandbox, commandEnv, signal: new AbortController().signal });
  assert.ok(result !== undefined);
  const ours: Comparable = { score: result.score, details: result.details, error: result.error };
  const here = (text: string | null) =>
    text?.replaceAll("<SANDBOX>/workspace", `${sandbox.workDir}|/workspace`).replaceAll("<SANDBOX>", sandbox.workDir) ?? null;
  const golden: Comparable = { score: row.result.score, details: here(row.result.details), error: here(row.result.error) };

  const expected = difference === undefined ? golden : difference.of(golden);
  assert.deepEqual(ours, expected, difference?.why);
  if (difference !== undefined) assert.notDeepEqual(expected, golden, "the difference is one");
  assert.equal(verdictOf([result], [row.criterion]), expected.score >= row.result.pass_threshold);
  if (expected.score === row.result.score) assert.equal(verdictOf([result], [row.criterion]), row.passed);
  assert.equal(result.observed_label, row.result.observed_label);
  assert.equal(result.expected_label, row.result.expected_label);
}
