import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { driftEntrySchema } from "../../../src/results/fingerprint/drift-schema.ts";
import { planFileSchema } from "../../../src/results/plan-file.ts";
import { earlierAttemptSchema } from "../../../src/results/resume/attempt-history.ts";
import { resumeFactsSchema, resumeSourceSchema, setAsideSchema } from "../../../src/results/resume/resume-facts.ts";
import { runOriginSchema } from "../../../src/results/resume/run-origin.ts";
import { attemptFactsSchema } from "../../../src/results/task-result.ts";

const text = readFileSync(join(import.meta.dirname, "../../../docs/formats.md"), "utf8");

// Shapes that are ours alone: nobody else's documents tell of their keys.
const shapes = {
  "evalbatch of task.json": attemptFactsSchema.shape,
  "plan.json": planFileSchema.shape,
  resume: resumeFactsSchema.shape,
  "resume.source": resumeSourceSchema.shape,
  drift: driftEntrySchema.shape,
  set_aside: setAsideSchema.shape,
  earlier_attempts: earlierAttemptSchema.shape,
  origin: runOriginSchema.shape,
};

for (const [name, shape] of Object.entries(shapes)) {
  test(`docs/formats.md tells of each key of ${name}`, () => {
    const missing = Object.keys(shape).filter((key) => !new RegExp(`\`(?:[\\w.]*\\.)?${key}(?:\`|[ ,.])`).test(text));
    assert.deepEqual(missing, []);
  });
}
