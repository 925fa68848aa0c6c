import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { annotations, type Ended, noBundle, taskYaml } from "./action-process.ts";
import { withoutMasks } from "./cancelled-job.ts";
import { makePublishingJob, type PublishingJob } from "./publishing-job.ts";

// What the inputs `retry` and `env-probe` do in the action as it is shipped.

const skip = noBundle;

const runSchema = z.object({
  tasks_succeeded: z.number(),
  tasks_failed: z.number(),
  tasks_error: z.number(),
  tasks_passed_on_retry: z.number(),
  pass_rate: z.number(),
  resume: z.object({ attempt: z.number(), retry: z.string(), rows_kept: z.number(), reasons: z.record(z.string(), z.number()) }).nullable(),
  drift: z.array(z.object({ kind: z.string(), field: z.string(), benign: z.boolean(), tasks: z.array(z.string()) })),
  environment_info: z.looseObject({ env_probe: z.record(z.string(), z.string()) }),
});

const runJson = (job: PublishingJob) => runSchema.parse(JSON.parse(readFileSync(join(job.workspace, "out/run.json"), "utf8")));

/** Runs the main step of an attempt on a machine that has the checkout alone. */
async function attempt(job: PublishingJob, number: number, inputs: Readonly<Record<string, string>> = {}): Promise<Ended> {
  rmSync(join(job.workspace, "out"), { recursive: true, force: true });
  job.nextStep();
  const env = { GITHUB_RUN_ID: "501", GITHUB_RUN_ATTEMPT: String(number), SERVICE_STATE: number === 1 ? "down" : "up" };
  return job.run({ inputs: { "max-parallel": "1", env: `SERVICE_STATE=${env.SERVICE_STATE}`, ...inputs }, env });
}

/** One task that passes, one that breaks while a service is down, and one that fails then. */
async function threeTasks(t: Parameters<typeof makePublishingJob>[0]): Promise<PublishingJob> {
  const job = await makePublishingJob(t, "pull_request");
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  job.write("evals/breaks.yaml", taskYaml("breaks", '[ "$SERVICE_STATE" = up ] || exit 127; touch done'));
  job.write("evals/fails.yaml", taskYaml("fails", '[ "$SERVICE_STATE" = up ] && touch done; true'));
  return job;
}

test("a re-run tries errors again, with retry: failed failures too, and the pass rate stays at the first graded attempts", {
  skip,
}, async (t) => {
  const job = await threeTasks(t);
  const first = await attempt(job, 1);
  assert.equal(first.exitCode, 1, withoutMasks(first.stdout));
  const begin = runJson(job);
  assert.deepEqual([begin.tasks_succeeded, begin.tasks_failed, begin.tasks_error, begin.resume], [1, 1, 1, null]);

  const second = await attempt(job, 2);
  assert.equal(second.exitCode, 1, withoutMasks(second.stdout));
  assert.deepEqual(runJson(job).resume, { attempt: 2, retry: "errors", rows_kept: 2, reasons: { error: 1 } });
  assert.deepEqual([runJson(job).tasks_succeeded, runJson(job).tasks_failed], [2, 1]);

  const third = await attempt(job, 3, { retry: "failed" });
  assert.equal(third.exitCode, 0, withoutMasks(third.stdout));
  const end = runJson(job);
  assert.deepEqual(end.resume, { attempt: 3, retry: "failed", rows_kept: 2, reasons: { failed: 1 } });
  assert.deepEqual([end.tasks_succeeded, end.tasks_passed_on_retry, end.pass_rate], [3, 1, 2 / 3]);
  assert.equal(third.outputs["pass-rate"], String(2 / 3));
  for (const text of [third.summary, job.comments()[0] ?? ""]) assert.match(text, /1 task passed only on a later attempt/);
  assert.equal(job.comments().length, 1);
  // What a threshold asks is asked of the first graded attempts.
  const gated = await attempt(job, 4, { retry: "failed", "min-pass-rate": "0.9" });
  assert.equal(gated.exitCode, 1, withoutMasks(gated.stdout));
  assert.equal(runJson(job).tasks_succeeded, 3);
});

test("retry: missing keeps errors, and a word that is none stops the step with those that are", { skip }, async (t) => {
  const job = await threeTasks(t);
  await attempt(job, 1);
  const end = await attempt(job, 2, { retry: "missing" });
  assert.equal(end.exitCode, 1, withoutMasks(end.stdout));
  assert.deepEqual(runJson(job).resume, { attempt: 2, retry: "missing", rows_kept: 3, reasons: {} });
  assert.deepEqual([runJson(job).tasks_error, runJson(job).tasks_failed], [1, 1]);
  const wrong = await attempt(job, 2, { retry: "all" });
  assert.equal(wrong.exitCode, 2, withoutMasks(wrong.stdout));
  assert.match(annotations(wrong.stdout).join("\n"), /input "retry": expected "missing" or "errors" or "failed", got "all"/);
});

test("env-probe records what the commands print in the sandbox of each task, and a difference is told in the summary", {
  skip,
}, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  const brings = (version: string) =>
    `sandbox: {template_sources: [{type: starter_files, files: [{path: VERSION, content: "tool ${version}"}]}]}\n`;
  job.write("evals/a.yaml", taskYaml("a", "touch done", brings("1.10.0")));
  job.write("evals/b.yaml", taskYaml("b", "touch done", brings("1.9.0")));
  job.write("evals/c.yaml", taskYaml("c", "touch done", brings("1.9.0")));
  const end = await attempt(job, 1, { "env-probe": "# what the sandbox has\ntool=cat VERSION\nabsent=no-such-program --version" });
  assert.equal(end.exitCode, 0, withoutMasks(end.stdout));
  const { environment_info, drift } = runJson(job);
  assert.deepEqual([environment_info.env_probe.tool, environment_info.env_probe.absent], ["tool 1.9.0 | tool 1.10.0", "Not Found"]);
  assert.deepEqual(drift, [{ kind: "versions", field: "env_probe.tool", benign: false, tasks: ["a"] }]);
  const task = JSON.parse(readFileSync(join(job.workspace, "out/default/b/00/task.json"), "utf8"));
  assert.equal(task.environment_info.env_probe.tool, "tool 1.9.0");
  for (const text of [end.summary, job.comments()[0] ?? ""]) assert.match(text.replaceAll("<wbr>", ""), /env_probe\.tool.*1\.10\.0/);

  const wrong = await attempt(job, 1, { "env-probe": "java: java -version" });
  assert.equal(wrong.exitCode, 2, withoutMasks(wrong.stdout));
  assert.match(annotations(wrong.stdout).join("\n"), /env-probe.*did you mean 'java=java -version'/s);
});
