import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { labelNames } from "../../src/sandbox/docker/labels.ts";
import { containerListSchema } from "../../src/sandbox/docker/responses.ts";
import { seededRandom } from "../bundle/cancelled-job.ts";
import { makeProject, runCli, startCli } from "../e2e/cli.ts";
import { dockerTest, testImage } from "./engine.ts";

// A run is killed again and again, at moments that nobody chose, and continued each time.

const tasks = 40;
const kills = 10;
const seed = Number(process.env.EVALBATCH_KILL_SEED ?? Date.now() % 1_000_000);

/** Every fourth fails, the others pass; each takes a moment of its own. */
function taskOf(index: number): string {
  const seconds = ["0.1", "0.4", "0.9", "0.2"][index % 4] ?? "0";
  const verdict = index % 4 === 3 ? "false" : "true";
  return `task_id: ${idOf(index)}
description: one of many
initial_prompt: do it
agent: {type: command, command: "sleep ${seconds}; echo done > done"}
sandbox: {driver: docker, docker: {network: none, image: ${testImage}}, python: null}
success_criteria:
  - {type: file_exists, description: it was done, path: done}
  - {type: run_command, description: the verdict, command: "${verdict}"}
`;
}

const idOf = (index: number): string => `kr-${String(index).padStart(2, "0")}`;

const attemptsSchema = z.object({
  evalbatch: z.object({ attempt: z.number(), earlier_attempts: z.array(z.object({ status: z.string() })) }),
});
const runSchema = z.object({
  verdict: z.string(),
  tasks_planned: z.number(),
  tasks_run: z.number(),
  tasks_succeeded: z.number(),
  tasks_failed: z.number(),
  tasks_error: z.number(),
  tasks_not_run: z.number(),
  pass_rate: z.number(),
  interrupted: z.boolean(),
  drift: z.array(z.unknown()),
  set_aside: z.array(z.unknown()),
  unreadable: z.array(z.unknown()),
  resume: z.object({ attempt: z.number(), rows_kept: z.number(), rows_to_run: z.number() }).nullable(),
  task_results: z.array(z.object({ task_id: z.string(), status: z.string(), weighted_score: z.number().nullable() })),
});

/** Digest of each result that is there, by its path. */
function resultsIn(dir: string): Map<string, string> {
  const paths = globSync("out/default/*/00/task.json", { cwd: dir }).sort();
  return new Map(
    paths.map((path) => [
      path,
      createHash("sha256")
        .update(readFileSync(join(dir, path)))
        .digest("hex"),
    ]),
  );
}

dockerTest(`killed at ${kills} moments and continued, a run ends as if nothing had happened`, async (engine, t) => {
  const random = seededRandom(seed);
  t.diagnostic(`EVALBATCH_KILL_SEED=${seed}`);
  const files = Object.fromEntries(Array.from({ length: tasks }, (_, index) => [`tasks/${idOf(index)}.yaml`, taskOf(index)]));
  await using project = await makeProject(files);
  const args = ["run", "tasks", "-j", "4", "--run-dir", "out", "--resume"];
  const finished = new Map<string, string>();
  const noteFinished = (): void => {
    for (const [path, digest] of resultsIn(project.dir)) {
      const before = finished.get(path);
      if (before !== undefined) assert.equal(digest, before, `${path} was written again`);
      finished.set(path, digest);
    }
    for (const path of finished.keys()) assert.ok(existsSync(join(project.dir, path)), `${path} is gone`);
  };
  for (let kill = 0; kill < kills; kill += 1) {
    const run = startCli(args, { cwd: project.dir });
    // Some die before anything runs, most while several tasks are under way: by what they have done, since machines differ in speed.
    const ends = Math.floor(random() * 4);
    await Promise.race([ends === 0 ? delay(300 + random() * 1500) : run.waitFor(`[${ends}/`).catch(() => undefined), run.end]);
    await delay(random() * 200);
    run.child.kill("SIGKILL");
    await run.end;
    noteFinished();
  }
  t.diagnostic(`${finished.size} of ${tasks} had finished by the last kill`);
  const end = await runCli(args, { cwd: project.dir });
  assert.equal(end.code, 1, end.stderr);
  assert.ok(finished.size > 0);
  noteFinished();

  const run = await project.readJson("out/run.json", runSchema);
  const { task_results: rows, resume, pass_rate, ...counts } = run;
  assert.deepEqual(counts, {
    verdict: "failed",
    tasks_planned: tasks,
    tasks_run: tasks,
    tasks_succeeded: 30,
    tasks_failed: 10,
    tasks_error: 0,
    tasks_not_run: 0,
    interrupted: false,
    drift: [],
    set_aside: [],
    unreadable: [],
  });
  assert.equal(pass_rate, 0.75);
  assert.deepEqual(
    rows.map((row) => [row.task_id, row.status]),
    Array.from({ length: tasks }, (_, index) => [idOf(index), index % 4 === 3 ? "FAILURE" : "SUCCESS"]),
  );
  assert.equal((resume?.rows_kept ?? 0) + (resume?.rows_to_run ?? 0), tasks);
  // What was cut short says so, and nothing that had an end was run again.
  for (const path of finished.keys()) {
    const { evalbatch } = await project.readJson(path, attemptsSchema);
    assert.equal(evalbatch.earlier_attempts.length, evalbatch.attempt - 1, path);
    assert.ok(
      evalbatch.earlier_attempts.every(({ status }) => status === "INTERRUPTED"),
      path,
    );
  }
  assert.equal(finished.size, tasks);
  assert.deepEqual(globSync("out/**/*.tmp*", { cwd: project.dir }), []);
  const containers = await engine.client.json(containerListSchema, { method: "GET", path: "/containers/json", query: { all: true } });
  assert.deepEqual(
    containers.flatMap(({ Labels }) => Labels?.[labelNames.task] ?? []).filter((key) => key.startsWith("default/kr-")),
    [],
  );

  // Nothing is left to do: not one task starts, and the totals stay.
  const again = await runCli([...args, "--json"], { cwd: project.dir });
  assert.equal(again.code, 1, again.stderr);
  const { resume: last, ...same } = runSchema.parse(JSON.parse(again.stdout));
  const { resume: _resume, ...before } = run;
  assert.deepEqual(same, before);
  assert.deepEqual([last?.rows_kept, last?.rows_to_run], [tasks, 0]);
  noteFinished();
});
