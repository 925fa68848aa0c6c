import { attempt, criterion } from "./overview-builders.ts";

// What the runs of several cases are made of.

export const passing = [
  "add-endpoint",
  "bump-dependency",
  "convert-csv",
  "explain-error",
  "find-leak",
  "migrate-tests",
  "name-things",
  "parse-dates",
  "write-readme",
];

export const missedTotal = attempt("fix-rounding", {
  final_status: "FAILURE",
  weighted_score: 0.5,
  duration_seconds: 61.2,
  cost: 0.21,
  success_criteria_results: [
    criterion({ criterion_type: "file_exists", description: "The report was written" }),
    criterion({
      criterion_type: "file_contains",
      description: "The total is rounded half up",
      score: 0,
      details: "report.txt has none of: 'Total: 12.35'",
    }),
    criterion({
      criterion_type: "run_command",
      description: "The project's tests pass",
      score: 0.25,
      pass_threshold: 0.9,
      details: "exit code 1, expected 0: AssertionError: expected 12.35 but got 12.34 (tests/test_total.py:18)",
    }),
  ],
});
