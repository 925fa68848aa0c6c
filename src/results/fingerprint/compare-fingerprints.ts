import type { DriftEntry } from "./drift-schema.ts";
import type { Fingerprint } from "./fingerprint.ts";

export interface Comparison {
  readonly entries: readonly DriftEntry[];
  /** `rowKeyText` of rows whose settings or content differ. */
  readonly changedRows: ReadonlySet<string>;
}

export function compareFingerprints(_prior: Fingerprint, _current: Fingerprint, _isCompared?: (rowKey: string) => boolean): Comparison {
  return { entries: [], changedRows: new Set() };
}
