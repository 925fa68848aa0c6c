import type { OverviewFacts } from "../../../src/report/overview.ts";
import type { DriftEntry } from "../../../src/results/fingerprint/drift-schema.ts";
import type { EarlierAttempt } from "../../../src/results/resume/attempt-history.ts";
import type { ResumeFacts, SetAside } from "../../../src/results/resume/resume-facts.ts";
import type { RunRow } from "../../../src/results/run-row.ts";
import { attempt, factsOf, runUrl, summaryOf } from "./overview-builders.ts";
import { missedTotal, passing } from "./sample-rows.ts";

// Runs that continued another one, as a later attempt of a job does.

export function difference(overrides: Partial<DriftEntry> & Pick<DriftEntry, "field">): DriftEntry {
  return { kind: "config", before: null, now: null, set_by: null, benign: false, rows: 0, tasks: [], ...overrides };
}

const kept = (row: RunRow): RunRow => ({ ...row, kept: true });

const ended = (number: number, status: EarlierAttempt["status"], reason: string | null): EarlierAttempt => ({
  attempt: number,
  status,
  weighted_score: status === "FAILURE" ? 0.4 : null,
  started_at: "2026-07-07T09:12:00.000Z",
  duration_seconds: 21.5,
  reason,
});

const again = (row: RunRow, earlier: readonly EarlierAttempt[]): RunRow => ({
  ...row,
  attempt: earlier.length + 1,
  earlier_attempts: [...earlier],
});

const names = passing.slice(0, 8);
const passed = names.map((name, index) => attempt(name, { duration_seconds: 14 + index * 6.5, cost: 0.06 + index * 0.011 }));

const broken = attempt("refactor-module", {
  final_status: "ERROR",
  weighted_score: null,
  duration_seconds: 33.9,
  error_message: "the agent's process ended with exit code 137 (out of memory, limit 512 MB)",
});

const source: ResumeFacts["source"] = {
  kind: "artifact",
  artifact: "evalbatch-evals-3",
  url: `${runUrl}/artifacts/5544332200`,
  workflow_run_id: "19283746",
  workflow_run_attempt: 3,
};

const resume: ResumeFacts = {
  attempt: 4,
  source,
  retry: "errors",
  on_drift: "warn",
  rows_kept: 6,
  rows_to_run: 5,
  reasons: { interrupted: 2, error: 2, missing: 1 },
  earlier_start_time: "2026-07-07T09:10:00.000Z",
  earlier_end_time: null,
};

const noSpace = "the container did not start: no space left on device";

/** The attempt before was cut short; two rows of it had ended in errors. */
export function resumedFacts(): OverviewFacts {
  const before = [
    ...passed.slice(0, 5),
    missedTotal,
    attempt("migrate-tests", { final_status: "ERROR", weighted_score: null, error_message: noSpace }),
    broken,
    ...["name-things", "parse-dates", "write-readme"].map((name) => attempt(name, { final_status: "NOT_GRADED", weighted_score: null })),
  ];
  const rows = [
    ...passed.slice(0, 5).map(kept),
    again(passed[5] ?? missedTotal, [ended(1, "ERROR", noSpace)]),
    again(passed[6] ?? missedTotal, [ended(1, "INTERRUPTED", "it was cut short and left no result")]),
    passed[7] ?? missedTotal,
    kept(missedTotal),
    again(broken, [ended(1, "INTERRUPTED", "it was cut short and left no result"), ended(2, "ERROR", noSpace), ended(3, "ERROR", noSpace)]),
    again(attempt("write-readme", { duration_seconds: 18, cost: 0.07 }), [
      ended(1, "FAILURE", "README.md has none of: '## Install'"),
      ended(2, "INTERRUPTED", "it was cut short and left no result"),
    ]),
  ];
  const setAside: SetAside[] = [
    {
      path: "default/parse-dates/00/task.json",
      reason: "no JSON: unexpected end of the file",
      moved_to: "default/parse-dates/00/task.json.unreadable",
    },
    { path: "default/old-task/00/task.json", reason: "not part of the plan", moved_to: null },
  ];
  const drift = [difference({ field: "max_parallel", before: "2", now: "4", benign: true })];
  return factsOf(summaryOf(rows, { resume, drift, setAside }), { before, beforeAttempt: 3, attempt: 4 });
}

/** Everything passed, but not all of it under the same conditions. */
export function driftFacts(): OverviewFacts {
  const rows = [...passed.slice(0, 6).map(kept), ...passed.slice(6)];
  const drift: DriftEntry[] = [
    difference({
      field: "run_limits.max_turns",
      before: "20",
      now: "30",
      set_by: "cli (--set)",
      rows: 6,
      tasks: names.slice(0, 5),
    }),
    difference({
      field: "agent.model",
      before: '"claude-sonnet-4-20250514"',
      now: '"claude-opus-4-1-20250805"',
      set_by: "experiment-defaults",
      rows: 2,
      tasks: ["find-leak", "convert-csv"],
    }),
    difference({
      kind: "content",
      field: "initial_prompt",
      before: "3f2a91c04b12",
      now: "8d0e77a15c3f",
      rows: 1,
      tasks: ["add-endpoint"],
    }),
    difference({
      kind: "content",
      field: "file templates/service/src/routes/endpoint-handler.ts",
      before: null,
      now: "5b7c0d9e2f41",
      rows: 1,
      tasks: ["add-endpoint"],
    }),
    difference({
      kind: "versions",
      field: "cli_version",
      before: "1.9.3 | 1.10.0",
      now: "1.10.2",
      rows: 3,
      tasks: ["add-endpoint", "bump-dependency", "find-leak"],
    }),
    difference({ kind: "environment", field: "image node:24-slim", before: "sha256:0a1b2c3d4e5f", now: "sha256:9f8e7d6c5b4a" }),
    difference({ field: "max_parallel", before: "2", now: "4", benign: true }),
    difference({ field: "verbose", before: "false", now: "true", benign: true }),
  ];
  const facts: ResumeFacts = { ...resume, rows_kept: 6, rows_to_run: 2, reasons: { missing: 2 } };
  return factsOf(summaryOf(rows, { resume: facts, drift }), { attempt: 4 });
}
