import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type { JobContext } from "../../../src/commands/job-context.ts";
import { publishRun } from "../../../src/commands/publish.ts";
import { recoverRun } from "../../../src/commands/recover-run.ts";
import { readEnvironment } from "../../../src/github/environment.ts";
import { loadInputs } from "../../../src/github/inputs.ts";
import { strictGate } from "../../../src/results/gate.ts";
import { createRedactor } from "../../../src/untrusted/redact.ts";
import { copyOfRun } from "../results/fixtures.ts";

interface Place {
  readonly path: string;
}

function jobIn({ path }: Place, warnings: string[], env: Readonly<Record<string, string>>): JobContext {
  const environment = readEnvironment({ GITHUB_WORKSPACE: path, RUNNER_TEMP: path, ...env }, path);
  const { inputs } = loadInputs({ INPUT_TASKS: "evals", INPUT_UPLOAD: "none", ...env }, environment, () => {});
  const silent = (): void => {};
  const commands = {
    error: silent,
    notice: silent,
    lines: silent,
    mask: silent,
    warning: (message: string) => void warnings.push(message),
  };
  return { environment, event: { kind: "other", name: "push" }, inputs, commands, env: {}, redactor: createRedactor([]) };
}

async function publish(place: Place, job: JobContext): Promise<void> {
  writeFileSync(join(place.path, "plan.json"), "{}");
  const found = await recoverRun({ runId: "x", runDir: place.path, cwd: place.path }, strictGate);
  assert.ok(found !== undefined);
  await publishRun(found, job, { without: new Set(), onPublished: () => {}, signal: new AbortController().signal, notes: [] });
}

test("results that cannot be copied for the upload are a warning that says where to look", async () => {
  using run = copyOfRun("all-pass");
  const warnings: string[] = [];
  await publish(run, jobIn(run, warnings, { INPUT_UPLOAD: "results", RUNNER_TEMP: join(run.path, "gone") }));
  assert.equal(warnings.length, 1);
  assert.match(
    warnings[0] ?? "",
    /^the results were not uploaded: .*ENOENT.*; check that the runner's temporary directory \(RUNNER_TEMP\)/,
  );
});

test("looking for the comment may break in any way: the summary is written all the same, and the reason is a warning", async () => {
  using run = copyOfRun("all-pass");
  const summary = join(run.path, "summary.md");
  writeFileSync(summary, "");
  const warnings: string[] = [];
  const job = jobIn(run, warnings, { GITHUB_STEP_SUMMARY: summary });
  const inputs: JobContext["inputs"] = {
    ...job.inputs,
    get comment(): "auto" {
      throw new Error("broken by this test");
    },
  };
  await publish(run, { ...job, inputs });
  assert.match(readFileSync(summary, "utf8"), /passed/);
  assert.match(warnings.join("\n"), /broken by this test/);
});
