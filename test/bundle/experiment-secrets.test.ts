import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { annotations, noBundle } from "./action-process.ts";
import { makePublishingJob, type PublishingJob } from "./publishing-job.ts";

// What stands in data sets, experiments and inputs comes to every file of a run and every page: a secret in it must not.

const options = { skip: noBundle };

const secret = "Pl4in/secret+value-of-this-test";
const other = "An0ther-secret-value-of-this-test";

/** The secret wherever a person can write: prose, settings, values of rows, labels. */
const suite = `task_id: words
description: the value ${secret}
initial_prompt: "Say \${row.word}."
agent: {type: command, command: 'cat > said.txt; echo ${secret} > label.txt; cat said.txt'}
sandbox: {python: null}
dataset:
  paths: [rows.jsonl]
success_criteria:
  - {type: file_contains, description: "says \${row.word}", path: said.txt, includes: ["\${row.word}", loudly], suite_thresholds: {mean: 0.9}}
  - type: classification_match
    description: "label \${row.word}"
    path: label.txt
    expected_label: "\${row.word}"
    allowed_labels: [plain, ${secret}]
    suite_thresholds: {accuracy: 1, "recall.${secret}": 1}
`;
const rows = `{"id": "r1", "word": "plain"}\n{"id": "r2", "word": "${secret}"}\n`;
const experiment = `experiment_id: prompts
description: compares ${secret}
defaults: {agent: {model: "${secret}"}}
variants:
  - {variant_id: quiet, description: "without ${secret}"}
  - variant_id: loud
    prompt_mutations: [{type: suffix, content: "loudly, ${secret}"}, {type: replace, pattern: "${secret}", replacement: "${secret}"}]
  - {variant_id: other, initial_prompt: "${secret} \${row.word}"}
`;

function leaksOf(
  job: PublishingJob,
  ended: { readonly stdout: string; readonly stderr: string; readonly summary: string; readonly outputs: object },
): string[] {
  const log = ended.stdout
    .split("\n")
    .filter((line) => !line.startsWith("::add-mask::"))
    .join("\n");
  const pages: [string, string][] = [
    ["log", log],
    ["errors", ended.stderr],
    ["summary", ended.summary],
    ["outputs", JSON.stringify(ended.outputs)],
    ...job.comments().map((text): [string, string] => ["comment", text]),
    ...[...job.service.artifacts.keys()].flatMap((name) =>
      [...job.artifact(name)].map(([path, content]): [string, string] => [path, content.toString("latin1")]),
    ),
  ];
  const forms = [secret, other].flatMap((text) => [text, Buffer.from(text).toString("base64"), encodeURIComponent(text)]);
  return pages.filter(([, text]) => forms.some((form) => text.includes(form))).map(([path]) => path);
}

test("a secret that stands in rows, prompts, labels and the experiment leaves in no file and on no page", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  job.write("evals/words.yaml", suite);
  job.write("evals/rows.jsonl", rows);
  job.write("experiments/prompts.yaml", experiment);
  const inputs = {
    experiment: "prompts",
    env: `GIVEN=${secret}\nOTHER=${other}`,
    sample: "2",
    "sample-seed": other,
    repeats: "2",
    upload: "all",
  };
  const ended = await job.run({ inputs, env: { RUNNER_DEBUG: "1" } });
  assert.equal(ended.exitCode, 1, ended.stdout);
  assert.equal(ended.outputs["tasks-run"], "12");
  const files = [...job.artifact().keys()];
  for (const path of [
    "plan.json",
    "run.json",
    "experiment.json",
    "loud/variant.json",
    "loud/words/suite.json",
    "loud/words/suite.md",
    "loud/words/r2/01/task.json",
  ])
    assert.ok(files.includes(path), path);
  assert.deepEqual(leaksOf(job, ended), []);
  // On the machine itself too: plan.json and the reports are what a later step may hand on.
  for (const path of [
    "plan.json",
    "run.json",
    "run.md",
    "run.html",
    "experiment.json",
    "experiment.md",
    "loud/variant.md",
    "quiet/words/suite.json",
  ]) {
    const text = readFileSync(join(job.workspace, "out", path), "utf8");
    assert.ok(!text.includes(secret) && !text.includes(other), path);
  }
});

test("messages about what is wrong in rows, experiment and settings hide the secret that they quote", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  job.write("evals/words.yaml", suite);
  job.write("experiments/prompts.yaml", experiment);
  const env = { env: `GIVEN=${secret}` };
  for (const [name, inputs, breaks] of [
    ["row id", {}, () => job.write("evals/rows.jsonl", `{"id": "${secret}", "word": "x"}\n{"id": "${secret}", "word": "x"}\n`)],
    ["field", {}, () => job.write("evals/rows.jsonl", `{"id": "a", "${secret}": 1}\n`)],
    ["JSON", {}, () => job.write("evals/rows.jsonl", `{"id": "a", word: ${secret}}\n`)],
    ["variant", { variant: secret }, () => job.write("evals/rows.jsonl", rows)],
    ["setting", { set: `run_limits.max_turns=${secret}` }, () => undefined],
    ["path", { set: `run_limits.${secret}=1` }, () => undefined],
    ["agent", { agent: secret }, () => undefined],
    ["experiment's name", { experiment: secret }, () => undefined],
    ["number", { sample: secret }, () => undefined],
    ["experiment", {}, () => job.write("experiments/prompts.yaml", experiment.replace("defaults:", `"${secret}": 1\ndefaults:`))],
  ] as const) {
    breaks();
    job.nextStep();
    const ended = await job.run({ inputs: { experiment: "prompts", ...env, "run-dir": `out-${name.replaceAll(/\W/g, "")}`, ...inputs } });
    assert.notEqual(ended.exitCode, 0, name);
    assert.ok(
      annotations(ended.stdout).some((line) => line.startsWith("error ")),
      name,
    );
    assert.deepEqual(leaksOf(job, ended), [], name);
  }
});
