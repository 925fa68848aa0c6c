import { createReportedVersions, type ReportedVersions } from "./reported-versions.ts";
import { createRunDetails, type RunDetails } from "./run-details.ts";
import type { RunRow } from "./run-row.ts";
import { createSuiteTotals, type SuiteTotals } from "./suites/suite-totals.ts";
import type { EvaluationResult } from "./task-result.ts";
import { createTelemetryTotals, type TelemetryTotals } from "./telemetry-totals.ts";

/** What the reports need of all results beside their rows; fed with each result once, so that no result stays in memory. */
export interface RunTotals {
  /** `order`: place of the row in the plan. */
  add(result: EvaluationResult, row: RunRow, order: number): void;
  readonly telemetry: TelemetryTotals;
  readonly versions: ReportedVersions;
  readonly details: RunDetails;
  readonly suites: SuiteTotals;
}

export function createRunTotals(): RunTotals {
  const telemetry = createTelemetryTotals();
  const versions = createReportedVersions();
  const details = createRunDetails();
  const suites = createSuiteTotals();
  return {
    telemetry,
    versions,
    details,
    suites,
    add(result, row, order) {
      telemetry.add(result);
      versions.add(result);
      details.add(result, row);
      suites.add(result, row, order);
    },
  };
}
