import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { systemClock } from "../../../src/clock.ts";
import { reportCommand } from "../../../src/commands/report.ts";
import { runCommand } from "../../../src/commands/run.ts";
import { InputError } from "../../../src/errors.ts";
import { createPlainProgress } from "../../../src/progress/plain-progress.ts";
import { strictGate } from "../../../src/results/gate.ts";
import { put, temporaryDirectory } from "../results/fixtures.ts";

// Ids of variants and tasks are names of directories in the run directory, beside the files of the run itself.

const taskOf = (id: string): string => `task_id: ${JSON.stringify(id)}
description: writes its number
agent: {type: none}
sandbox: {python: null}
pre_run: [{command: "printf 42 > answer.txt"}]
success_criteria: [{type: file_contains, description: has it, path: answer.txt, includes: ["42"]}]
`;

async function run(cwd: string, variants: readonly string[], tasks: readonly string[]): Promise<void> {
  for (const [index, id] of tasks.entries()) put(cwd, `t/${index}.yaml`, taskOf(id));
  put(cwd, "ab.yaml", `experiment_id: ab\nvariants: ${JSON.stringify(variants.map((variant_id) => ({ variant_id })))}\n`);
  const screen = { columns: 120, colour: false, write: () => undefined };
  await runCommand(
    {
      patterns: ["t"],
      cwd,
      runDir: "run",
      experiment: "ab.yaml",
      variants: [],
      overrides: { set: [], driver: "tempdir", repeats: undefined },
      sampling: { runSeed: "run" },
      tags: [],
      excludeTags: [],
      includeSkipped: false,
      gate: strictGate,
      verbose: false,
      env: { PATH: process.env.PATH },
      taskEnv: {},
    },
    {
      clock: systemClock,
      progress: createPlainProgress(screen, () => 0),
      machine: { cpus: 2, memoryBytes: 2 ** 32 },
      signal: new AbortController().signal,
    },
  );
}

const summarySchema = z.object({
  tasks_run: z.number(),
  tasks_succeeded: z.number(),
  warnings: z.array(z.string()).default([]),
  task_results: z.array(z.object({ variant_id: z.string(), task_id: z.string(), result_dir: z.string() })),
});

const summaryIn = (cwd: string) => summarySchema.parse(JSON.parse(readFileSync(join(cwd, "run/run.json"), "utf8")));

test("a variant or a task that is called like a file of the run takes no place of it, and a rebuild finds all of them", async () => {
  using directory = temporaryDirectory();
  const cwd = directory.path;
  const files = ["run.json", "plan.json", "experiment.json", "experiment.md", "run.html", "comment.json", "experiment.log"];
  const variants = [...files, "latest", "artifacts", "task.json", "con", "..", ".", "a:b", "RUN.MD", " spaced "];
  const tasks = ["variant.json", "suite.json/variant.md", "artifacts"];
  await run(cwd, variants, tasks);
  for (const name of files) assert.ok(statSync(join(cwd, "run", name), { throwIfNoEntry: false })?.isFile() !== false, name);
  assert.ok(existsSync(join(cwd, "run/experiment.md")));
  const first = summaryIn(cwd);
  const rows = variants.length * tasks.length;
  assert.deepEqual([first.tasks_run, first.tasks_succeeded], [rows, rows]);
  assert.deepEqual(first.warnings, []);
  const directories = first.task_results.map((row) => row.result_dir);
  assert.equal(new Set(directories.map((path) => path.toLowerCase())).size, rows);
  for (const path of directories) assert.ok(statSync(join(cwd, "run", path, "task.json")).isFile(), path);
  for (const path of new Set(directories.map((one) => one.split("/")[0])))
    assert.ok(existsSync(join(cwd, `run/${path}/variant.json`)), path);

  await reportCommand({ runDir: join(cwd, "run"), rebuild: true });
  assert.deepEqual(summaryIn(cwd), first);
});

test("a variant of two parts, or of none, is refused before anything is made", async () => {
  for (const id of ["a/b", "a\\b", "/etc", "../x", "", " "]) {
    using directory = temporaryDirectory();
    await assert.rejects(
      run(directory.path, ["fine", id], ["a"]),
      (error) => error instanceof InputError && error.issues.every(({ field }) => field === "variants[1].variant_id"),
      id,
    );
    assert.equal(existsSync(join(directory.path, "run")), false);
  }
});
