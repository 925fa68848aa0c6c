import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { InputError } from "../../../src/errors.ts";
import { inputVariable, loadInputs } from "../../../src/github/inputs.ts";
import type { SelectionInputs } from "../../../src/github/selection-inputs.ts";

function makeWorkspace(t: { after(work: () => void): void }): string {
  const workspace = mkdtempSync(join(tmpdir(), "evalbatch-inputs-"));
  t.after(() => rmSync(workspace, { recursive: true }));
  mkdirSync(join(workspace, "evals"));
  return workspace;
}

function load(workspace: string, texts: Readonly<Record<string, string>>, mask: (secret: string) => void = () => {}) {
  const env = Object.fromEntries(Object.entries({ tasks: "evals", ...texts }).map(([name, text]) => [inputVariable(name), text]));
  return loadInputs(env, { workspace }, mask);
}

const noSelection: SelectionInputs = {
  experiment: undefined,
  variants: [],
  overrides: { set: [], type: undefined, model: undefined, repeats: undefined, driver: "docker", image: undefined },
  sample: undefined,
  samplePerStratum: undefined,
  sampleSeed: undefined,
  maxTasks: undefined,
  onMaxTasks: "fail",
  confirmAbove: undefined,
  confirmed: false,
};

function problemsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof InputError);
    return error.issues.map((issue) => issue.message);
  }
  return [];
}

test("only tasks has to be given", (t) => {
  const workspace = makeWorkspace(t);
  assert.deepEqual(load(workspace, {}).inputs, {
    tasks: ["evals"],
    tags: [],
    excludeTags: [],
    includeSkipped: false,
    selection: noSelection,
    maxParallel: undefined,
    runDir: undefined,
    workingDirectory: workspace,
    taskEnv: {},
    emptySecrets: [],
    envProbes: [],
    agentVersions: undefined,
    preservationMode: undefined,
    gate: { failOn: "failure", minPassRate: undefined, minTaskScore: undefined, allowEmpty: false },
    resume: "auto",
    resumeFrom: undefined,
    retry: "errors",
    onDrift: "warn",
    upload: "results",
    artifactName: undefined,
    retentionDays: undefined,
    summary: true,
    comment: "auto",
    commentKey: undefined,
    githubToken: undefined,
    allowUnsafeTrigger: false,
    matrixLeg: undefined,
  });
});

test("every input is read, whatever the case of its words", (t) => {
  const workspace = makeWorkspace(t);
  const { inputs, warnings } = load(workspace, {
    tasks: "a.yaml\n{b,c}/*.yaml, !d",
    tags: "smoke, fast",
    "exclude-tags": "slow",
    "include-skipped": "TRUE",
    experiment: " nightly ",
    variant: "quiet, loud",
    agent: "claude-code",
    model: "model-a",
    repeats: "3",
    set: "run_limits.max_turns=30\n\n  # why\nagent.allowed_tools=[Bash, Read]\n",
    sample: "10",
    "sample-per-stratum": "2",
    "sample-seed": "spring",
    "max-tasks": "500",
    "on-max-tasks": "Sample",
    "confirm-above": "100",
    confirmed: "true",
    driver: "TempDir",
    image: " node:24-slim ",
    "max-parallel": "4",
    "run-dir": "out",
    "working-directory": "evals",
    env: "A=1\nB= 2 ",
    "env-probe": "# tools\njava=java -version 2>&1, really\n\n go = go version",
    "agent-version": "claude-code=2.1.300, codex=latest",
    "preservation-mode": "none",
    "fail-on": "ERROR",
    "min-pass-rate": " 90% ",
    "min-task-score": ".5",
    "allow-empty": "true",
    resume: "True",
    "resume-from": "https://github.com/octo/evals/actions/runs/123/job/4?pr=5#step:1:2",
    retry: "Failed",
    "on-drift": "RERUN",
    upload: "All",
    "artifact-name": " my evals ",
    "retention-days": "400",
    summary: "False",
    comment: "Always",
    "comment-key": "nightly",
    "github-token": "ghs_token",
    "allow-unsafe-trigger": "true",
    "matrix-leg": '{\n  "os": "linux"\n}',
  });
  assert.deepEqual(inputs, {
    tasks: ["a.yaml", "{b,c}/*.yaml", "!d"],
    tags: ["smoke", "fast"],
    excludeTags: ["slow"],
    includeSkipped: true,
    selection: {
      experiment: "nightly",
      variants: ["quiet", "loud"],
      overrides: {
        set: ["run_limits.max_turns=30", "agent.allowed_tools=[Bash, Read]"],
        type: "claude-code",
        model: "model-a",
        repeats: 3,
        driver: "tempdir",
        image: "node:24-slim",
      },
      sample: 10,
      samplePerStratum: 2,
      sampleSeed: "spring",
      maxTasks: 500,
      onMaxTasks: "sample",
      confirmAbove: 100,
      confirmed: true,
    },
    maxParallel: 4,
    runDir: join(workspace, "evals", "out"),
    workingDirectory: join(workspace, "evals"),
    taskEnv: { A: "1", B: " 2 " },
    emptySecrets: [],
    envProbes: [
      { name: "java", command: "java -version 2>&1, really" },
      { name: "go", command: "go version" },
    ],
    agentVersions: { only: undefined, byType: { "claude-code": "2.1.300", codex: "latest" } },
    preservationMode: "NONE",
    gate: { failOn: "error", minPassRate: 0.9, minTaskScore: 0.5, allowEmpty: true },
    resume: "true",
    resumeFrom: "123",
    retry: "failed",
    onDrift: "rerun",
    upload: "all",
    artifactName: "my evals",
    retentionDays: 400,
    summary: false,
    comment: "always",
    commentKey: "nightly",
    githubToken: "ghs_token",
    allowUnsafeTrigger: true,
    matrixLeg: '{\n  "os": "linux"\n}',
  });
  assert.deepEqual(warnings, []);
});

test("all problems are told at once, each with its input", (t) => {
  const workspace = makeWorkspace(t);
  const problems = problemsOf(() =>
    load(workspace, {
      tasks: " ",
      "include-skipped": "yes",
      experiment: "../a.yaml",
      agent: "claude",
      repeats: "100",
      set: "max_turns=5\nagent.model=b",
      model: "a",
      sample: "0",
      "max-tasks": "1e3",
      "on-max-tasks": "smaple",
      confirmed: "y",
      driver: "dcoker",
      image: "-v/:/host",
      "max-parallel": "0",
      "run-dir": "a\nb",
      "working-directory": "missing",
      env: "SECRETVALUE\nPATH=x",
      "agent-version": "codx=1.0.0",
      "preservation-mode": "MOVE",
      "fail-on": "errors",
      "min-pass-rate": "90",
      "min-task-score": "1e-1",
      upload: "everything",
      "artifact-name": " ",
      "retention-days": "0",
      comment: "yes",
      "comment-key": "a\nb",
      "github-token": "ghs_\nsecret",
    }),
  );
  assert.deepEqual(problems, [
    'input "tasks": expected at least one file, folder or pattern, got none',
    'input "include-skipped": expected "true" or "false", got "yes"',
    'input "repeats": expected a whole number from 1 to 99, got "100"',
    'input "sample": expected a whole number from 1 to 1000000, got "0"',
    'input "max-tasks": expected a whole number from 1 to 1000000, got "1e3"',
    'input "on-max-tasks": expected "fail" or "sample", got "smaple"; did you mean "sample"?',
    'input "confirmed": expected "true" or "false", got "y"',
    'input "driver": expected "docker" or "tempdir", got "dcoker"; did you mean "docker"?',
    'input "image": expected an image reference such as node:24-slim',
    'input "max-parallel": expected a whole number from 1 to 1000, got "0"',
    'input "run-dir": expected one line without control characters',
    'input "env": line 1 is not NAME=VALUE (a value of several lines is written NAME<<END, its lines, END)',
    'input "env": line 2 sets a variable that tasks must not get this way (PATH, loader or runner variable)',
    "input \"agent-version\": 'codx' is no agent with a version; did you mean 'codex'?",
    'input "preservation-mode": expected "NONE" or "MOVE_ON_WRITE" or "DIRECT_WRITE", got "MOVE"; did you mean "MOVE_ON_WRITE"?',
    'input "fail-on": expected "failure" or "error" or "never", got "errors"; did you mean "error"?',
    'input "min-pass-rate": expected a share from 0 to 1 such as 0.9, or 90%, got "90"; did you mean 90%?',
    'input "min-task-score": expected a share from 0 to 1 such as 0.9, or 90%, got "1e-1"',
    'input "upload": expected "results" or "all" or "none", got "everything"',
    'input "retention-days": expected a whole number from 1 to 400, got "0"',
    'input "comment": expected "auto" or "always" or "never", got "yes"',
    'input "comment-key": expected one line without control characters',
    'input "github-token": expected one line without control characters',
    'input "artifact-name": it is blank; leave it out for a name made of job, matrix leg and attempt',
    "input \"set\": max_turns: 'max_turns' is no group of settings, expected agent, run_limits or sandbox",
    "input \"agent\": found 'claude', expected one of claude-code, codex, antigravity, gemini, opencode, pi, qwen, copilot, delegate, command, none",
    '\'agent.model\' is set by both input "model" and input "set"',
    'input "working-directory": "missing" is no directory of the workspace; is the repository checked out before this step?',
  ]);
});

test("tasks is required although GitHub does not enforce it", (t) => {
  const workspace = makeWorkspace(t);
  assert.equal(problemsOf(() => loadInputs({}, { workspace }, () => {})).length, 1);
});

test("a relative path must stay in the workspace, links followed; an absolute one is the author's word", (t) => {
  const workspace = makeWorkspace(t);
  const outside = mkdtempSync(join(tmpdir(), "evalbatch-outside-"));
  t.after(() => rmSync(outside, { recursive: true }));
  symlinkSync(outside, join(workspace, "link"));
  for (const [name, path] of [
    ["working-directory", ".."],
    ["working-directory", "link"],
    ["run-dir", "../out"],
    ["run-dir", "link/new/out"],
    ["experiment", "../experiments/a.yaml"],
    ["experiment", "link/a.yaml"],
    ["run-dir", `../${workspace.slice(tmpdir().length + 1)}-evil`],
  ] as const) {
    assert.match(problemsOf(() => load(workspace, { [name]: path })).join(), /leads out of the workspace/, `${name} ${path}`);
  }
  assert.equal(load(workspace, { "working-directory": outside, "run-dir": join(outside, "out") }).inputs.workingDirectory, outside);
  assert.equal(load(workspace, { "working-directory": outside, "run-dir": "out" }).inputs.runDir, join(outside, "out"));
  assert.equal(load(workspace, { "working-directory": "evals", "run-dir": "../out/new" }).inputs.runDir, join(workspace, "out/new"));
});

test("~ in a path is the home directory, since no shell replaces it in an input", (t) => {
  const workspace = makeWorkspace(t);
  const home = mkdtempSync(join(tmpdir(), "evalbatch-home-"));
  t.after(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, "checkout"));
  const env = { [inputVariable("tasks")]: "evals", HOME: home };
  const runDir = (more: Readonly<Record<string, string>>) => loadInputs({ ...env, ...more }, { workspace }, () => {}).inputs.runDir;
  assert.equal(runDir({ [inputVariable("run-dir")]: "~/results" }), join(home, "results"));
  assert.equal(runDir({ [inputVariable("run-dir")]: "a~/results" }), join(workspace, "a~/results"));
  assert.equal(
    loadInputs({ ...env, [inputVariable("working-directory")]: "~/checkout" }, { workspace }, () => {}).inputs.workingDirectory,
    join(home, "checkout"),
  );
});

test("the default run directory must not lead out of the workspace either: a pull request can make it a link", (t) => {
  const workspace = makeWorkspace(t);
  assert.equal(load(workspace, {}).inputs.runDir, undefined);
  symlinkSync("..", join(workspace, "runs"));
  assert.match(problemsOf(() => load(workspace, {})).join(), /input "run-dir": "runs" leads out of the workspace/);
});

test("every value of env is masked, those of broken lines too, before a problem is told", (t) => {
  const workspace = makeWorkspace(t);
  const masked: string[] = [];
  problemsOf(() => load(workspace, { env: "A=first-value\nsecond-value\nPATH=third-value" }, (secret) => masked.push(secret)));
  assert.deepEqual(masked, ["first-value", "second-value", "third-value"]);
});

test("the token is masked before anything else", (t) => {
  const workspace = makeWorkspace(t);
  for (const token of ["ghs_token", "ghs_\nbroken"]) {
    const masked: string[] = [];
    problemsOf(() => load(workspace, { env: "A=value\n", "github-token": ` ${token} `, driver: "?" }, (secret) => masked.push(secret)));
    assert.deepEqual(masked, [token, "value"]);
  }
});

test("variables that should hold a secret and are empty are named, not those that may well be", (t) => {
  const workspace = makeWorkspace(t);
  const { inputs } = load(workspace, { env: "API_KEY=\nMODE=\nDB_PASSWORD= \nOTHER_TOKEN=abc\nMY_SECRET<<E\nE" });
  assert.deepEqual(inputs.emptySecrets, ["API_KEY", "DB_PASSWORD", "MY_SECRET"]);
  assert.deepEqual(Object.keys(inputs.taskEnv), ["API_KEY", "MODE", "DB_PASSWORD", "OTHER_TOKEN", "MY_SECRET"]);
});

test("a mistyped input is told along with the one that is missing for it", (t) => {
  const workspace = makeWorkspace(t);
  assert.deepEqual(
    problemsOf(() => load(workspace, { tasks: "", task: "evals" })),
    ['input "tasks": expected at least one file, folder or pattern, got none', 'unknown input "task"; did you mean "tasks"?'],
  );
});

test("an unknown input is warned about, with the one that was probably meant", (t) => {
  const workspace = makeWorkspace(t);
  const { warnings } = load(workspace, { "exclude-tag": "slow", "max parallel": "2", "min-passrate": "1", zzz: "" });
  assert.deepEqual(warnings, [
    'unknown input "exclude-tag"; did you mean "exclude-tags"?',
    'unknown input "max_parallel"; did you mean "max-parallel"?',
    'unknown input "min-passrate"; did you mean "min-pass-rate"?',
    'unknown input "zzz"',
  ]);
});

test("docker is where tasks run by default; a line of set may say otherwise, and only an explicit driver clashes with it", (t) => {
  const workspace = makeWorkspace(t);
  const driverOf = (texts: Readonly<Record<string, string>>) => load(workspace, texts).inputs.selection.overrides.driver;
  assert.equal(driverOf({}), "docker");
  assert.equal(driverOf({ set: "sandbox.docker.network=none" }), "docker");
  assert.equal(driverOf({ set: "sandbox.driver=tempdir" }), undefined);
  assert.deepEqual(
    problemsOf(() => load(workspace, { set: "sandbox.driver=tempdir", driver: "Docker" })),
    ['\'sandbox.driver\' is set by both input "driver" and input "set"'],
  );
});

test("set is read line by line: commas and a '#' within a value belong to it, YAML's own comments do not", (t) => {
  const workspace = makeWorkspace(t);
  const { set } = load(workspace, {
    set: "# first\r\nagent.plugins=[{type: local, path: a}]\n\n\tagent.model=a#b\nagent.system_prompt='x # y'\nrun_limits.max_turns=5 # few",
  }).inputs.selection.overrides;
  assert.deepEqual(set, [
    "agent.plugins=[{type: local, path: a}]",
    "agent.model=a#b",
    "agent.system_prompt='x # y'",
    "run_limits.max_turns=5 # few",
  ]);
});

test("probes that cannot be read are told together, each with what was probably meant", (t) => {
  const lines = "java\nnode=node --version\njava=java -version";
  assert.deepEqual(
    problemsOf(() => load(makeWorkspace(t), { "env-probe": lines })),
    [
      `input "env-probe": expected NAME=COMMAND, got 'java'; did you mean 'java=java --version'?`,
      `input "env-probe": 'node' is asked of every sandbox anyway; leave it out, or take another name`,
    ],
  );
});

test("an experiment is a path in the workspace, an absolute one, or a bare name", (t) => {
  const workspace = makeWorkspace(t);
  for (const experiment of ["experiments/nightly.yaml", "nightly.yml", "/elsewhere/a.yaml", "nightly", "nightly-2.0"])
    assert.equal(load(workspace, { experiment }).inputs.selection.experiment, experiment);
});
