import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { systemClock } from "../../../src/clock.ts";
import { reportCommand } from "../../../src/commands/report.ts";
import { runCommand } from "../../../src/commands/run.ts";
import { createPlainProgress } from "../../../src/progress/plain-progress.ts";
import { strictGate } from "../../../src/results/gate.ts";
import { isObject } from "../../../src/results/tolerant.ts";
import { put, temporaryDirectory } from "../results/fixtures.ts";

const secret = "t0p-secret-0123456789";

const task = `task_id: answer
description: writes its number
agent: {type: none}
sandbox: {python: null}
pre_run: [{command: "printf 42 > answer.txt"}]
success_criteria: [{type: file_contains, description: has it, path: answer.txt, includes: ["42"]}]
`;
const experiment = `experiment_id: ab
description: uses ${secret} | <b>
variants:
  - {variant_id: baseline}
  - {variant_id: candidate, description: "also ${secret}", run_limits: {max_turns: 3}}
`;

async function run(cwd: string, selection: { readonly experiment?: string; readonly repeats?: number }): Promise<string[]> {
  const said: string[] = [];
  await runCommand(
    {
      patterns: ["answer.yaml"],
      cwd,
      runDir: "run",
      experiment: selection.experiment,
      variants: [],
      overrides: { set: [], driver: "tempdir", repeats: selection.repeats },
      sampling: { runSeed: "run" },
      tags: [],
      excludeTags: [],
      includeSkipped: false,
      gate: strictGate,
      verbose: false,
      env: { PATH: process.env.PATH, DEPLOY_TOKEN: secret },
      taskEnv: {},
    },
    {
      clock: systemClock,
      progress: createPlainProgress({ columns: 120, colour: false, write: (text: string) => void said.push(text) }, () => 0),
      machine: { cpus: 2, memoryBytes: 2 ** 32 },
      signal: new AbortController().signal,
    },
  );
  return said;
}

const reports = (cwd: string): string[] =>
  readdirSync(join(cwd, "run"), { recursive: true })
    .map(String)
    .filter((path) => /(?:experiment|variant)\.(?:json|md)$/.test(path))
    .sort();

const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), "utf8"));

test("a run of an experiment writes its files, names it in plan.json and run.json, and hides secrets in them", async () => {
  using directory = temporaryDirectory();
  const cwd = directory.path;
  put(cwd, "answer.yaml", task);
  put(cwd, "ab.yaml", experiment);
  await run(cwd, { experiment: "ab.yaml", repeats: 2 });
  const written = [
    "baseline/variant.json",
    "baseline/variant.md",
    "candidate/variant.json",
    "candidate/variant.md",
    "experiment.json",
    "experiment.md",
  ];
  assert.deepEqual(reports(cwd), written);
  const facts = {
    id: "ab",
    description: "uses *** | <b>",
    file: "ab.yaml",
    variants: [
      { id: "baseline", description: "", prompt: "base prompt" },
      { id: "candidate", description: "also ***", prompt: "base prompt" },
    ],
  };
  for (const name of ["plan.json", "run.json"]) {
    const file = json(cwd, "run", name);
    assert.deepEqual(isObject(file) ? file.experiment : undefined, facts, name);
  }
  const before = new Map(written.map((path) => [path, readFileSync(join(cwd, "run", path), "utf8")]));
  for (const [path, text] of before) assert.equal(text.includes(secret), false, path);

  for (const path of [...written, "run.json"]) rmSync(join(cwd, "run", path));
  await reportCommand({ runDir: join(cwd, "run"), rebuild: true });
  assert.deepEqual(reports(cwd), written);
  // How long the run took as a whole stood in run.json alone.
  const timeless = (text: string | undefined): string =>
    (text ?? "").replace(/("total_duration_seconds": |Total Duration\*\*: )[\d.]+/g, "$1?");
  for (const path of written) assert.equal(timeless(readFileSync(join(cwd, "run", path), "utf8")), timeless(before.get(path)), path);
});

test("while a run goes on its rows have the names of its reports", async () => {
  using directory = temporaryDirectory();
  put(directory.path, "answer.yaml", task);
  put(directory.path, "ab.yaml", experiment);
  const said = await run(directory.path, { experiment: "ab.yaml", repeats: 2 });
  const live = said.flatMap((text) => /SUCCESS +1\.000 {2}(.+?) {2}[\d.]+s/.exec(text)?.[1] ?? []);
  const names = ["answer (baseline, 00)", "answer (baseline, 01)", "answer (candidate, 00)", "answer (candidate, 01)"];
  assert.deepEqual(live.toSorted(), names);
  const report = readFileSync(join(directory.path, "run/run.md"), "utf8");
  for (const name of names) assert.ok(report.includes(name), name);
});

test("several replicates without an experiment are one called default", async () => {
  using directory = temporaryDirectory();
  put(directory.path, "answer.yaml", task);
  await run(directory.path, { repeats: 2 });
  assert.deepEqual(reports(directory.path), ["default/variant.json", "default/variant.md", "experiment.json", "experiment.md"]);
  const file = json(directory.path, "run/experiment.json");
  assert.ok(isObject(file));
  assert.deepEqual([file.experiment_id, file.variant_ids], ["default", ["default"]]);
  const summary = json(directory.path, "run/run.json");
  assert.equal(isObject(summary) ? summary.experiment : undefined, null);
});

test("a run of one attempt per task writes none of them", async () => {
  using directory = temporaryDirectory();
  put(directory.path, "answer.yaml", task);
  await run(directory.path, {});
  assert.deepEqual(reports(directory.path), []);
});

test("reports of an experiment that cannot be written are a warning of a rebuild, and no failure", async () => {
  using directory = temporaryDirectory();
  put(directory.path, "answer.yaml", task);
  await run(directory.path, { repeats: 2 });
  rmSync(join(directory.path, "run/experiment.json"));
  mkdirSync(join(directory.path, "run/experiment.json/in-the-way"), { recursive: true });
  const outcome = await reportCommand({ runDir: join(directory.path, "run"), rebuild: true });
  assert.equal(outcome.exitCode, 0);
  assert.match(outcome.problems, /^a report of the experiment could not be written: .*experiment\.json/);
});
