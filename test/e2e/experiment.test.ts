import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import test from "node:test";
import { z } from "zod";
import { makeProject, noneTask, type Project, runCli, startCli } from "./cli.ts";
import { assertLikeUpstream } from "./like-upstream.ts";

// coder_eval's run of two variants with two repeats (0.8.2), made again with commands that write what its scripted agent
// wrote. Commands use no tokens, so its token limit stops nobody here.

const fixtures = resolve(import.meta.dirname, "../fixtures");
const written = join(fixtures, "results/experiments");

async function experimentProject(): Promise<Project> {
  const project = await makeProject({});
  await cp(join(fixtures, "upstream/experiment"), project.dir, { recursive: true });
  return project;
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const rowKey = z.looseObject({ task_id: z.string(), variant_id: z.string(), replicate_index: z.number(), status: z.string() });
const runFile = z.object({ tasks_run: z.number(), task_results: z.array(rowKey), experiment: z.unknown(), selection: z.unknown() });
const byTask = z.looseObject({ task_summaries: z.array(z.looseObject({ task_id: z.string() })) });

/** `task_summaries` stand in the order of the rows, which coder_eval shuffles. */
function sorted(value: unknown): z.output<typeof byTask> {
  const file = byTask.parse(value);
  return { ...file, task_summaries: file.task_summaries.toSorted((a, b) => (a.task_id < b.task_id ? -1 : 1)) };
}

/** Times, and what only an agent that reports its work can tell. */
const ofTheRun = /duration|model_used|token|cost|command|agent_config|_turns?$|turn_count|final_reply/;
/** The token limit stopped one task of one variant there. */
const ofTheBudget = new RegExp(`${ofTheRun.source}|budget|^status$|final_status|candidate\\.tasks_(?:succeeded|failed)$`);

test("upstream's experiment ends here as it ended there: files, rows, variants, exit code", async () => {
  await using project = await experimentProject();
  const end = await runCli(["run", "tasks", "-e", "experiments/ab.yaml", "-o", "run", "-j", "1"], { cwd: project.dir });
  assert.equal(end.code, 1, end.stderr);
  const run = await project.readJson("run/run.json", runFile);
  const theirs = runFile.pick({ task_results: true }).parse(read(join(written, "ab/run.json")));
  assert.equal(run.tasks_run, theirs.task_results.length);
  const rowOf = (rows: typeof run.task_results, wanted: (typeof rows)[number]) =>
    rows.find(
      (row) => row.task_id === wanted.task_id && row.variant_id === wanted.variant_id && row.replicate_index === wanted.replicate_index,
    );
  for (const row of theirs.task_results) {
    assertLikeUpstream(rowOf(run.task_results, row), row, row.status === "TOKEN_BUDGET_EXCEEDED" ? ofTheBudget : ofTheRun);
    const directory = join(project.dir, "run", row.variant_id, row.task_id, `0${row.replicate_index}`);
    assert.ok(existsSync(join(directory, "task.json")) && existsSync(join(directory, "task.log")), directory);
  }
  assertLikeUpstream(
    sorted(read(join(project.dir, "run/experiment.json"))),
    sorted(read(join(written, "ab/experiment.json"))),
    ofTheBudget,
  );
  for (const [variant, differs] of [
    ["baseline", ofTheRun],
    ["candidate", new RegExp(`${ofTheBudget.source}|^tasks_(?:succeeded|failed)$`)],
  ] as const) {
    const path = `${variant}/variant.json`;
    assertLikeUpstream(read(join(project.dir, "run", path)), read(join(written, "ab", path)), differs);
  }
  assert.match(end.stdout, /1 flaky task: flaky/);

  const names = [
    "run.json",
    "run.md",
    "run.html",
    "experiment.json",
    "experiment.md",
    ...globSync("*/variant.*", { cwd: join(project.dir, "run") }),
  ];
  assert.equal(names.length, 9);
  const before = names.map((name) => [name, readFileSync(join(project.dir, "run", name), "utf8")]);
  const rebuilt = await runCli(["report", "run", "--rebuild"], { cwd: project.dir });
  assert.equal(rebuilt.code, 0, rebuilt.stderr);
  for (const [name = "", text] of before) assert.equal(readFileSync(join(project.dir, "run", name), "utf8"), text, name);
});

const taskFile = z.object({
  evalbatch: z.object({ replicate_index: z.number(), suite_id: z.null(), row_id: z.null() }),
  iterations: z.array(z.object({ user_input: z.string() })),
  task_config: z.object({
    resolved: z.looseObject({ initial_prompt: z.string(), suite_id: z.null(), agent: z.looseObject({ model: z.string() }) }),
    lineage: z.record(z.string(), z.object({ value: z.unknown(), source: z.string(), source_detail: z.string().nullable() })),
  }),
});

test("task.json tells which prompt and settings a variant's replicate had, and from which layer", async () => {
  await using project = await experimentProject();
  const end = await runCli(["run", "tasks/answer.yaml", "-e", "ab", "--variant", "candidate", "-o", "run"], { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
  assert.deepEqual(existsSync(join(project.dir, "run/baseline")), false);
  const { evalbatch, iterations, task_config } = await project.readJson("run/candidate/answer/01/task.json", taskFile);
  assert.equal(evalbatch.replicate_index, 1);
  assert.equal(task_config.resolved.initial_prompt, "Be brief.\n\nWrite the figure into answer.txt.");
  assert.ok(iterations[0]?.user_input.endsWith("\n\nBe brief.\n\nWrite the figure into answer.txt."));
  const from = (path: string) => [task_config.lineage[path]?.value, task_config.lineage[path]?.source];
  assert.deepEqual(from("agent.model"), ["model-next", "variant"]);
  assert.deepEqual(from("agent.command"), ["printf 42 > answer.txt", "variant"]);
  assert.deepEqual(from("repeats"), [2, "experiment-defaults"]);
  assert.deepEqual(task_config.lineage.initial_prompt, {
    value: "(mutated)",
    source: "mutation",
    source_detail: "2 ops (prefix, replace) from variant 'candidate'",
  });
});

test("a flag beats the experiment's number of repeats, as in upstream's second run", async () => {
  await using project = await experimentProject();
  const flags = ["-e", "ab", "--repeats", "3", "-j", "3", "-o", "run"];
  const end = await runCli(["run", "tasks/steady.yaml", ...flags], { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
  const theirs = read(join(written, "ab-repeats/experiment.json"));
  assertLikeUpstream(read(join(project.dir, "run/experiment.json")), theirs, ofTheRun);
});

test("the model that a variant or --model names reaches the command", async () => {
  await using project = await experimentProject();
  const command = `agent.command=printf "$EVALBATCH_MODEL" > answer.txt`;
  const run = async (out: string, ...flags: readonly string[]): Promise<string[]> => {
    await runCli(["run", "tasks/answer.yaml", "-e", "ab", "--repeats", "1", "-D", command, "-o", out, ...flags], { cwd: project.dir });
    return ["baseline", "candidate"].map((id) => readFileSync(join(project.dir, out, id, "answer/00/artifacts/answer/answer.txt"), "utf8"));
  };
  assert.deepEqual(await run("variants"), ["model-base", "model-next"]);
  assert.deepEqual(await run("flag", "-m", "model-mine"), ["model-mine", "model-mine"]);
});

const killedFile = z.object({
  experiment: z.looseObject({ id: z.string(), variants: z.array(z.looseObject({ id: z.string() })) }),
  selection: z.looseObject({ datasets: z.array(z.looseObject({ rows_selected: z.number(), seed: z.string() })) }),
  suites: z.array(z.looseObject({ variant_id: z.string(), suite_id: z.string(), rows_not_run: z.number(), passed: z.boolean() })),
  tasks_planned: z.number(),
  tasks_run: z.number(),
  not_run: z.array(z.object({ variant_id: z.string(), task_id: z.string() })),
});

test("a run that is killed keeps its experiment, its sample and its suites through a rebuild", async () => {
  const rows = "dataset: {rows: [{id: a}, {id: b}, {id: c}, {id: d}]}\n";
  const check = 'success_criteria:\n  - {type: run_command, description: fine, command: "true", suite_thresholds: {mean: 1}}\n';
  await using project = await makeProject({
    "a.yaml": noneTask("fast", `${rows}${check}`),
    // It ends by itself once the folder of the test is gone.
    "b.yaml": noneTask(
      "slow",
      'success_criteria:\n  - {type: run_command, description: x, command: "while [ -d \\"$TASK_DIR\\" ]; do sleep 0.2; done"}\n',
    ),
    "ab.yaml": "experiment_id: ab\nvariants: [{variant_id: one}, {variant_id: two, description: second}]\n",
  });
  const flags = ["-e", "ab.yaml", "--sample", "2", "--sample-seed", "s", "-o", "run", "-j", "1"];
  const running = startCli(["run", "a.yaml", "b.yaml", ...flags], { cwd: project.dir });
  await running.waitFor("[4/6] SUCCESS");
  running.child.kill("SIGKILL");
  await running.end;
  assert.equal(existsSync(join(project.dir, "run/run.json")), false);
  const rebuilt = await runCli(["report", "run", "--rebuild"], { cwd: project.dir });
  assert.equal(rebuilt.code, 0, rebuilt.stderr);
  const run = await project.readJson("run/run.json", killedFile);
  assert.deepEqual(
    [run.experiment.id, run.experiment.variants.map(({ id }) => id), run.tasks_planned, run.tasks_run],
    ["ab", ["one", "two"], 6, 4],
  );
  assert.deepEqual(
    run.not_run.map(({ variant_id, task_id }) => `${variant_id}/${task_id}`),
    ["one/slow", "two/slow"],
  );
  assert.deepEqual(
    run.suites.map(({ variant_id, suite_id, rows_not_run, passed }) => [variant_id, suite_id, rows_not_run, passed]),
    [
      ["one", "fast", 0, true],
      ["two", "fast", 0, true],
    ],
  );
  assert.deepEqual(run.selection.datasets, [{ suite_id: "fast", rows_total: 4, rows_selected: 2, mode: "sample", seed: "s", limit: 2 }]);
  for (const path of ["experiment.json", "one/variant.json", "two/fast/suite.json"])
    assert.ok(existsSync(join(project.dir, "run", path)), path);
  // Not even plan.json is needed for what has ended.
  await mkdir(join(project.dir, "bare"));
  for (const variant of ["one", "two"])
    await cp(join(project.dir, "run", variant, "fast"), join(project.dir, "bare", variant, "fast"), { recursive: true });
  for (const suite of globSync("bare/*/fast/suite.*", { cwd: project.dir })) await rm(join(project.dir, suite));
  const bare = await runCli(["report", "bare", "--rebuild"], { cwd: project.dir });
  assert.equal(bare.code, 0, bare.stderr);
  const kept = await project.readJson("bare/run.json", killedFile.pick({ suites: true, tasks_run: true }));
  assert.deepEqual(kept, { suites: run.suites, tasks_run: 4 });
});
