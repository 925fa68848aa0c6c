import assert from "node:assert/strict";
import test from "node:test";
import { z } from "zod";
import { startRestApi } from "../fakes/rest-api.ts";
import { readZip } from "../fakes/zip-reader.ts";
import { containersOf, newRunId } from "./act.ts";
import { type ExampleRun, fullName, logOf, makeExample, resultsOf, skip, task } from "./example.ts";
import { pullRequestEvent } from "./repository.ts";

// "Re-run failed jobs" of the examples: the next attempt of a run has a fresh machine, and the artifacts of the attempts before.

const event = pullRequestEvent(fullName, "0123456789012345678901234567890123456789", 7);
const expired = { MODEL_API_KEY: "sk-expired-0123456789" };
const renewed = { MODEL_API_KEY: "sk-renewed-0123456789" };
/** Its agent cannot start with a key that has expired, which is an error and no failure. */
const wantsKey = (id: string) => task(id, 'case "$MODEL_API_KEY" in *expired*) exit 127;; esac; touch done');

const runSchema = z.object({
  tasks_run: z.number(),
  pass_rate: z.number(),
  resume: z.object({ attempt: z.number(), rows_kept: z.number(), rows_to_run: z.number(), retry: z.string() }).nullable(),
  drift: z.array(z.object({ field: z.string(), benign: z.boolean() })),
});

/** `run.json` of the artifacts that an attempt uploaded, by the artifact's name. */
function runsOf({ service }: ExampleRun, attempt: number): Map<string, z.infer<typeof runSchema>> {
  const isOfAttempt = new RegExp(`-${attempt}(?:-\\d+)?$`);
  const names = [...service.artifacts.keys()].filter((name) => isOfAttempt.test(name)).sort();
  return new Map(
    names.map((name) => {
      const files = readZip(service.artifacts.get(name)?.content ?? Buffer.alloc(0));
      return [name, runSchema.parse(JSON.parse(files.get("run.json")?.toString() ?? ""))];
    }),
  );
}

test("pull-request.yml: a re-run keeps what passed, tries again what broke, and tells both in the same comment", { skip }, async (t) => {
  await using api = await startRestApi({ repository: { fullName } });
  const example = await makeExample(t, "pull-request.yml", api, { "evals/a.yaml": task("a", "touch done"), "evals/b.yaml": wantsKey("b") });

  const first = await example.attempt(1, { event, secrets: expired });
  assert.deepEqual([...resultsOf(first), ...first.containers], ["evals failure", "default/a/00", "default/b/00"], logOf(first));

  const second = await example.attempt(2, { event, secrets: renewed });
  assert.deepEqual([...resultsOf(second), ...second.containers], ["evals success", "default/b/00"], logOf(second));
  const [run] = runsOf(example, 2).values();
  assert.deepEqual(run?.resume, { attempt: 2, rows_kept: 1, rows_to_run: 1, retry: "errors" });
  assert.deepEqual([run?.tasks_run, run?.pass_rate], [2, 1]);
  // A key that was renewed is no difference.
  assert.deepEqual(
    run?.drift.filter(({ benign }) => !benign),
    [],
  );
  assert.equal(api.repository.comments.length, 1);
  assert.match(api.repository.comments[0]?.body ?? "", /1 result kept, 1 task run/);
  assert.deepEqual(containersOf(example.image), []);
});

test("matrix.yml: each leg goes on from its own attempt, and one with nothing left to do runs nothing", { skip }, async (t) => {
  await using api = await startRestApi({ repository: { fullName } });
  const tasks = {
    "evals/bugs/a.yaml": task("a", "touch done"),
    "evals/features/b.yaml": wantsKey("b"),
    "evals/features/c.yaml": task("c", "touch done"),
  };
  const example = await makeExample(t, "matrix.yml", api, tasks);
  const first = await example.attempt(1, { event, secrets: expired });
  assert.equal(first.containers.length, 6, logOf(first));
  assert.notEqual(first.exitCode, 0);

  const second = await example.attempt(2, { event, secrets: renewed });
  assert.deepEqual([second.exitCode, ...second.containers], [0, "default/b/00", "default/b/00"], logOf(second));
  const legs = [...runsOf(example, 2)].map(
    ([name, { resume, pass_rate }]) =>
      `${name.includes("-bugs-") ? "bugs" : "features"}: ${resume?.rows_kept} kept, ${resume?.rows_to_run} to run, ${pass_rate}`,
  );
  const [bugs, features] = ["bugs: 1 kept, 0 to run, 1", "features: 1 kept, 1 to run, 1"];
  assert.deepEqual(legs.sort(), [bugs, bugs, features, features]);
});

test("nightly.yml: a run by hand goes on from a night that broke", { skip }, async (t) => {
  await using api = await startRestApi({ repository: { fullName } });
  const example = await makeExample(t, "nightly.yml", api, { "evals/a.yaml": task("a", "touch done"), "evals/b.yaml": wantsKey("b") });
  const night = { event: { name: "schedule", payload: { schedule: "23 3 * * *" } }, secrets: expired };
  const first = await example.attempt(1, night);
  assert.deepEqual([...resultsOf(first), ...first.containers], ["evals failure", "default/a/00", "default/b/00"], logOf(first));

  const [uploaded] = example.service.artifacts.values();
  const content = uploaded?.content ?? Buffer.alloc(0);
  const artifacts = [{ name: uploaded?.name ?? "", bytes: content.length, ...example.service.put({ name: "of the night", content }) }];
  const runId = newRunId();
  api.repository.runs.push(
    { id: example.runId, event: "schedule", artifacts },
    { id: runId, event: "workflow_dispatch", status: "in_progress" },
  );
  const event = { name: "workflow_dispatch", payload: { inputs: { "resume-from": String(example.runId) } } };
  const second = await example.attempt(1, { event, secrets: renewed, runId });
  assert.deepEqual([...resultsOf(second), ...second.containers], ["evals success", "default/b/00"], logOf(second));
  const [, run] = runsOf(example, 1).values();
  assert.deepEqual(run?.resume, { attempt: 2, rows_kept: 1, rows_to_run: 1, retry: "errors" });
});
