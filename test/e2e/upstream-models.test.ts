import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import test from "node:test";
import { Ajv, type ValidateFunction } from "ajv";
import { z } from "zod";
import { makeProject, runCli } from "./cli.ts";

// What we write, against the schemas of coder_eval's own models (0.8.2 and 0.12.16). What a schema does not say, and what its reports and
// its resume make of our files, scripts/check-with-coder-eval.ts asks coder_eval itself; `written` is a run that passed there.

const upstream = resolve(import.meta.dirname, "../fixtures/upstream");
const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

const schemas = ["0.8.2", "0.12.16"].map((version) => ({
  version,
  "task.json": compiled(`task-result-${version}.json`),
  "run.json": compiled(`run-${version}.json`),
}));

function compiled(name: string): ValidateFunction {
  const schema = z.record(z.string(), z.unknown()).parse(read(join(upstream, "schemas", name)));
  return new Ajv({ allErrors: true, strict: false, validateFormats: false }).compile(schema);
}

/** Agents that both versions know: a result of another one they take for broken. */
const agentOfResult = z.looseObject({
  agent_config: z.looseObject({ type: z.enum(["none", "claude-code", "codex", "antigravity"]) }).nullable(),
});

function assertReadable(runDir: string): number {
  const paths = globSync("**/{task,run}.json", { cwd: runDir }).filter((path) => !path.split("/").includes("artifacts"));
  for (const path of paths) {
    const value = read(join(runDir, path));
    for (const schema of schemas) {
      const validate = schema[path.endsWith("run.json") ? "run.json" : "task.json"];
      assert.ok(validate(value), `${path}, ${schema.version}: ${JSON.stringify(validate.errors)}`);
    }
    if (path.endsWith("task.json")) agentOfResult.parse(value);
  }
  return paths.length;
}

/** The keys of 0.8.2 (formats.md 8.5); ours stand below one of our own. */
const fingerprintKeys = [
  ...[
    "agent_type",
    "backend",
    "bedrock_model",
    "evalbatch",
    "exclude_tags",
    "experiment_id",
    "include_skipped",
    "include_tags",
    "max_parallel",
  ],
  ...["max_rows", "overrides", "preservation_mode", "repeats", "run_dir", "sample_per_stratum", "verbose"],
];

test("the sample of a resumed run is one that coder_eval's models read", () => {
  assert.equal(assertReadable(join(upstream, "both-tools/written")), 6);
});

test("coder_eval's models read what a run, a resume, an experiment and an agent of ours leave", async () => {
  await using project = await makeProject({});
  await cp(join(upstream, "both-tools"), project.dir, { recursive: true });
  const cli = async (args: readonly string[]) => {
    const end = await runCli(["run", ...args, "-j", "2"], { cwd: project.dir });
    assert.equal(end.code, 1, end.stderr);
  };
  await cli(["tasks", "-o", "out"]);
  await rm(join(project.dir, "out/default/passes"), { recursive: true });
  await cli(["tasks", "--run-dir", "out", "--resume", "--retry", "failed"]);
  await cli(["tasks/passes.yaml", "tasks/fails.yaml", "-e", "ab.yaml", "-o", "variants"]);
  await rm(join(project.dir, "agent/times-out.yaml"));
  const spoken = await runCli(["run", "agent", "-o", "agent-run"], { cwd: project.dir });
  assert.equal(spoken.code, 0, spoken.stderr);
  assert.deepEqual(
    ["out", "variants", "agent-run"].map((name) => assertReadable(join(project.dir, name))),
    [6, 5, 2],
  );
  const fingerprint = z.record(z.string(), z.unknown()).parse(read(join(project.dir, "out/resume_fingerprint.json")));
  assert.deepEqual(Object.keys(fingerprint), fingerprintKeys);
  const attempts = z.object({ evalbatch: z.object({ attempt: z.number(), earlier_attempts: z.array(z.unknown()) }) });
  const again = attempts.parse(read(join(project.dir, "out/default/fails/00/task.json")));
  assert.deepEqual([again.evalbatch.attempt, again.evalbatch.earlier_attempts.length], [2, 1]);
});

test("what is read of the sample is what was written", async () => {
  await using project = await makeProject({});
  await cp(join(upstream, "both-tools/written"), join(project.dir, "run"), { recursive: true });
  const before = await project.readJson("run/run.json", rows);
  const end = await runCli(["report", "run", "--rebuild"], { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
  assert.deepEqual(await project.readJson("run/run.json", rows), before);
});

const rows = z.object({
  tasks_run: z.number(),
  pass_rate: z.number(),
  resume: z.looseObject({ rows_kept: z.number() }),
  task_results: z.array(z.looseObject({ task_id: z.string(), status: z.string(), attempt: z.number(), kept: z.boolean() })),
});
