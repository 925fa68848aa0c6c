import { createRunDetails, type RunDetails } from "./run-details.ts";
import type { RunRow } from "./run-row.ts";
import type { EvaluationResult } from "./task-result.ts";
import { createTelemetryTotals, type TelemetryTotals } from "./telemetry-totals.ts";
import { createReportedVersions, type ReportedVersions } from "./versions.ts";

/** What the reports need of all results beside their rows; fed with each result once, so that no result stays in memory. */
export interface RunTotals {
  add(result: EvaluationResult, row: RunRow): void;
  readonly telemetry: TelemetryTotals;
  readonly versions: ReportedVersions;
  readonly details: RunDetails;
}

export function createRunTotals(): RunTotals {
  const telemetry = createTelemetryTotals();
  const versions = createReportedVersions();
  const details = createRunDetails();
  return {
    telemetry,
    versions,
    details,
    add(result, row) {
      telemetry.add(result);
      versions.add(result.environment_info);
      details.add(result, row);
    },
  };
}
