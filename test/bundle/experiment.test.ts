import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { annotations, noBundle, taskYaml } from "./action-process.ts";
import { runPost, says } from "./cancelled-job.ts";
import { makePublishingJob, type PublishingJob } from "./publishing-job.ts";

// Experiments, settings and samples as a workflow asks for them.

const options = { skip: noBundle };

const rows = Array.from({ length: 6 }, (_row, index) => `{id: r${index}, word: w${index}}`).join(", ");
const suite = `task_id: words
description: says its word
initial_prompt: "Say \${row.word}."
agent: {type: command, command: cat > said.txt}
sandbox: {python: null}
dataset: {rows: [${rows}]}
success_criteria:
  - {type: file_contains, description: "says \${row.word}", path: said.txt, includes: ["\${row.word}", loudly], suite_thresholds: {mean: 0.6}}
`;
const model = `task_id: model
description: the model that it is told
initial_prompt: Say it.
agent: {type: command, command: printf "$EVALBATCH_MODEL" > said.txt}
sandbox: {python: null}
success_criteria:
  - {type: file_matches_regex, description: told, path: said.txt, pattern: "^m9$"}
`;
const experiment = `experiment_id: prompts
description: quiet against loud
variants:
  - {variant_id: quiet, description: as it is}
  - {variant_id: loud, prompt_mutations: [{type: suffix, content: loudly}]}
`;

function writeExperiment(job: PublishingJob): void {
  job.write("evals/words.yaml", suite);
  job.write("evals/model.yaml", model);
  job.write("experiments/prompts.yaml", experiment);
}

const rowSchema = z.looseObject({ task_id: z.string(), variant_id: z.string(), replicate_index: z.number(), status: z.string() });
const runFile = z.object({
  task_results: z.array(rowSchema),
  selection: z
    .object({ datasets: z.array(z.object({ seed: z.string().nullable(), rows_selected: z.number() })), cap: z.unknown() })
    .nullable(),
});
const taskFile = z.object({
  task_config: z.object({
    resolved: z.object({ run_limits: z.object({ task_timeout: z.number(), max_turns: z.number() }) }),
    lineage: z.record(z.string(), z.object({ source: z.string(), source_detail: z.string().nullable() })),
  }),
});

function read<Schema extends z.ZodType>(job: PublishingJob, path: string, schema: Schema): z.output<Schema> {
  return schema.parse(JSON.parse(readFileSync(join(job.workspace, path), "utf8")));
}

const keysOf = (job: PublishingJob, runDir: string): string[] =>
  read(job, `${runDir}/run.json`, runFile).task_results.map((row) => `${row.variant_id}/${row.task_id}/0${row.replicate_index}`);

const errorsOf = (log: string): string[] => annotations(log).filter((line) => line.startsWith("error "));

test("an experiment with settings, a model, repeats and a sample: run, comment and page tell of all of them", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  writeExperiment(job);
  const inputs = {
    experiment: "prompts",
    model: "m9",
    repeats: "2",
    set: "run_limits.task_timeout=77\n# not a setting\nrun_limits.max_turns=5 # nor this",
    sample: "2",
    "sample-seed": "march",
  };
  const ended = await job.run({ inputs });
  assert.equal(ended.exitCode, 1, ended.stdout);
  // One task and two of six rows, in two variants, twice.
  assert.deepEqual([ended.outputs["tasks-run"], ended.outputs["tasks-succeeded"], ended.outputs.verdict], ["12", "8", "failed"]);
  const run = read(job, "out/run.json", runFile);
  assert.deepEqual(run.selection?.datasets, [{ seed: "march", rows_selected: 2 }]);
  const passed = run.task_results
    .filter(({ status }) => status === "SUCCESS")
    .map((row) => `${row.variant_id} ${row.task_id.split("/")[0]}`);
  assert.deepEqual([...new Set(passed)].sort(), ["loud model", "loud words", "quiet model"]);
  const { resolved, lineage } = read(job, "out/loud/model/01/task.json", taskFile).task_config;
  assert.deepEqual(resolved.run_limits, { task_timeout: 77, max_turns: 5 });
  assert.deepEqual(lineage["run_limits.task_timeout"], { source: "cli", source_detail: "-D run_limits.task_timeout" });
  for (const page of [job.comments()[0] ?? "", ended.summary]) {
    const text = page.replaceAll(/[`*]|<\/?code>/g, "");
    assert.match(text, /quiet[\s\S]*loud/);
    assert.match(text, /words[\s\S]{0,200}mean 0\.5, at least 0\.6 asked/);
    assert.match(text, /a sample of 2 of 6 rows \(seed march\)/);
  }
  for (const path of ["experiment.json", "loud/variant.json", "quiet/words/suite.json"]) assert.ok(job.artifact().has(path), path);
});

test("each leg of a matrix runs its variant alone, with a comment and an artifact of its own", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  writeExperiment(job);
  for (const variant of ["quiet", "loud"]) {
    const inputs = {
      experiment: "experiments/prompts.yaml",
      variant,
      model: "m9",
      "run-dir": variant,
      "matrix-leg": `{"variant":"${variant}"}`,
    };
    const ended = await job.run({ inputs });
    assert.equal(ended.exitCode, variant === "loud" ? 0 : 1, ended.stdout);
    assert.deepEqual([...new Set(keysOf(job, variant).map((key) => key.split("/")[0]))], [variant]);
  }
  assert.equal(job.comments().length, 2);
  const names = [...job.service.artifacts.keys()].sort();
  assert.deepEqual(
    names.map((name) => name.replace(/-[a-z0-9]{6}-1$/, "")),
    ["evalbatch-evals-loud", "evalbatch-evals-quiet"],
  );
});

test("a run that is held to a number of tasks draws the same ones in a re-run and on another machine", options, async (t) => {
  const capped = { experiment: "prompts", "max-tasks": "6", "on-max-tasks": "sample" };
  const drawnBy = async (fixture: string, env: Readonly<Record<string, string>> = {}) => {
    const job = await makePublishingJob(t, fixture);
    writeExperiment(job);
    const ended = await job.run({ inputs: capped, env });
    assert.equal(ended.outputs["tasks-run"], "6", ended.stdout);
    assert.match(ended.summary.replaceAll(/[`*]|<\/?code>/g, ""), /a sample of 6 of 14 tasks \(at most 6, seed /);
    const seed = z.object({ seed: z.string() }).parse(read(job, "out/run.json", runFile).selection?.cap).seed;
    return { keys: keysOf(job, "out"), seed };
  };
  const first = await drawnBy("pull_request");
  assert.equal(first.seed, "7");
  // A variant is never compared on other tasks than the other.
  const tasksOf = (variant: string) => first.keys.filter((key) => key.startsWith(`${variant}/`)).map((key) => key.slice(variant.length));
  assert.deepEqual(tasksOf("quiet"), tasksOf("loud"));
  assert.deepEqual(await drawnBy("pull_request", { GITHUB_RUN_ID: "99", GITHUB_RUN_ATTEMPT: "2" }), first);
  const pushed = await drawnBy("push");
  assert.match(pushed.seed, /^[0-9a-f]{40}$/);
  assert.deepEqual(await drawnBy("push", { GITHUB_RUN_ID: "99", GITHUB_RUN_ATTEMPT: "2" }), pushed);
});

test("too many tasks, and nobody asked for a sample: nothing runs, and the page says what to do", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  writeExperiment(job);
  const ended = await job.run({ inputs: { experiment: "prompts", "max-tasks": "6" } });
  assert.deepEqual([ended.exitCode, ended.outputs.verdict, ended.outputs["tasks-run"]], [2, "error", "0"], ended.stdout);
  assert.match(errorsOf(ended.stdout).join("\n"), /14 tasks would run, more than the 6 of max-tasks/);
  assert.match(ended.summary, /14 tasks would run, more than the 6 of max-tasks/);
  assert.deepEqual([job.service.artifacts.size, job.comments().length], [0, 0]);
});

test("a large run by hand has to be confirmed, and nobody else is asked", options, async (t) => {
  const job = await makePublishingJob(t, "workflow_dispatch");
  writeExperiment(job);
  const asked = { tasks: "evals/words.yaml", "confirm-above": "5" };
  const refused = await job.run({ inputs: asked });
  assert.deepEqual([refused.exitCode, refused.outputs.verdict], [2, "error"], refused.stdout);
  assert.deepEqual(errorsOf(refused.stdout).length, 1);
  assert.match(
    errorsOf(refused.stdout)[0] ?? "",
    /^error 6 tasks would run, more than 5, and nobody has confirmed that\nhint: .*"confirmed"/,
  );
  assert.match(refused.summary, /6 tasks would run, more than 5/);
  const confirmed = await job.run({ inputs: { ...asked, confirmed: "true" } });
  assert.equal(confirmed.outputs["tasks-run"], "6", confirmed.stdout);
  const pull = await makePublishingJob(t, "pull_request");
  writeExperiment(pull);
  assert.equal((await pull.run({ inputs: asked })).outputs["tasks-run"], "6");
});

test("what is wrong with the inputs is told at once, as annotations and on the page", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  writeExperiment(job);
  const wrong = {
    set: "run_limits.max_turn=5\nagent.model",
    repeats: "0",
    sample: "many",
    "on-max-tasks": "sampel",
    experiment: "../out.yaml",
  };
  const ended = await job.run({ inputs: wrong });
  assert.deepEqual([ended.exitCode, ended.outputs.verdict], [2, "error"], ended.stdout);
  const said = errorsOf(ended.stdout).join("\n");
  for (const part of ["max_turn", "max_turns", "agent.model", '"repeats"', '"sample"', '"on-max-tasks"', '"experiment"'])
    assert.ok(said.includes(part), `${part}\n${said}`);
  for (const part of ["max_turns", '"repeats"', '"experiment"']) assert.ok(ended.summary.includes(part), ended.summary);
  for (const [inputs, expected] of [
    [{ experiment: "prompts", variant: "lout" }, /there is no variant 'lout'[\s\S]*did you mean 'loud'/],
    [{ experiment: "promts" }, /promts[\s\S]*did you mean 'prompts'/],
    [{ experiment: "prompts", variant: "loud", agent: "codes" }, /codes[\s\S]*codex/],
  ] as const) {
    job.nextStep();
    const one = await job.run({ inputs });
    assert.equal(one.exitCode, 2, one.stdout);
    assert.match(errorsOf(one.stdout).join("\n"), expected);
    assert.match(one.summary, expected);
  }
});

test("a step that is killed leaves its post step the variants, the suites and the sample", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  job.write("evals/words.yaml", suite);
  // It ends by itself with the workspace.
  job.write("evals/zz-slow.yaml", taskYaml("slow", `while [ -d '${job.workspace}' ]; do sleep 0.2; done`));
  job.write("experiments/prompts.yaml", experiment);
  const inputs = { experiment: "prompts", sample: "2", "max-parallel": "1" };
  const main = job.start({ inputs });
  assert.ok(await says(main, "[4/6] "), main.seen());
  main.child.kill("SIGKILL");
  await main.ended;
  const post = await runPost(job, { inputs });
  assert.equal(post.exitCode, 0, post.stdout);
  for (const page of [post.summary, job.comments()[0] ?? ""]) {
    const text = page.replaceAll(/[`*]|<\/?code>/g, "");
    assert.match(text, /cut short[\s\S]*quiet[\s\S]*loud[\s\S]*words \(quiet\)/);
    assert.match(text, /a sample of 2 of 6 rows \(seed 0\)/);
  }
  for (const path of ["experiment.json", "loud/variant.json", "loud/words/suite.json"]) assert.ok(job.artifact().has(path), path);
});
