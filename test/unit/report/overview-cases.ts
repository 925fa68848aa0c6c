import type { OverviewFacts } from "../../../src/report/overview.ts";
import { type GatePolicy, strictGate } from "../../../src/results/gate.ts";
import type { RunRow } from "../../../src/results/run-row.ts";
import type { RunFacts } from "../../../src/results/run-summary.ts";
import { experimentCases } from "./experiment-cases.ts";
import { attempt, criterion, factsOf, summaryOf } from "./overview-builders.ts";
import { hostileFacts } from "./overview-hostile.ts";
import { driftFacts, resumedFacts } from "./overview-resumed.ts";
import { missedTotal, passing } from "./sample-rows.ts";
import { sampleSuites, suiteRows } from "./suite-cases.ts";

function pass(taskId: string, index: number): RunRow {
  return attempt(taskId, { duration_seconds: 12 + index * 7.5, cost: 0.05 + index * 0.013 });
}

const crashed = attempt("refactor-module", {
  final_status: "ERROR",
  weighted_score: null,
  duration_seconds: 33.9,
  error_message: "the agent's process ended with exit code 137 (out of memory, limit 512 MB)",
  error_log_tail: [
    "2026-07-07 10:02:11 [INFO] evalbatch: [sandbox] container evalbatch-7 of image node:24-slim (sha256:0123456) started",
    "2026-07-07 10:02:12 [INFO] evalbatch: running pre_run command: npm ci --ignore-scripts",
    "2026-07-07 10:02:29 [INFO] evalbatch: [pre_run stdout] added 214 packages in 16s",
    "2026-07-07 10:02:31 [INFO] evalbatch: [agent stdout] collecting 2,314 files below src/",
    "2026-07-07 10:02:44 [INFO] evalbatch: [agent stderr] FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    "2026-07-07 10:02:45 [ERROR] evalbatch: the agent's process ended with exit code 137 (out of memory, limit 512 MB)",
    "2026-07-07 10:02:45 [INFO] evalbatch: task finished: error, 33.9 s",
  ].join("\n"),
});

const tooSlow = attempt("resolve-conflict", {
  final_status: "TIMEOUT",
  weighted_score: 0,
  duration_seconds: 180,
  cost: 0.44,
  error_message: "the task took longer than its 180 s",
});

const mixedRows = [...passing.map(pass), missedTotal, crashed, tooSlow];

const failing = (index: number): RunRow =>
  attempt(`task-${String(index).padStart(4, "0")}`, {
    final_status: index % 7 === 0 ? "ERROR" : "FAILURE",
    weighted_score: index % 7 === 0 ? null : (index % 10) / 20,
    duration_seconds: 1 + (index % 90),
    cost: 0.01 + (index % 13) / 100,
    error_message: index % 7 === 0 ? "the container did not start: no space left on device" : null,
    error_log_tail: Array.from(
      { length: 12 },
      (_, line) => `step ${line + 1}: worked on item ${index * 12 + line} of the list, found nothing to do`,
    ).join("\n"),
    success_criteria_results:
      index % 7 === 0
        ? []
        : [
            criterion({
              criterion_type: "json_check",
              description: `Answer ${index} is right`,
              score: 0,
              details: `expected ${index}, found null`,
            }),
          ],
  });

const advisory: GatePolicy = { ...strictGate, failOn: "never" };
const threshold: GatePolicy = { ...strictGate, minPassRate: 0.7 };

const notRunRows = (count: number, reason: string, name = "waiting-") =>
  Array.from({ length: count }, (_, index) => ({ task_id: `${name}${index + 1}`, variant_id: "default", replicate_index: 0, reason }));

const leftOut = {
  skippedTasks: [
    {
      path: "evals/broken.yaml",
      reason: "line 3, initial_prompt: expected a text, found a list\nline 9, success_criteria: has no entry",
      kind: "invalid",
    },
    { path: "evals/old/legacy.yaml", reason: "skip: needs a licence that the runner has not", kind: "skip" },
    { path: "evals/wip.yaml", reason: "skip: not finished", kind: "skip" },
  ],
  unreadable: [{ path: "default/copy/00/task.json", reason: "no JSON: unexpected end of the file" }],
} as const;

/** Two rows that failed before, one that passed, one that is gone. */
const before = [
  ...passing.slice(1).map(pass),
  attempt("add-endpoint", { final_status: "FAILURE", weighted_score: 0.4, cost: 0.08 }),
  attempt("fix-rounding", { cost: 0.19 }),
  crashed,
  attempt("gone-task", { cost: 0.3 }),
];

export interface OverviewCase {
  readonly name: string;
  readonly facts: OverviewFacts;
}

function caseOf(
  name: string,
  rows: readonly RunRow[],
  run: Partial<RunFacts> = {},
  around: Parameters<typeof factsOf>[1] = {},
): OverviewCase {
  return { name, facts: factsOf(summaryOf(rows, run), { policy: run.gate, ...around }) };
}

/** Each case by its name in test/fixtures/report/golden. */
export function overviewCases(): OverviewCase[] {
  const warnings = ["task find-leak: 2 files of the workspace were too large to keep"];
  const alone = {
    artifact: undefined,
    changes: undefined,
    notes: ["no artifact: this runner gives no access to artifacts; the results are in runs/latest"],
  };
  const fork = "no comment: the token of a pull request from a fork can only read; see docs/action.md, 'Pull requests from forks'";
  return [
    caseOf("all-pass", passing.map(pass), {}, { before: [...passing.map(pass), attempt("fix-rounding", { final_status: "FAILURE" })] }),
    caseOf("mixed", mixedRows, { warnings }, { before, attempt: 2, redactions: 3 }),
    caseOf(
      "all-fail",
      Array.from({ length: 34 }, (_, index) => failing(index + 1)),
    ),
    caseOf("partial", [...passing.slice(0, 4).map(pass), attempt("asked-later", { final_status: "NOT_GRADED", weighted_score: null })], {
      notRun: [
        ...notRunRows(21, "cancelled"),
        { task_id: "was-running", variant_id: "default", replicate_index: 1, reason: "stopped while it ran" },
      ],
      interrupted: true,
    }),
    caseOf("skipped", passing.slice(0, 3).map(pass), leftOut),
    caseOf(
      "2000-tasks",
      Array.from({ length: 2000 }, (_, index) => failing(index + 1)),
    ),
    { name: "hostile", facts: hostileFacts() },
    { name: "drift", facts: driftFacts() },
    { name: "resumed", facts: resumedFacts() },
    caseOf("no-pull-request", mixedRows, {}, alone),
    caseOf("fork", mixedRows, {}, { notes: [fork] }),
    caseOf("advisory", mixedRows, { gate: advisory }),
    caseOf("threshold", [...passing.map(pass), missedTotal], { gate: threshold }),
    caseOf("empty", [], {}, {}),
    ...experimentCases(),
    caseOf("suites", suiteRows, { suites: sampleSuites, notRun: notRunRows(4, "cancelled", "skills/more-"), interrupted: true }),
    caseOf("suite-gate", suiteRows.slice(0, 12), { suites: sampleSuites.slice(0, 3) }),
  ];
}
