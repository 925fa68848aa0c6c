import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { commandTask, makeProject, runCli } from "./cli.ts";

/** An engine that nobody runs. */
const env = { DOCKER_HOST: "unix:///nowhere/docker.sock" };

test("a run that is refused for want of an engine leaves no directory behind, neither of its own nor the one of all runs", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done") });
  for (const args of [[], ["--run-dir", "deep/down/out"]]) {
    const end = await runCli(["run", "tasks", "--driver", "docker", ...args], { cwd: project.dir, env });
    assert.equal(end.code, 2, end.stderr);
    assert.deepEqual(await readdir(project.dir), ["tasks"], end.stderr);
  }
});

test("of a directory that was there, and of one with files, a refused run takes nothing away", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done"), "out/notes.txt": "mine" });
  await mkdir(join(project.dir, "runs"));
  for (const args of [[], ["--run-dir", "out"], ["--run-dir", "runs"]]) {
    const end = await runCli(["run", "tasks", "--driver", "docker", ...args], { cwd: project.dir, env });
    assert.equal(end.code, 2, end.stderr);
    assert.deepEqual((await readdir(project.dir)).sort(), ["out", "runs", "tasks"]);
    assert.deepEqual(await readdir(join(project.dir, "out")), ["notes.txt"]);
    assert.deepEqual(await readdir(join(project.dir, "runs")), []);
  }
});

test("a refused run in the directory of all runs leaves those that are there, and what latest points at", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done") });
  assert.equal((await runCli(["run", "tasks", "--driver", "tempdir"], { cwd: project.dir })).code, 0);
  const before = await readdir(join(project.dir, "runs"));
  assert.equal((await runCli(["run", "tasks", "--driver", "docker"], { cwd: project.dir, env })).code, 2);
  assert.deepEqual(await readdir(join(project.dir, "runs")), before);
  assert.ok(existsSync(join(project.dir, "runs/latest/run.json")));
});
