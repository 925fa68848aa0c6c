import type { Comparison } from "../results/fingerprint/compare-fingerprints.ts";
import type { Fingerprint } from "../results/fingerprint/fingerprint.ts";
import { toJsonText } from "../results/json-text.ts";
import type { StampCheck } from "./check-stamps.ts";
import type { FoundFingerprint } from "./fingerprint.ts";

/** What a fingerprint holds, in numbers. Null where it is of coder_eval and tells nothing of rows. */
export interface FingerprintCounts {
  readonly version: number;
  readonly rows: number;
  readonly tasks: number;
  readonly stamps: number;
  readonly settingsProfiles: number;
  /** Rows kept from attempts of the run in another environment, or stamped by other rules. */
  readonly rowsOfEarlierAttempts: number;
}

export function countsOf({ own }: Fingerprint): FingerprintCounts | null {
  if (own === undefined) return null;
  const rows = [...own.rows.values()];
  const stamps = new Set(rows.map(({ stamp }) => stamp));
  return {
    version: own.madeIn.version,
    rows: rows.length,
    tasks: new Set(rows.map(({ taskId }) => taskId)).size,
    stamps: stamps.size,
    settingsProfiles: new Set([...stamps].map(({ settings }) => settings)).size,
    rowsOfEarlierAttempts: rows.filter(({ madeIn }) => madeIn !== own.madeIn).length,
  };
}

/** For programs: what a run was made with. */
export function fingerprintFacts(found: FoundFingerprint, check: StampCheck | undefined): string {
  const { run, own } = found.fingerprint;
  const counts = countsOf(found.fingerprint);
  const facts = {
    ...sideOf(found),
    tasks: counts?.tasks ?? null,
    stamps: counts?.stamps ?? null,
    settings_profiles: counts?.settingsProfiles ?? null,
    rows_of_earlier_attempts: counts?.rowsOfEarlierAttempts ?? null,
    results: check ?? null,
    run,
    environment: own?.madeIn.environment ?? {},
  };
  return `${toJsonText(facts, 2)}\n`;
}

/** For programs: what differs. */
export function comparisonFacts(before: FoundFingerprint, now: FoundFingerprint, comparison: Comparison): string {
  const facts = {
    before: sideOf(before),
    now: sideOf(now),
    rows_compared: comparison.comparedRows,
    rows_changed: comparison.changedRows.size,
    drift: comparison.entries,
  };
  return `${toJsonText(facts, 2)}\n`;
}

function sideOf({ path, fingerprint: { own } }: FoundFingerprint) {
  return {
    path,
    writer: own === undefined ? "coder_eval" : "evalbatch",
    version: own?.madeIn.version ?? null,
    rows: own?.rows.size ?? null,
  };
}
