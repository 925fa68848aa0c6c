import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { driftEntrySchema } from "../../../src/results/fingerprint/drift-schema.ts";
import { gateRecordSchema } from "../../../src/results/gate-policy.ts";
import { passRateIntervalSchema } from "../../../src/results/pass-rate-interval.ts";
import { planFileSchema } from "../../../src/results/plan-file.ts";
import { attemptCriterionSchema, earlierAttemptSchema } from "../../../src/results/resume/attempt-history.ts";
import { resumeFactsSchema, resumeSourceSchema, runReasons, setAsideSchema } from "../../../src/results/resume/resume-facts.ts";
import { runOriginSchema } from "../../../src/results/resume/run-origin.ts";
import { runRowSchema } from "../../../src/results/run-row.ts";
import { notRunSchema, runSummarySchema } from "../../../src/results/run-summary-schema.ts";
import { recordSelection } from "../../../src/results/selection.ts";
import { attemptFactsSchema } from "../../../src/results/task-result.ts";
import { root } from "./source-files.ts";

const text = readFileSync(join(root, "docs/formats.md"), "utf8");

/** The part below a heading, up to the next one. */
function section(heading: string): string {
  const start = text.indexOf(`\n### ${heading}\n`);
  assert.ok(start >= 0, heading);
  return text.slice(start, text.indexOf("\n##", start + 1));
}

const keys = (schema: { readonly shape: object }): string[] => Object.keys(schema.shape);
/** Those from one on: keys of ours stand behind those of coder_eval. */
const keysFrom = (all: readonly string[], first: string): string[] => all.slice(all.indexOf(first));
const rowKeys = Object.keys(runRowSchema.parse({ task_id: "t", status: "SUCCESS" })).filter((key) => key !== "variant_id");
const drawn = { suiteId: "s", rowsTotal: 2, rowsSelected: 1, mode: "sample", seed: "0", limit: 1 };
const selection = recordSelection({ datasets: [drawn], cap: { maxTasks: 1, planned: 2, kept: 1, seed: "0" } });
const selectionKeys = [selection, selection?.datasets[0], selection?.cap].flatMap((part) => Object.keys(part ?? {}));

// Shapes that are ours alone: nobody else's documents tell of their keys.
const shapes: Readonly<Record<string, readonly [heading: string, keys: readonly string[]]>> = {
  "evalbatch of task.json": ["`task.json`", keys(attemptFactsSchema)],
  "rows of run.json": ["Rows of `run.json`", keysFrom(rowKeys, "failure")],
  earlier_attempts: ["Rows of `run.json`", [...keys(earlierAttemptSchema), ...keys(attemptCriterionSchema)]],
  "run.json": ["`run.json`", keysFrom(keys(runSummarySchema), "evalbatch_version")],
  not_run: ["`run.json`", keys(notRunSchema)],
  gate: ["`run.json`", keys(gateRecordSchema)],
  selection: ["`run.json`", selectionKeys],
  resume: ["`run.json`", [...keys(resumeFactsSchema), ...keys(resumeSourceSchema), ...runReasons]],
  drift: ["`run.json`", keys(driftEntrySchema)],
  set_aside: ["`run.json`", keys(setAsideSchema)],
  pass_rate_interval: ["`run.json`", keys(passRateIntervalSchema)],
  "plan.json": ["`plan.json`", [...keys(planFileSchema), ...keys(runOriginSchema)]],
};

for (const [name, [heading, wanted]] of Object.entries(shapes)) {
  test(`docs/formats.md tells of each key of ${name}`, () => {
    assert.ok(wanted.length > 1);
    const where = section(heading);
    const missing = wanted.filter((key) => !new RegExp(`\`(?:[\\w.]*\\.)?${key}(?:\\[\\][\\w.]*)?(?:\`|[ ,.])`).test(where));
    assert.deepEqual(missing, []);
  });
}
