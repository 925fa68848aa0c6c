import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import test from "node:test";
import { z } from "zod";
import { makeProject, type Project, runCli } from "./cli.ts";
import { assertLikeUpstream } from "./like-upstream.ts";

// coder_eval's run of datasets (0.8.2), made again from the same files. Its rows of `skills` need an agent and its service.

const fixtures = resolve(import.meta.dirname, "../fixtures");
const written = join(fixtures, "results/dataset");

async function datasetProject(): Promise<Project> {
  const project = await makeProject({});
  await cp(join(fixtures, "plan/dataset/upstream"), join(project.dir, "tasks"), { recursive: true });
  await cp(join(fixtures, "upstream/dataset"), join(project.dir, "tasks"), { recursive: true });
  await rm(join(project.dir, "tasks/skills.yaml"));
  // There the row was known by the name of its sandbox; here by coming second.
  const starts = join(project.dir, "starts.txt");
  const breaks = `pre_run: [{command: 'echo x >> "${starts}"; test "$(wc -l < "${starts}")" -ne 2'}]`;
  const task = join(project.dir, "tasks/row-errors.yaml");
  await writeFile(task, (await readFile(task, "utf8")).replace(/^pre_run: .*$/m, breaks));
  return project;
}

const runFile = z.object({
  tasks_run: z.number(),
  tasks_error: z.number(),
  task_results: z.array(z.looseObject({ task_id: z.string(), status: z.string() })),
  skipped_tasks: z.array(z.object({ path: z.string(), reason: z.string() })),
  suites: z.array(z.object({ suite_id: z.string(), passed: z.boolean(), rows_total: z.number() })),
  selection: z.object({
    datasets: z.array(z.looseObject({ suite_id: z.string(), rows_selected: z.number(), seed: z.string().nullable() })),
    cap: z.null(),
  }),
});

const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const filesBelow = (dir: string): string[] =>
  globSync("default/**/{task,suite}.{json,md}", { cwd: dir })
    .filter((path) => !path.includes("/skills/"))
    .sort();

/** Times, the machine, the model of an agent that is none. */
const ofTheRun = /^(?:duration|model_used)$|duration_seconds$|^iterations\.\d+\.duration/;
const ofTheTask = new RegExp(
  `${ofTheRun.source}|^(?:started_at|completed_at|error_log_tail|environment_info)$|\\.timestamp$|\\.user_input$|template_sources\\..*path$`,
);
/** How the one row breaks is of our making, and we know by what kind of error. */
const ofTheBrokenRow = /^error_message$|^error_details\.(?:error_message|error_category|error_tip|stack_trace)$|pre_run|source_yaml/;

test("upstream's datasets end here as they ended there: files, rows, suites, exit code", async () => {
  await using project = await datasetProject();
  const end = await runCli(["run", "tasks", "-o", "run", "-j", "1"], { cwd: project.dir });
  assert.equal(end.code, 1, end.stderr);
  const out = join(project.dir, "run");
  assert.deepEqual(filesBelow(out), filesBelow(written));

  const run = await project.readJson("run/run.json", runFile);
  const theirs = runFile.pick({ task_results: true }).parse(read(join(written, "run.json")));
  const expected = theirs.task_results.filter(({ task_id }) => !task_id.startsWith("skills/"));
  assert.deepEqual([run.tasks_run, run.tasks_error], [expected.length, 1]);
  for (const row of expected) {
    const ours = run.task_results.find(({ task_id }) => task_id === row.task_id);
    assertLikeUpstream(ours, row, ofTheRun);
    const path = join("default", row.task_id, "00/task.json");
    const differs = row.task_id.startsWith("row-errors/") ? new RegExp(`${ofTheTask.source}|${ofTheBrokenRow.source}`) : ofTheTask;
    assertLikeUpstream(read(join(out, path)), read(join(written, path)), differs);
  }
  assert.deepEqual(
    run.skipped_tasks.map(({ path }) => path),
    ["bad-row-id", "duplicate-row-id", "missing-field", "missing-rows-file", "nested-value"].map((name) => `tasks/${name}.yaml`),
  );

  for (const suite of ["sentiment", "sentiment-gate"]) {
    const path = `default/${suite}/suite.json`;
    assertLikeUpstream(read(join(out, path)), read(join(written, path)), /^$/);
  }
  // A row in error counts as a miss here (docs/formats.md); over the others the numbers are theirs.
  const graded = z.object({ criterion_aggregates: z.array(z.looseObject({ metrics: z.unknown(), metrics_graded: z.unknown() })) });
  const [ours] = graded.parse(read(join(out, "default/row-errors/suite.json"))).criterion_aggregates;
  const [aggregate] = z
    .object({ criterion_aggregates: z.array(z.object({ metrics: z.unknown() })) })
    .parse(read(join(written, "default/row-errors/suite.json"))).criterion_aggregates;
  assertLikeUpstream(ours?.metrics_graded, aggregate?.metrics, /^$/);
  assertLikeUpstream(ours?.metrics, { count: 3, mean: 1 / 3, min: 0, max: 1, completion_rate: 2 / 3 }, /^$/);
  assert.deepEqual(
    run.suites.map(({ suite_id, passed }) => [suite_id, passed]),
    [
      ["row-errors", false],
      ["sentiment-gate", false],
      ["sentiment", false],
    ],
  );
  assert.match(end.stdout, /sentiment-gate.*accuracy 0\.75, at least 0\.9 asked/);

  const before = ["run.json", "run.md", "run.html", ...filesBelow(out)].map((path) => [path, readFileSync(join(out, path), "utf8")]);
  const rebuilt = await runCli(["report", "run", "--rebuild"], { cwd: project.dir });
  assert.equal(rebuilt.code, 0, rebuilt.stderr);
  for (const [path = "", text] of before) assert.equal(readFileSync(join(out, path), "utf8"), text, path);
});

test("every row of a suite passes, and its gate alone makes the exit code 1", async () => {
  await using project = await datasetProject();
  const end = await runCli(["run", "tasks/sentiment-gate.yaml", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 1, end.stderr);
  const run = await project.readJson("out/run.json", runFile);
  assert.deepEqual([...new Set(run.task_results.map(({ status }) => status))], ["SUCCESS"]);
  assert.match(end.stdout, /^Verdict: failed \(suite sentiment-gate: accuracy 0\.75/m);
});

test("a sample of a dataset is drawn alike each time, recorded, and said in every report", async () => {
  await using project = await datasetProject();
  const sample = async (out: string, ...flags: readonly string[]) => {
    const end = await runCli(["run", "tasks/sentiment.yaml", "-o", out, "--sample", "3", ...flags], { cwd: project.dir });
    assert.equal(end.code, 1, end.stderr);
    return { ...(await project.readJson(`${out}/run.json`, runFile)), stdout: end.stdout };
  };
  const march = ["--sample-seed", "march"];
  const [first, again, unnamed] = await Promise.all([sample("first", ...march), sample("again", ...march), sample("unnamed")]);
  const idsOf = ({ task_results }: Pick<typeof first, "task_results">): string[] => task_results.map(({ task_id }) => task_id);
  assert.equal(first.tasks_run, 3);
  assert.deepEqual(idsOf(again), idsOf(first));
  assert.deepEqual(first.selection, again.selection);
  assert.deepEqual(first.selection.datasets, [
    { suite_id: "sentiment", rows_total: 8, rows_selected: 3, mode: "sample", seed: "march", limit: 3 },
  ]);
  assert.deepEqual(first.suites, [{ suite_id: "sentiment", passed: false, rows_total: 3 }]);
  // Without a seed it is the same draw in every run, as in docs/tasks.md.
  assert.deepEqual(unnamed.selection.datasets[0]?.seed, "0");
  assert.deepEqual(idsOf(await sample("same", "--sample-seed", "0")), idsOf(unnamed));
  const said = /sentiment: a sample of 3 of 8 rows \(seed march\)/;
  for (const page of [first.stdout, await project.readText("first/run.md"), await project.readText("first/run.html")])
    assert.match(page.replaceAll(/<\/?code>|`/g, ""), said);

  await rm(join(project.dir, "first/run.json"));
  const rebuilt = await runCli(["report", "first", "--rebuild"], { cwd: project.dir });
  assert.equal(rebuilt.code, 0, rebuilt.stderr);
  const { selection, suites } = await project.readJson("first/run.json", runFile);
  assert.deepEqual({ selection, suites }, { selection: first.selection, suites: first.suites });
});
