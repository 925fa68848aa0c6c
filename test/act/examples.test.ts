import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type RestApi, startRestApi } from "../fakes/rest-api.ts";
import type { ResultsService } from "../fakes/results-service.ts";
import { readZip } from "../fakes/zip-reader.ts";
import { containersOf, type WorkflowRun } from "./act.ts";
import { type End, fullName, logOf, makeExample, resultsOf, skip, task } from "./example.ts";
import { pullRequestEvent } from "./repository.ts";

const secret = "sk-0123456789abcdef";

interface Run extends Pick<WorkflowRun, "event" | "secrets"> {
  /** Task files by path. */
  readonly tasks: Readonly<Record<string, string>>;
}

/** Runs an example once. */
async function runExample(t: TestContext, workflow: string, api: RestApi, run: Run): Promise<End & { readonly service: ResultsService }> {
  const { service, image, attempt } = await makeExample(t, workflow, api, run.tasks);
  const end = await attempt(1, run);
  assert.deepEqual(containersOf(image), [], logOf(end));
  return { ...end, service };
}

const filesOf = ({ service }: { readonly service: ResultsService }) =>
  [...service.artifacts.values()].map(({ content }) => readZip(content));

test("pull-request.yml: a gate that holds and one that does not, with one comment for both runs", { skip }, async (t) => {
  await using api = await startRestApi({ repository: { fullName } });
  const event = pullRequestEvent(fullName, "0123456789012345678901234567890123456789", 7);
  const secrets = { MODEL_API_KEY: secret };
  const tasks = { "evals/a.yaml": task("a", 'echo "$MODEL_API_KEY" | tee done') };

  const good = await runExample(t, "pull-request.yml", api, { event, secrets, tasks });
  assert.deepEqual(resultsOf(good), ["evals success"], logOf(good));
  assert.deepEqual(good.containers, ["default/a/00"]);
  assert.equal(api.repository.comments.length, 1);
  const first = api.repository.comments[0]?.body;
  const [files] = filesOf(good);
  assert.ok(files?.has("default/a/00/task.json"), [...(files?.keys() ?? [])].join(", "));
  for (const [name, content] of files ?? []) assert.ok(!content.includes(secret), name);
  // The commands that mask it are shown by act, and by no runner.
  assert.deepEqual(
    good.log.split("\n").filter((line) => line.includes(secret) && !line.includes('"command":"add-mask"')),
    [],
  );

  const bad = await runExample(t, "pull-request.yml", api, { event, secrets, tasks: { ...tasks, "evals/deep/b.yaml": task("b", "true") } });
  assert.deepEqual([bad.exitCode, ...resultsOf(bad)], [1, "evals failure"], logOf(bad));
  assert.deepEqual(bad.containers, ["default/a/00", "default/b/00"]);
  assert.deepEqual(
    api.repository.comments.map(({ issue }) => issue),
    [7],
  );
  assert.notEqual(api.repository.comments[0]?.body, first);
});

test("pull-request.yml: on a fork, which gets no secrets, nothing runs and nothing is red", { skip }, async (t) => {
  await using api = await startRestApi({ repository: { fullName } });
  const event = pullRequestEvent(fullName, "0123456789012345678901234567890123456789", 7, true);
  const end = await runExample(t, "pull-request.yml", api, { event, tasks: { "evals/a.yaml": task("a", "touch done") } });
  assert.deepEqual(resultsOf(end), ["evals success"], logOf(end));
  assert.match(end.log, /set-output:: verdict=skipped/);
  assert.deepEqual([end.containers, api.writes(), end.service.artifacts.size], [[], [], 0]);
});

test("nightly.yml: everything on its schedule, and the tasks of a tag by hand, with the files of the agents", { skip }, async (t) => {
  await using api = await startRestApi({ repository: { fullName } });
  const secrets = { MODEL_API_KEY: secret };
  const passing = ["a", "b", "c", "d"].map((id) => [`evals/${id}.yaml`, task(id, "touch done", id === "b" ? "tags: [smoke]\n" : "")]);
  const tasks = { ...Object.fromEntries(passing), "evals/e.yaml": task("e", "true") };

  const all = await runExample(t, "nightly.yml", api, { event: { name: "schedule", payload: { schedule: "23 3 * * *" } }, secrets, tasks });
  assert.deepEqual(resultsOf(all), ["evals success"], logOf(all));
  assert.match(all.log, /passed, pass rate 0\.8, results at http/);
  assert.equal(all.containers.length, 5);
  assert.ok(filesOf(all)[0]?.has("default/a/00/artifacts/a/done"));
  const [artifact] = all.service.artifacts.values();
  assert.equal(Math.round((Date.parse(artifact?.expiresAt ?? "") - Date.now()) / 86_400_000), 30);

  const payload = { inputs: { tags: "smoke" } };
  const some = await runExample(t, "nightly.yml", api, { event: { name: "workflow_dispatch", payload }, secrets, tasks });
  assert.deepEqual([...resultsOf(some), ...some.containers], ["evals success", "default/b/00"], logOf(some));

  const broken = { "evals/a.yaml": "task_id: [\n", "evals/b.yaml": task("b", "touch done") };
  const red = await runExample(t, "nightly.yml", api, { event: { name: "schedule", payload: {} }, secrets, tasks: broken });
  assert.deepEqual(resultsOf(red), ["evals failure"], logOf(red));
  assert.deepEqual(api.writes(), []);
});

test("nightly.yml: more than a hundred tasks by hand want a second word", { skip }, async (t) => {
  await using api = await startRestApi({ repository: { fullName } });
  // Of each of three data sets the sample of fifty rows.
  const dataset = `dataset: {rows: [${Array.from({ length: 60 }, (_row, index) => `{id: r${index}}`).join(", ")}]}\n`;
  const tasks = Object.fromEntries(["a", "b", "c"].map((id) => [`evals/${id}.yaml`, task(id, "touch done", dataset)]));
  const event = { name: "workflow_dispatch", payload: { inputs: { confirmed: "false" } } };
  const end = await runExample(t, "nightly.yml", api, { event, secrets: { MODEL_API_KEY: secret }, tasks });
  assert.deepEqual([...resultsOf(end), ...end.containers], ["evals failure"], logOf(end));
  assert.match(end.log, /150 tasks would run, more than 100, and nobody has confirmed that/);
  assert.match(logOf(end), /error, pass rate unknown, results at nowhere/);
});

test("variants.yml: a leg, a comment and an artifact for each variant, and the same tasks in both", { skip }, async (t) => {
  await using api = await startRestApi({ repository: { fullName } });
  const event = pullRequestEvent(fullName, "0123456789012345678901234567890123456789", 7);
  const experiment = `experiment_id: prompts
variants:
  - {variant_id: baseline}
  - {variant_id: candidate, prompt_mutations: [{type: prefix, content: Be brief.}]}
`;
  const brief = task("a", 'grep -q "Be brief" "$EVALBATCH_PROMPT_FILE" && touch done; true');
  const tasks = { "evals/a.yaml": brief, "evals/b.yaml": task("b", "touch done"), "experiments/prompts.yaml": experiment };
  const end = await runExample(t, "variants.yml", api, { event, secrets: { MODEL_API_KEY: secret }, tasks });
  assert.deepEqual(resultsOf(end), ["evals success", "evals success"], logOf(end));
  const keys = (variant: string): string[] => ["a", "b"].flatMap((id) => ["00", "01", "02"].map((index) => `${variant}/${id}/${index}`));
  assert.deepEqual(end.containers, [...keys("baseline"), ...keys("candidate")]);
  assert.equal(end.service.artifacts.size, 2);
  const titles = api.repository.comments.map(({ body }) => body.split("\n")[1] ?? "").sort();
  assert.equal(titles.length, 2);
  assert.match(titles.join("\n"), /baseline.*: failures tolerated, 3 of 6 tasks passed\n.*candidate.*: passed, 6 of 6 tasks/);
});

test("matrix.yml: an artifact for each leg, and a last job that is red when one leg is", { skip }, async (t) => {
  await using api = await startRestApi({ repository: { fullName } });
  const event = pullRequestEvent(fullName, "0123456789012345678901234567890123456789", 7);
  const secrets = { MODEL_API_KEY: secret };
  const run = (feature: string) =>
    runExample(t, "matrix.yml", api, {
      event,
      secrets,
      tasks: { "evals/bugs/a.yaml": task("a", "touch done"), "evals/features/b.yaml": task("b", feature) },
    });

  const good = await run("touch done");
  assert.deepEqual(resultsOf(good), [...Array(4).fill("evals success"), "verdict success"], logOf(good));
  assert.deepEqual(good.containers, ["default/a/00", "default/a/00", "default/b/00", "default/b/00"]);
  const names = [...good.service.artifacts.keys()].sort();
  const legs = ["bugs", "features"].flatMap((suite) =>
    ["python-3.12-slim", "python-3.13-slim"].map((version) => [suite, version] as const),
  );
  // act puts the keys of a matrix in another order than GitHub does.
  for (const [suite, version] of legs) {
    const named = names.filter(
      (name) => [suite, version].every((value) => name.includes(`-${value}-`)) && /^evalbatch-evals-.*-1$/.test(name),
    );
    assert.equal(named.length, 1, names.join(", "));
  }
  assert.equal(names.length, legs.length);

  const bad = await run("true");
  // act gives every leg the result of the worst one that has ended before it: what counts is the step.
  const steps = bad.jobs.map(({ id, steps }) => `${id} ${steps.get("OWNER/evalbatch@v1") ?? steps.get("Every leg passed")}`);
  assert.deepEqual(steps.sort(), ["evals failure", "evals failure", "evals success", "evals success", "verdict failure"], logOf(bad));
  assert.deepEqual(api.writes(), []);
});
