import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { commandTask, makeProject, type Project, runCli, startCli } from "./cli.ts";

// What a user does to a run directory, and what must not break by it.

const runSchema = z.object({
  run_id: z.string(),
  interrupted: z.boolean(),
  drift: z.array(z.object({ field: z.string(), before: z.string().nullable(), now: z.string().nullable(), benign: z.boolean() })),
  task_results: z.array(z.object({ task_id: z.string(), status: z.string(), attempt: z.number(), kept: z.boolean() })),
});

const args = ["run", "tasks", "--driver", "tempdir"];
const out = ["--run-dir", "out"];
const resume = [...args, ...out, "--resume"];
const read = (project: Project, dir = "out") => project.readJson(`${dir}/run.json`, runSchema);
const rowsOf = (run: z.infer<typeof runSchema>) => run.task_results.map((row) => [row.task_id, row.status, row.attempt, row.kept]);

/** All files of a directory with their texts. */
async function contentOf(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")])));
}

test("a resume of runs/latest is a resume of the directory that it leads to, and tells no difference of its name", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done"), "tasks/b.yaml": commandTask("b", "true") });
  await runCli(args, { cwd: project.dir });
  const { run_id: id } = await read(project, "runs/latest");
  for (const given of ["runs/latest", "runs/latest/", `runs/${id}`]) {
    const end = await runCli([...args, "--resume", "--run-dir", given], { cwd: project.dir });
    assert.equal(end.code, 1, end.stderr);
    const run = await read(project, `runs/${id}`);
    assert.deepEqual([run.run_id, run.drift], [id, []]);
    assert.match(end.stdout, new RegExp(`Report: .*/runs/${id}/run.html`));
    assert.doesNotMatch(end.stderr, /running 0/);
  }
  assert.deepEqual((await readdir(join(project.dir, "runs"))).sort(), [id, "latest"]);
  assert.equal(await project.readText("runs/latest/run.json"), await project.readText(`runs/${id}/run.json`));
});

test("what is no directory is refused as run directory before anything is said of running", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done"), out: "" });
  const end = await runCli(resume, { cwd: project.dir });
  assert.equal(end.code, 2);
  assert.match(end.stderr, /^error: the run directory .*\/out is a file\n {2}hint: /);
});

test("--retry and --on-drift without --resume are refused, and nothing runs", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done") });
  for (const wish of ["--retry=failed", "--on-drift=fail"]) {
    const end = await runCli([...args, ...out, wish], { cwd: project.dir });
    assert.equal(end.code, 2);
    assert.match(end.stderr, new RegExp(`^error: ${wish.replace("=", " ")} needs --resume\n`));
  }
  assert.equal(existsSync(join(project.dir, "out")), false);
});

test("a resume that is refused leaves every file as it was: too many rows to confirm, drift, no engine", async () => {
  await using project = await makeProject({
    "tasks/a.yaml": commandTask("a", "touch done"),
    "tasks/b.yaml": commandTask("b", "touch done"),
  });
  await runCli([...args, ...out], { cwd: project.dir });
  await writeFile(join(project.dir, "out/default/b/00/task.json"), "{");
  await writeFile(join(project.dir, "tasks/a.yaml"), commandTask("a", "touch done", "true"));
  const before = await contentOf(join(project.dir, "out"));
  const refusals: [readonly string[], RegExp][] = [
    [["--on-drift", "rerun", "--confirm-above", "1"], /2 tasks would run, more than 1, and nobody has confirmed that/],
    [["--on-drift", "fail"], /changed since the earlier attempt: success_criteria.*\n {2}hint: nothing was run/],
    [["--driver", "docker"], /Docker/],
    [["--tags", "no-such-tag"], /tag/],
  ];
  for (const [flags, message] of refusals) {
    const end = await runCli([...resume, ...flags], { cwd: project.dir, env: { DOCKER_HOST: "unix:///nowhere.sock" } });
    assert.equal(end.code, 2, end.stderr);
    assert.match(end.stderr, message);
    assert.deepEqual(await contentOf(join(project.dir, "out")), before, String(flags));
  }
});

test("results of another run are drift too: fail runs nothing", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done") });
  await runCli([...args, ...out], { cwd: project.dir });
  await writeFile(join(project.dir, "tasks/a.yaml"), commandTask("a", "touch done; true"));
  await runCli([...args, "--run-dir", "other"], { cwd: project.dir });
  await cp(join(project.dir, "out/default"), join(project.dir, "other/default"), { recursive: true });
  const before = await contentOf(join(project.dir, "other"));
  const end = await runCli([...args, "--run-dir", "other", "--resume", "--on-drift", "fail"], { cwd: project.dir });
  assert.equal(end.code, 2, end.stderr);
  assert.match(end.stderr, /stamp of the result/);
  assert.deepEqual(await contentOf(join(project.dir, "other")), before);
});

test("a row that waited for its retry when the run was stopped or killed is known by what it was made with", async () => {
  for (const signal of ["SIGINT", "SIGKILL"] as const) {
    await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "sleep 0.1"), "tasks/b.yaml": commandTask("b", "true") });
    await runCli([...args, ...out], { cwd: project.dir });
    const oldTask = await project.readText("tasks/b.yaml");
    await writeFile(join(project.dir, "tasks/a.yaml"), commandTask("a", "sleep 300"));
    await writeFile(join(project.dir, "tasks/b.yaml"), commandTask("b", "true", "test -e done && true"));
    const again = startCli([...resume, "--retry", "failed", "-j", "1"], { cwd: project.dir });
    await again.waitFor("running 2 tasks");
    while (!existsSync(join(project.dir, "out/default/a/00/task.json.previous"))) await new Promise((next) => setTimeout(next, 20));
    again.child.kill(signal);
    await again.end;
    await writeFile(join(project.dir, "tasks/a.yaml"), commandTask("a", "touch done"));

    const warned = await runCli(resume, { cwd: project.dir });
    assert.match(warned.stderr, /settings or files have changed/);
    const fields = (await read(project)).drift.filter(({ benign }) => !benign).map(({ field }) => field);
    // The failure of the first one counts still, so what has changed since is told.
    const ofTheFirst = fields.filter((field) => field === "agent.command");
    assert.ok(signal === "SIGKILL" || ofTheFirst.length === 1, fields.join());
    const ofTheSecond = fields.filter((field) => field !== "agent.command");
    assert.deepEqual(ofTheSecond, [signal === "SIGINT" ? "success_criteria" : "stamp of the result"]);

    // With the old file again it is the same as when it was made.
    await writeFile(join(project.dir, "tasks/b.yaml"), oldTask);
    const rerun = await runCli([...resume, "--on-drift", "rerun"], { cwd: project.dir });
    assert.match(rerun.stderr, /2 results kept, nothing is left to run/);
    const run = await read(project);
    assert.deepEqual(run.drift, []);
    assert.deepEqual(rowsOf(run), [
      ["a", "SUCCESS", 3, true],
      ["b", "FAILURE", 1, true],
    ]);
  }
});

test("a link in the place of a variant is moved aside, and nothing is read or written through it", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done") });
  await runCli([...args, ...out], { cwd: project.dir });
  await cp(join(project.dir, "out/default"), join(project.dir, "elsewhere"), { recursive: true });
  await rm(join(project.dir, "out/default"), { recursive: true });
  await symlink("../elsewhere", join(project.dir, "out/default"));
  await mkdir(join(project.dir, "elsewhere/b"));
  const before = await contentOf(join(project.dir, "elsewhere"));
  const end = await runCli(resume, { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
  assert.match(end.stderr, /warning: default was not used: a link, which is not followed \(now default\.unused\)/);
  assert.deepEqual(rowsOf(await read(project)), [["a", "SUCCESS", 1, false]]);
  assert.deepEqual(await contentOf(join(project.dir, "elsewhere")), before);
});
