import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import test from "node:test";
import { z } from "zod";
import { runCli } from "./cli.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = "examples/experiments";

const expectedFile = z.record(
  z.string(),
  z.strictObject({ tasks: z.string(), outcomes: z.record(z.string(), z.array(z.string())), suites: z.record(z.string(), z.boolean()) }),
);
const runFile = z.looseObject({
  task_results: z.array(z.looseObject({ task_id: z.string(), variant_id: z.string(), replicate_index: z.int(), status: z.string() })),
});
const suiteFile = z.looseObject({ passed: z.boolean() });

function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> {
  return schema.parse(JSON.parse(readFileSync(path, "utf8")));
}

const expected = readJson(join(root, folder, "expected.json"), expectedFile);

test("every example experiment has its expected outcomes", () => {
  const experiments = globSync(`${folder}/*.yaml`, { cwd: root }).map((file) => basename(file, ".yaml"));
  assert.deepEqual(experiments.sort(), Object.keys(expected).sort());
});

for (const [name, { tasks, outcomes, suites }] of Object.entries(expected)) {
  test(`the example experiment "${name}" ends as it says`, async () => {
    const runDir = await mkdtemp(join(tmpdir(), "evalbatch-experiment-"));
    try {
      const args = [
        "run",
        `${folder}/tasks/${tasks}.yaml`,
        "-e",
        `${folder}/${name}.yaml`,
        "--driver",
        "tempdir",
        "-o",
        join(runDir, "run"),
      ];
      const end = await runCli(args, { cwd: root });
      // One variant of each fails on purpose.
      assert.equal(end.code, 1, end.stderr + end.stdout);
      const found: Record<string, string[]> = {};
      for (const row of readJson(join(runDir, "run/run.json"), runFile).task_results) {
        const key = `${row.variant_id}/${row.task_id}`;
        found[key] = [...(found[key] ?? []), row.status];
      }
      assert.deepEqual(found, outcomes);
      const passed = Object.keys(suites).map((suite) => [suite, readJson(join(runDir, "run", suite, "suite.json"), suiteFile).passed]);
      assert.deepEqual(Object.fromEntries(passed), suites);
      assert.match(end.stdout, /^Variants \(/m);
    } finally {
      await rm(runDir, { recursive: true, force: true });
    }
  });
}
