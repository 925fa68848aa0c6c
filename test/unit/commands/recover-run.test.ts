import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { recoverRun } from "../../../src/commands/recover-run.ts";
import { strictGate } from "../../../src/results/gate.ts";
import { copyOfRun } from "../results/fixtures.ts";

test("a directory without the plan of a run is none of ours: nothing is read as a result, and nothing is written", async () => {
  using run = copyOfRun("all-pass");
  rmSync(join(run.path, "plan.json"), { force: true });
  rmSync(join(run.path, "run.json"));
  const before = readdirSync(run.path).sort();
  for (const runDir of [run.path, "", "..", join(run.path, "gone")])
    assert.equal(await recoverRun({ runId: "x", runDir, cwd: run.path }, strictGate), undefined);
  assert.deepEqual(readdirSync(run.path).sort(), before);
});

test("a run that was killed is found again by its plan, as one that was cut short", async () => {
  using run = copyOfRun("all-pass");
  rmSync(join(run.path, "run.json"));
  const tasks = [{ task_id: "never-started", variant_id: "default", replicate_index: 0, tags: [], task_path: null }];
  writeFileSync(join(run.path, "plan.json"), JSON.stringify({ run_id: "x", start_time: "2026-01-02T03:04:05Z", tasks }));
  const found = await recoverRun({ runId: "x", runDir: run.path, cwd: run.path }, strictGate);
  assert.deepEqual([found?.summary.interrupted, found?.summary.verdict, found?.gate.passes], [true, "incomplete", false]);
});
