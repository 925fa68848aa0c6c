import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import test from "node:test";
import { headSha } from "../fakes/event-environment.ts";
import { notAccessible } from "../fakes/rest-api.ts";
import { annotations, canaries, noBundle, taskYaml } from "./action-process.ts";
import { makePublishingJob, type PublishingJob, token } from "./publishing-job.ts";

// The committed bundle in a job of every kind, with GitHub's real clients against fakes of its services.

const options = { skip: noBundle };

function writeTasks(job: PublishingJob, tasks: Readonly<Record<string, "passes" | "fails">>): void {
  for (const [id, end] of Object.entries(tasks)) job.write(`evals/${id}.yaml`, taskYaml(id, end === "passes" ? "touch done" : "true"));
}

/** Errors and warnings but the one about a canary that has the form of an input. */
const problems = (log: string): string[] =>
  annotations(log).filter((line) => /^(?:error|warning) (?!unknown input "something_new")/.test(line));

/** Of each event: whether the comment finds a pull request, and by which of its texts a log says that there is none. */
const eventCases: readonly { readonly fixture: string; readonly comment: boolean; readonly note?: RegExp; readonly sha?: string }[] = [
  { fixture: "pull_request", comment: true },
  { fixture: "pull_request_review", comment: true },
  { fixture: "push", comment: true },
  { fixture: "workflow_run", comment: true },
  { fixture: "workflow_run-push", comment: true },
  { fixture: "push-tag", comment: false, note: /^note: no comment: /m },
  { fixture: "schedule", comment: false, note: /^note: no comment: /m },
  { fixture: "workflow_dispatch", comment: false, note: /^note: no comment: /m },
  { fixture: "merge_group", comment: false, note: /^note: no comment: /m },
];

for (const { fixture, comment, note } of eventCases) {
  test(`${fixture}: the gate decides, and the comment goes where there is a pull request`, options, async (t) => {
    const job = await makePublishingJob(t, fixture);
    job.api.repository.pulls.push({ number: 7, state: "open", headSha, head: "octo-org:change-prompt" });
    writeTasks(job, { a: "passes", b: "fails" });
    const failed = await job.run();
    assert.equal(failed.exitCode, 1, failed.stdout + failed.stderr);
    assert.equal(failed.outputs.verdict, "failed");
    assert.equal(job.comments().length, comment ? 1 : 0, failed.stdout);
    assert.equal(failed.outputs["comment-url"] !== "", comment);
    assert.deepEqual(
      problems(failed.stdout).filter((line) => line.startsWith("warning")),
      [],
    );
    if (note !== undefined) assert.match(failed.stdout, note);
    assert.notEqual(failed.outputs["artifact-id"], "");
    writeTasks(job, { b: "passes" });
    const passed = await job.run({ inputs: { "run-dir": "out2" }, env: { GITHUB_RUN_ID: "8" } });
    assert.equal(passed.exitCode, 0, passed.stdout);
    assert.deepEqual([passed.outputs.verdict, problems(passed.stdout)], ["passed", []]);
    assert.equal(job.comments().length, comment ? 1 : 0);
  });
}

for (const fixture of ["pull_request_target", "issue_comment", "workflow_run-fork"]) {
  test(`${fixture} is refused before any file is read, unless the workflow allows it`, options, async (t) => {
    const job = await makePublishingJob(t, fixture);
    const refused = await job.run();
    assert.equal(refused.exitCode, 2, refused.stdout);
    assert.equal(refused.outputs.verdict, "error");
    assert.match(problems(refused.stdout).join("\n"), /allow-unsafe-trigger/);
    assert.deepEqual([job.service.requests.length, job.api.requests.length], [0, 0]);
    writeTasks(job, { a: "passes" });
    const allowed = await job.run({ inputs: { "allow-unsafe-trigger": "true" } });
    assert.equal(allowed.exitCode, 0, allowed.stdout);
    assert.match(annotations(allowed.stdout).join("\n"), /^warning allowed by allow-unsafe-trigger: /m);
  });
}

test("the artifact holds what is on the disk, and the outputs name it", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  job.write(
    "evals/a.yaml",
    taskYaml("a", "mkdir sub .git node_modules; echo 1 > done; echo 2 > 'sub/a:b?.txt'; echo 3 > .git/config; ln -s /etc/passwd link"),
  );
  writeTasks(job, { b: "fails" });
  const ended = await job.run({ inputs: { upload: "all", "retention-days": "3" } });
  assert.equal(ended.outputs["artifact-url"], `https://github.com/octo-org/evals/actions/runs/7/artifacts/${ended.outputs["artifact-id"]}`);
  assert.match(ended.outputs["artifact-digest"] ?? "", /^sha256:[0-9a-f]{64}$/);
  const files = job.artifact();
  const runDir = join(job.workspace, "out");
  const manifest: unknown = JSON.parse(String(files.get("evalbatch-files.json")));
  assert.partialDeepStrictEqual(manifest, {
    renamed: [{ path: "default/a/00/artifacts/a/sub/a:b?.txt", name: "default/a/00/artifacts/a/sub/a%3Ab%3F.txt" }],
  });
  for (const path of ["run.json", "run.md", "run.html", "plan.json", "comment.json", "default/a/00/task.json", "default/b/00/task.log"])
    assert.ok(files.has(path), `${path} is not in ${[...files.keys()].join(", ")}`);
  for (const [path, content] of files) {
    if (path === "evalbatch-files.json") continue;
    const onDisk = path.replaceAll("%3A", ":").replaceAll("%3F", "?");
    assert.deepEqual(content, readFileSync(join(runDir, onDisk)), path);
  }
  assert.equal(String(files.get("default/a/00/artifacts/a/sub/a%3Ab%3F.txt")), "2\n");
  assert.deepEqual(
    [...files.keys()].filter((path) => /\.git|node_modules|link/.test(path)),
    [],
  );
});

test("without `all` only results leave, and with `none` nothing does", options, async (t) => {
  const job = await makePublishingJob(t, "push");
  writeTasks(job, { a: "passes" });
  await job.run();
  assert.deepEqual(
    [...job.artifact().keys()].filter((path) => path.includes("artifacts/")),
    [],
  );
  const before = job.service.requests.length;
  const none = await job.run({ inputs: { "run-dir": "out2", upload: "none" } });
  assert.deepEqual([none.exitCode, none.outputs["artifact-id"], job.service.requests.length], [0, "", before]);
});

test("after three runs there is one comment, behind 130 of others, with what changed", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  for (let id = 1; id <= 130; id += 1)
    job.api.repository.comments.push({ id, issue: 7, author: { login: `user${id}`, type: "User" }, body: `comment ${id}` });
  const runs: Readonly<Record<string, "passes" | "fails">>[] = [
    { a: "passes", b: "fails" },
    { a: "fails", b: "fails" },
    { a: "passes", b: "passes" },
  ];
  for (const [index, tasks] of runs.entries()) {
    job.nextStep();
    writeTasks(job, tasks);
    const ended = await job.run({ inputs: { "run-dir": `out${index}` }, env: { GITHUB_RUN_ID: String(index + 7) } });
    assert.equal(ended.exitCode, index < 2 ? 1 : 0, ended.stdout);
    assert.equal(job.comments().length, 1);
    const comment = job.comments()[0] ?? "";
    assert.match(comment.split("\n")[1] ?? "", index < 2 ? /failed/ : /passed/);
    for (const page of [comment, ended.summary]) {
      if (index === 1) assert.match(page, /[Nn]ewly failing[\s\S]{0,80}\ba\b/);
      if (index === 2) assert.match(page, /[Ff]ixed[\s\S]{0,80}\ba\b/);
    }
  }
  assert.equal(job.api.repository.comments.length, 131);
});

test("two thousand failing tasks fit on the page of the job and into the comment", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  for (let id = 0; id < 2000; id += 1) {
    const name = `${String(id).padStart(4, "0")}-${"long-name-".repeat(8)}`;
    job.write(
      `evals/${name}.yaml`,
      taskYaml(name, "true")
        .replace(/^initial_prompt: .*\nagent: .*$/m, "agent: {type: none}\nsandbox: {python: null}")
        .replace("it is done", "x".repeat(280)),
    );
  }
  const ended = await job.run();
  assert.equal(ended.exitCode, 1, ended.stdout.slice(-3000));
  assert.equal(ended.outputs["tasks-failed"], "2000");
  const bytes = Buffer.byteLength(ended.summary);
  assert.ok(bytes <= 1_000_000 && bytes > 100_000, `${bytes} bytes`);
  assert.match(ended.summary.split("\n")[0] ?? "", /failed, 0 of 2,?000 tasks passed/);
  const comment = job.comments()[0] ?? "";
  assert.ok(comment.length <= 60_000 && comment.length > 2000, `${comment.length} characters`);
  assert.ok(problems(ended.stdout).length <= 10);
});

test("a fork's token that may only read costs a notice and nothing else", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request-fork");
  job.api.faults.push({ method: "POST", path: /comments/, answer: notAccessible, times: 99 });
  writeTasks(job, { a: "passes" });
  const ended = await job.run();
  assert.deepEqual([ended.exitCode, ended.outputs.verdict, problems(ended.stdout)], [0, "passed", []], ended.stdout);
  assert.match(annotations(ended.stdout).join("\n"), /^notice [\s\S]*comment\.json/m);
  const place: unknown = JSON.parse(String(job.artifact().get("comment.json")));
  assert.partialDeepStrictEqual(place, { pull_request: 7, head_sha: headSha, verdict: "passed", tasks_succeeded: 1 });
});

test("a token without the permission costs a warning that shows the block to add", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  job.api.faults.push({ path: /comments/, answer: notAccessible, times: 99 });
  writeTasks(job, { a: "passes" });
  const ended = await job.run();
  assert.equal(ended.exitCode, 0, ended.stdout);
  assert.match(problems(ended.stdout).join("\n"), /^warning [\s\S]*permissions:\n[\s\S]*pull-requests: write/m);
  assert.match(ended.summary, /passed, 1 of 1 task/);
});

test("a fork's pull request without the secret that the tasks need is skipped, not failed", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request-fork");
  job.write("evals/a.yaml", taskYaml("a", 'test -n "$MODEL_API_KEY" && touch done'));
  const byInput = await job.run({ inputs: { env: "MODEL_API_KEY=" } });
  assert.deepEqual([byInput.exitCode, byInput.outputs.verdict, byInput.outputs["tasks-run"]], [0, "skipped", "0"], byInput.stdout);
  assert.match(byInput.summary, /skipped[\s\S]*MODEL_API_KEY/);
  const passing = taskYaml("a", "touch done", "sandbox: {docker: {env_passthrough_extra: [MODEL_API_KEY]}}\n");
  job.write("evals/a.yaml", passing);
  const byTask = await job.run({ env: { MODEL_API_KEY: "" } });
  assert.deepEqual([byTask.exitCode, byTask.outputs.verdict], [0, "skipped"], byTask.stdout);
  const own = await makePublishingJob(t, "pull_request");
  own.write("evals/a.yaml", passing);
  const ran = await own.run({ env: { MODEL_API_KEY: "" } });
  assert.equal(ran.outputs.verdict, "passed", ran.stdout);
});

test("services that fail for a moment are asked again; services that stay away cost warnings", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request", { faults: { CreateArtifact: [{ status: 500, message: "busy" }] } });
  job.api.faults.push({ method: "GET", answer: { status: 502, body: "<html>bad gateway</html>" } });
  job.api.faults.push({
    method: "POST",
    path: /comments/,
    answer: { status: 429, body: { message: "slow down" }, headers: { "retry-after": "1" } },
  });
  writeTasks(job, { a: "passes" });
  const ended = await job.run();
  assert.deepEqual(
    [ended.exitCode, problems(ended.stdout), job.comments().length, job.service.artifacts.size],
    [0, [], 1, 1],
    ended.stdout,
  );

  const gone = await makePublishingJob(t, "pull_request");
  await gone.api.close();
  await gone.service.close();
  writeTasks(gone, { a: "passes", b: "fails" });
  const failed = await gone.run();
  assert.equal(failed.exitCode, 1, failed.stdout);
  assert.match(failed.summary, /failed, 1 of 2 tasks passed/);
  assert.match(problems(failed.stdout).join("\n"), /^warning [\s\S]*not uploaded[\s\S]*^warning /m);
});

test("no token, no runner's services, no event: the verdict stands all the same", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  writeTasks(job, { a: "passes" });
  const env = { ACTIONS_RESULTS_URL: "", ACTIONS_RUNTIME_TOKEN: "", GITHUB_EVENT_PATH: "/nowhere", GITHUB_STEP_SUMMARY: "" };
  const ended = await job.run({ inputs: { "github-token": "" }, env });
  assert.equal(ended.exitCode, 0, ended.stdout);
  assert.equal(problems(ended.stdout).filter((line) => line.startsWith("error")).length, 0);
});

test("what the gate asks decides the exit code, and the reports say so", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  writeTasks(job, { a: "passes", b: "passes", c: "passes", d: "fails" });
  const cases: readonly [Readonly<Record<string, string>>, number, string][] = [
    [{}, 1, "failed"],
    [{ "fail-on": "error" }, 0, "failed"],
    [{ "fail-on": "never" }, 0, "failed"],
    [{ "min-pass-rate": "75%" }, 0, "passed"],
    [{ "min-pass-rate": "0.76" }, 1, "failed"],
    [{ "min-pass-rate": "0.5", "min-task-score": "0.1" }, 1, "failed"],
  ];
  for (const [index, [inputs, exitCode, verdict]] of cases.entries()) {
    job.nextStep();
    const ended = await job.run({ inputs: { ...inputs, "run-dir": `out${index}` }, env: { GITHUB_RUN_ID: String(10 + index) } });
    assert.deepEqual([ended.exitCode, ended.outputs.verdict], [exitCode, verdict], `${JSON.stringify(inputs)}\n${ended.stdout}`);
    assert.equal(
      problems(ended.stdout).some((line) => line.startsWith("error")),
      exitCode !== 0,
    );
  }
});

test("an advisory run fails no step when the engine is missing", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  writeTasks(job, { a: "passes" });
  const inputs = { driver: "docker", "fail-on": "never" };
  const ended = await job.run({ inputs, env: { DOCKER_HOST: `unix://${job.directory}/no.sock` } });
  assert.deepEqual([ended.exitCode, ended.outputs.verdict], [0, "error"], ended.stdout);
});

test("no secret leaves: not in the log, the summary, the comment or the artifact, in none of its forms", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  const secret = 'S3cr/t+"value" & more';
  const basic = Buffer.from(`user:${secret}`).toString("base64");
  const forms = [
    secret,
    Buffer.from(secret).toString("base64"),
    basic,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("hex"),
  ];
  const print = forms.map((form) => `printf '%s\\n' '${form}'`).join("; ");
  job.write(
    "evals/a.yaml",
    taskYaml("a", `(${print}; echo ${token}) | tee leak done >&2; echo "$GIVEN" > given; printf '\\000%s' "$GIVEN" > binary`),
  );
  job.write("evals/b.yaml", taskYaml("b", `${print}; exit 3`));
  job.write("evals/c.yaml", `task_id: c\ndescription: ${JSON.stringify(secret)}\nunknown_field: ${JSON.stringify(secret)}\n`);
  const ended = await job.run({ inputs: { upload: "all", env: `GIVEN=${secret}` }, env: { RUNNER_DEBUG: "1" } });
  assert.equal(ended.exitCode, 1, ended.stdout);
  const log = ended.stdout
    .split("\n")
    .filter((line) => !line.startsWith("::add-mask::"))
    .join("\n");
  const pages: [string, string][] = [
    ["log", log],
    ["summary", ended.summary],
    ["comment", job.comments()[0] ?? ""],
    ["outputs", JSON.stringify(ended.outputs)],
    ...[...job.artifact()].map(([path, content]): [string, string] => [path, content.toString("latin1")]),
  ];
  assert.ok(pages.some(([path]) => path.endsWith("/leak")));
  for (const [path, text] of pages) {
    for (const hidden of [...forms, basic.slice(8, -8), token, ...Object.values(canaries)])
      assert.ok(!text.includes(hidden), `${path} holds ${hidden}`);
  }
  assert.ok(![...job.artifact().keys()].some((path) => path.endsWith("/binary")));
  assert.match(ended.summary, /secrets hidden in \d+ places/);
  const summaryFile: unknown = JSON.parse(readFileSync(join(job.workspace, "out/run.json"), "utf8"));
  assert.ok(typeof summaryFile === "object" && summaryFile !== null && "redactions" in summaryFile && Number(summaryFile.redactions) > 0);
});

test("an artifact's name is taken: the next one is, and the log names both", options, async (t) => {
  const job = await makePublishingJob(t, "push");
  writeTasks(job, { a: "passes" });
  await job.run();
  const again = await job.run({ inputs: { "run-dir": "out2" } });
  assert.equal(again.exitCode, 0, again.stdout);
  assert.equal(job.service.artifacts.size, 2);
  const legs = [`{"os":"linux","variant":"a/b"}`, `{"os":"linux","variant":"a:b"}`, "null"];
  for (const [index, leg] of legs.entries())
    await job.run({ inputs: { "run-dir": `leg${index}`, "matrix-leg": leg }, env: { GITHUB_RUN_ATTEMPT: "2" } });
  assert.equal(job.service.artifacts.size, 5);
  assert.equal(globSync("leg*/run.json", { cwd: job.workspace }).map((path) => path.split(sep)[0]).length, 3);
});
