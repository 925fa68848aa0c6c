import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test, { after } from "node:test";
import type { Issue } from "../../../src/errors.ts";
import { annotateIssues } from "../../../src/github/annotate-issues.ts";
import { annotateRun } from "../../../src/github/annotations.ts";
import type { AnnotationPlace, Commands } from "../../../src/github/commands.ts";
import type { DriftEntry } from "../../../src/results/fingerprint/drift-schema.ts";
import { type GatePolicy, judgeGate, strictGate } from "../../../src/results/gate.ts";
import type { RunRow } from "../../../src/results/run-row.ts";
import { runRowSchema } from "../../../src/results/run-row.ts";
import { buildRunSummary } from "../../../src/results/run-summary.ts";
import type { RunSummary, SkippedTask } from "../../../src/results/run-summary-schema.ts";

interface Said extends AnnotationPlace {
  readonly level: string;
  readonly message: string;
}

const root = mkdtempSync(join(tmpdir(), "evalbatch-annotations-"));
after(() => rmSync(root, { recursive: true }));
const workspace = join(root, "workspace");

function put(path: string, text: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), text);
}

put("evals/a.yaml", "task_id: a\n# a comment\nsuccess_criteria:\n  - type: file_exists\n    path: x\n  # another\n  - type: command_run\n");
put("evals/no-list.yaml", "\ntask_id: b\n");
put("evals/broken.yaml", "task_id: c\nprompt: [\n");
put("evals/wrong.yaml", "task_id: d\ndescription: d\ninitial_prompt: p\nsuccess_criteria:\n  - type: file_exist\n    path: x\n");
writeFileSync(join(root, "outside.yaml"), "success_criteria:\n");

const criterion = { index: 1, type: "command_run", description: "tests pass", score: 0.25, pass_threshold: 0.9, message: "exit code 1" };

function row(overrides: Readonly<Record<string, unknown>> = {}): RunRow {
  const failure = { reason: "tests pass: exit code 1", criteria: [criterion], criteria_missed: 3, log_tail: null };
  return runRowSchema.parse({
    task_id: "a",
    status: "FAILURE",
    weighted_score: 0.5,
    task_path: "evals/a.yaml",
    variant_id: "default",
    failure,
    ...overrides,
  });
}

function summary(rows: readonly RunRow[], skippedTasks: readonly SkippedTask[] = []): RunSummary {
  return buildRunSummary({
    runId: "run",
    startTime: new Date(0),
    endTime: new Date(1000),
    rows,
    skippedTasks,
    notRun: [],
    maxParallel: 1,
    frameworkVersion: "1",
    environmentInfo: {},
    interrupted: false,
    gate: strictGate,
  });
}

function collect(): { readonly commands: Commands; readonly said: Said[] } {
  const said: Said[] = [];
  const say =
    (level: string) =>
    (message: string, place: AnnotationPlace = {}): void => {
      said.push({ level, message, ...place });
    };
  const commands = { error: say("error"), warning: say("warning"), notice: say("notice"), lines: () => {}, mask: () => {} };
  return { commands, said };
}

function annotated(of: RunSummary, policy: GatePolicy = strictGate, cwd = workspace): Said[] {
  const { commands, said } = collect();
  annotateRun(of, judgeGate(of, policy), { commands, workspace, cwd });
  return said;
}

test("a miss is marked on the line of its criterion, after the verdict", () => {
  assert.deepEqual(annotated(summary([row(), row({ task_id: "ok", status: "SUCCESS", failure: null })])), [
    { level: "error", title: "evalbatch", message: "failed, 1 of 2 tasks passed\n1 task failed" },
    {
      level: "error",
      title: "FAILURE: a",
      file: join(workspace, "evals/a.yaml"),
      line: 7,
      message: "a: tests pass (command_run, criterion 2)\nscore 0.250, needs 0.900: exit code 1\n2 more criteria missed",
    },
  ]);
});

test("paths of task files are relative to the working directory", () => {
  assert.equal(annotated(summary([row({ task_path: "a.yaml" })]), strictGate, join(workspace, "evals"))[1]?.line, 7);
});

test("without its criterion in the file a miss is marked at the list, else at the file's start, else nowhere", () => {
  const lineOf = (overrides: Readonly<Record<string, unknown>>) => {
    const [, miss] = annotated(summary([row(overrides)]));
    return miss?.file === undefined ? undefined : miss.line;
  };
  const missing = { ...criterion, index: 7 };
  assert.equal(lineOf({ failure: { reason: "r", criteria: [missing], criteria_missed: 1 } }), 3);
  assert.equal(lineOf({ status: "ERROR", error_message: "no image", failure: { reason: "no image", criteria: [] } }), 1);
  assert.equal(lineOf({ task_path: "evals/no-list.yaml" }), 2);
  assert.equal(lineOf({ task_path: "evals/broken.yaml" }), 1);
  assert.equal(lineOf({ task_path: "evals" }), undefined);
  assert.equal(lineOf({ task_path: "evals/gone.yaml" }), undefined);
  assert.equal(lineOf({ task_path: null }), undefined);
});

test("a task file outside of the workspace is not named, whatever leads to it; one behind a link inside is", () => {
  symlinkSync(join(root, "outside.yaml"), join(workspace, "evals/link-out.yaml"));
  symlinkSync("a.yaml", join(workspace, "evals/link-in.yaml"));
  for (const path of ["../outside.yaml", join(root, "outside.yaml"), "evals/link-out.yaml"]) {
    assert.equal(annotated(summary([row({ task_path: path })]))[1]?.file, undefined, path);
  }
  assert.equal(annotated(summary([row({ task_path: "evals/link-in.yaml" })]))[1]?.file, join(workspace, "evals/a.yaml"));
  const link = join(root, "link-to-workspace");
  symlinkSync(workspace, link);
  const { commands, said } = collect();
  const of = summary([row()]);
  annotateRun(of, judgeGate(of, strictGate), { commands, workspace: link, cwd: workspace });
  assert.equal(said[1]?.file, join(link, "evals/a.yaml"));
});

test("files that could not be loaded come first, each at its first problem", () => {
  const invalid = (path: string): SkippedTask => ({ path, reason: `ValueError: ${path}`, kind: "invalid" });
  const skipped: SkippedTask[] = [
    invalid("evals/broken.yaml"),
    invalid("evals/wrong.yaml"),
    { path: "evals/a.yaml", reason: "skip", kind: "skip" },
  ];
  const said = annotated(summary([row()], skipped));
  assert.deepEqual(
    said.slice(1).map(({ title, line, message }) => [title, line, message.split("\n")[0]]),
    [
      ["not loaded: evals/broken.yaml", 3, "evals/broken.yaml: evals/broken.yaml"],
      ["not loaded: evals/wrong.yaml", 5, "evals/wrong.yaml: evals/wrong.yaml"],
      ["FAILURE: a", 7, "a: tests pass (command_run, criterion 2)"],
    ],
  );
});

test("at most nine are said: the worst, and how many more there are", () => {
  const rows = Array.from({ length: 30 }, (_, index) =>
    row({ task_id: `t${String(index).padStart(2, "0")}`, task_path: null, weighted_score: 0.9 - (index % 10) / 100 }),
  );
  rows.push(row({ task_id: "broken", task_path: null, status: "ERROR", weighted_score: 1, error_message: "no image", failure: null }));
  const said = annotated(summary(rows));
  assert.equal(said.length, 9);
  assert.match(said[0]?.message ?? "", /^failed, 0 of 31 tasks passed\n.*\n.*\n23 more misses are not marked here; .*summary/);
  assert.deepEqual(
    said.slice(1).map(({ title }) => title),
    ["ERROR: broken", ..."09 19 29 08 18 28 07".split(" ").map((number) => `FAILURE: t${number}`)],
  );
});

test("files that could not be loaded do not take every place", () => {
  const skipped = Array.from({ length: 20 }, (_, index): SkippedTask => ({ path: `${index}.yaml`, reason: "bad", kind: "invalid" }));
  const failed = Array.from({ length: 3 }, (_, index) => row({ task_id: `t${index}`, task_path: null }));
  const titles = annotated(summary(failed, skipped)).map(({ title }) => title ?? "");
  assert.equal(titles.filter((title) => title.startsWith("not loaded")).length, 5);
  assert.equal(titles.filter((title) => title.startsWith("FAILURE")).length, 3);
});

test("rows that miss the same criterion of one file are marked once, the worst of them", () => {
  const rows = [0, 1, 2].map((index) => row({ replicate_index: index, weighted_score: 0.5 - index / 10 }));
  const said = annotated(summary(rows));
  assert.equal(said.length, 2);
  assert.equal(said[1]?.title, "FAILURE: a (02)");
  assert.match(said[1]?.message ?? "", /\n2 more rows of this file missed it too$/);
  assert.equal(said[0]?.message.includes("not marked"), false);
});

test("an error that many tasks have in common is marked once and leaves room for others", () => {
  const broken = Array.from({ length: 5 }, (_, index) =>
    row({
      task_id: `t${index}`,
      task_path: `evals/${index}.yaml`,
      status: "ERROR",
      error_message: `no image for t${index}`,
      failure: null,
    }),
  );
  const said = annotated(summary([...broken, row()])).slice(1);
  assert.deepEqual(
    said.map(({ title, message }) => [title, message.split("\n").at(-1)]),
    [
      ["ERROR: t0", "4 more tasks ended in the same error"],
      ["FAILURE: a", "2 more criteria missed"],
    ],
  );
});

test("what the gate lets pass is a warning; a clean run says nothing", () => {
  const said = annotated(summary([row()]), { ...strictGate, failOn: "error" });
  assert.deepEqual(
    said.map(({ level }) => level),
    ["warning", "warning"],
  );
  assert.match(said[0]?.message ?? "", /^failures tolerated, 0 of 1 task passed\ntolerated: 1 task failed$/);
  assert.deepEqual(annotated(summary([row({ status: "SUCCESS", failure: null })])), []);
});

test("a run that passed but not its thresholds is not said to have passed", () => {
  const of = summary([row({ status: "SUCCESS", weighted_score: 0.4, failure: null })]);
  const [verdict] = annotated(of, { ...strictGate, minTaskScore: 0.5 });
  assert.match(verdict?.message ?? "", /^failed, 1 of 1 task passed\n.*0\.5/);
});

test("rows of other writers, without an account of the failure, are marked with what they have", () => {
  const said = annotated(
    summary([row({ failure: null, error_message: "it broke" }), row({ task_id: "b", failure: null, task_path: null })]),
  );
  assert.deepEqual(
    said.slice(1).map(({ message, line }) => [message, line]),
    [
      ["a: it broke", 1],
      ["b: see its task.json", undefined],
    ],
  );
});

test("problems of files and inputs are marked at their place, errors first, nine of a kind and the number of the rest", () => {
  const { commands, said } = collect();
  const issue = {
    severity: "error",
    code: "c",
    message: "wrong",
    field: "a.b",
    hint: "do it",
    file: "a.yaml",
    line: 4,
    column: 2,
  } as const;
  const deps = { commands, workspace, cwd: join(workspace, "evals") };
  annotateIssues(
    [issue, { ...issue, severity: "warning" }, { ...issue, file: "gone.yaml" }, { severity: "error", code: "c", message: "m" }],
    deps,
  );
  assert.deepEqual(said, [
    { level: "error", title: "evalbatch", message: "a.b: wrong\nhint: do it", file: join(workspace, "evals/a.yaml"), line: 4, column: 2 },
    { level: "error", title: "evalbatch", message: "gone.yaml: a.b: wrong\nhint: do it" },
    { level: "error", title: "evalbatch", message: "m" },
    { level: "warning", title: "evalbatch", message: "a.b: wrong\nhint: do it", file: join(workspace, "evals/a.yaml"), line: 4, column: 2 },
  ]);
});

const warning = (at: number, more: Partial<Issue> = {}): Issue => ({
  severity: "warning",
  code: "c",
  message: `doubtful ${at}`,
  file: `evals/${at}.yaml`,
  ...more,
});

test("a thousand problems stay within what GitHub keeps of each kind, and those that files share are one", () => {
  const { commands, said } = collect();
  const deps = { commands, workspace, cwd: workspace };
  const problems = Array.from({ length: 1000 }, (_, at) => [
    warning(at),
    warning(at, { severity: "error", message: `wrong ${at}` }),
  ]).flat();
  annotateIssues(problems, deps);
  assert.deepEqual(
    said.map(({ level }) => level),
    [...Array<string>(10).fill("error"), ...Array<string>(10).fill("warning")],
  );
  assert.equal(said[0]?.message, "evals/0.yaml: wrong 0");
  assert.equal(said[9]?.message, "991 more problems are in the log");
  assert.equal(said[19]?.message, "991 more warnings are in the log");

  said.length = 0;
  annotateIssues(
    problems.map((issue) => ({ ...issue, message: "not checked out" })),
    deps,
  );
  assert.deepEqual(
    said.map(({ level, message }) => `${level}: ${message}`),
    ["error", "warning"].map(
      (level) => `${level}: evals/0.yaml: not checked out\nthe same in 999 more files: evals/1.yaml, evals/2.yaml, evals/3.yaml, …`,
    ),
  );
});

test("what is wrong in an experiment for many tasks is one problem, at its place there", () => {
  const { commands, said } = collect();
  const merged = (mergedWith: string): Issue => ({
    ...{ severity: "error", code: "c", message: "no such field", field: "variants[0].agent.x", hint: "take it out" },
    ...{ file: "evals/a.yaml", line: 2, column: 3, mergedWith },
  });
  annotateIssues(["t/1.yaml", "t/2.yaml", "t/3.yaml", "t/4.yaml", "t/5.yaml"].map(merged), { commands, workspace, cwd: workspace });
  const text = "variants[0].agent.x: no such field (merged with 't/1.yaml')\nhint: take it out";
  assert.deepEqual(said, [
    {
      level: "error",
      title: "evalbatch",
      message: `${text}\nthe same with 4 more files: t/2.yaml, t/3.yaml, t/4.yaml, …`,
      ...{ file: join(workspace, "evals/a.yaml"), line: 2, column: 3 },
    },
  ]);
});

test("differences between results are one warning, in every kind of run, and GitHub keeps all that is said", () => {
  const entry = { kind: "config" as const, before: "1", now: "2", set_by: null, benign: false, rows: 0, tasks: [] };
  const drift = Array.from({ length: 40 }, (_, at) => ({ ...entry, field: `field.${at}\n::error::forged` }));
  const failed = Array.from({ length: 20 }, (_, at) => row({ task_id: `t${at + 10}`, task_path: null }));
  const many = Array.from({ length: 30 }, (_, at) => warning(at));
  const said = (rows: readonly RunRow[], entries: readonly DriftEntry[], policy: GatePolicy = strictGate): Said[] => {
    const { commands, said: all } = collect();
    const of = { ...summary(rows), drift: [...entries] };
    annotateRun(of, judgeGate(of, policy), { commands, workspace, cwd: workspace }, many);
    return all;
  };
  const passed = [row({ status: "SUCCESS", failure: null })];
  for (const [rows, policy] of [
    [passed, strictGate],
    [failed, strictGate],
    [failed, { ...strictGate, failOn: "error" } as const],
  ] as const) {
    const all = said(rows, drift, policy);
    const told = all.filter(({ title }) => title?.startsWith("evalbatch: ") === true);
    assert.deepEqual(
      told.map(({ level }) => level),
      ["warning"],
    );
    assert.match(told[0]?.message ?? "", /- and 37 more differences\n/);
    for (const level of ["error", "warning"]) assert.ok(all.filter((each) => each.level === level).length <= 9, level);
    const without = said(rows, [{ ...entry, field: "max_parallel", benign: true }], policy);
    assert.ok(without.every(({ title }) => title?.startsWith("evalbatch: ") !== true));
  }
});

test("what planning warned of is marked after the verdict and its misses, and never costs them their place", () => {
  const after = (rows: readonly RunRow[], findings: readonly Issue[], policy: GatePolicy = strictGate) => {
    const { commands, said } = collect();
    const of = summary(rows);
    annotateRun(of, judgeGate(of, policy), { commands, workspace, cwd: workspace }, findings);
    return said.map(({ level, title, message }) => `${level}: ${title === "evalbatch" ? message.split("\n")[0] : title}`);
  };
  const passed = [row({ status: "SUCCESS", failure: null })];
  const failed = Array.from({ length: 20 }, (_, at) => row({ task_id: `t${at + 10}`, task_path: null }));
  const many = Array.from({ length: 1000 }, (_, at) => warning(at));
  const tolerant = { ...strictGate, failOn: "error" } as const;

  assert.deepEqual(after(passed, []), []);
  assert.deepEqual(after(passed, [warning(1), warning(2, { severity: "error" })]), ["warning: evals/1.yaml: doubtful 1"]);
  assert.deepEqual(after(passed, many), [
    ...[0, 1, 2, 3].map((at) => `warning: evals/${at}.yaml: doubtful ${at}`),
    "warning: 996 more warnings are in the log",
  ]);
  const strict = after(failed, many);
  assert.deepEqual([strict.length, strict.filter((text) => text.startsWith("warning")).length], [14, 5]);
  assert.match(strict[0] ?? "", /^error: failed/);
  const lax = after(failed, many, tolerant);
  assert.equal(lax.length, 9);
  assert.match(lax[0] ?? "", /^warning: failures tolerated/);
  assert.deepEqual(lax.slice(-2), ["warning: evals/0.yaml: doubtful 0", "warning: 999 more warnings are in the log"]);
  assert.equal(after(failed, [], tolerant).length, 9);
  assert.equal(after(failed, [warning(1)], tolerant).at(-1), "warning: evals/1.yaml: doubtful 1");
});
