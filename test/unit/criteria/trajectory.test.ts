import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { criterionSchema } from "../../../src/criteria/criterion-schema.ts";
import { gradeTask, verdictOf } from "../../../src/criteria/grade.ts";
import { memorySandbox } from "../../fakes/memory-sandbox.ts";

const callSchema = z.object({ tool_name: z.string(), parameters: z.record(z.string(), z.unknown()), result_status: z.string().nullable() });
const resultSchema = z.object({
  score: z.number(),
  details: z.string().nullable(),
  error: z.string().nullable(),
  observed_label: z.string().optional(),
  expected_label: z.string().optional(),
});
const fileSchema = z.object({
  calls: z.record(z.string(), z.array(callSchema)),
  rows: z.array(z.object({ task: z.string(), criterion: criterionSchema, passed: z.boolean(), result: resultSchema })).min(35),
});

// What coder_eval 0.8.2 made of two recorded trajectories.
const fixture = join(import.meta.dirname, "../../fixtures/criteria/trajectory.json");
const { calls, rows } = fileSchema.parse(JSON.parse(readFileSync(fixture, "utf8")));

for (const [index, { task, criterion, passed, result }] of rows.entries()) {
  test(`${task} ${index}, ${criterion.type} '${criterion.description}', scores, passes and explains as in coder_eval 0.8.2`, async () => {
    const toolCalls = calls[task];
    assert.ok(toolCalls !== undefined);
    const [ours] = await gradeTask([criterion], {
      sandbox: memorySandbox(),
      commandEnv: {},
      toolCalls,
      signal: new AbortController().signal,
    });
    assert.ok(ours !== undefined);
    assert.deepEqual(resultSchema.parse(ours), result);
    assert.equal(verdictOf([ours], [criterion]), passed);
  });
}
