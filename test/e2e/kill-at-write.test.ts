import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { commandTask, makeProject, runCli, runFile } from "./cli.ts";

const preload = pathToFileURL(join(import.meta.dirname, "kill-at-write-preload.ts")).href;
const args = ["run", "tasks", "--driver", "tempdir", "--run-dir", "out"];

/** The plan, the fingerprint, and the first one of the task. */
const writes = 3;

test("killed before and after each of its first files, a run leaves a directory that says what it is, and is continued", async (t) => {
  for (let nth = 1; nth <= writes; nth += 1) {
    for (const when of ["before", "after"]) {
      await t.test(`${when} file ${nth}`, async () => {
        await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done") });
        const env = { NODE_OPTIONS: `--import ${preload}`, EVALBATCH_TEST_KILL: `${nth} ${when}` };
        const killed = await runCli(args, { cwd: project.dir, env });
        assert.equal(killed.code, null, killed.stderr);
        const has = (name: string): boolean => existsSync(join(project.dir, "out", name));
        // By its plan alone a later attempt of a job knows that the directory is its own.
        assert.ok(has("plan.json") || !has("resume_fingerprint.json"), "a fingerprint and no plan");
        const end = await runCli([...args, "--resume"], { cwd: project.dir });
        assert.equal(end.code, 0, end.stderr);
        const run = await project.readJson("out/run.json", runFile);
        assert.deepEqual([run.tasks_planned, run.tasks_succeeded], [1, 1]);
      });
    }
  }
});
