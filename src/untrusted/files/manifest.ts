import type { Redactor } from "../redact.ts";
import type { Renamed } from "./name-map.ts";
import { showRaw } from "./raw-path.ts";

/** Name of the manifest among the files that leave. */
export const manifestName = "evalbatch-files.json";
/** As many entries as the manifest names; the rest is counted. */
export const maxListed = 1000;
const maxShownPath = 1024;

export interface LeftOut {
  /** Secrets hidden, shortened when very long; a directory ends in `/`: nothing below it was looked at. */
  readonly path: string;
  readonly reason: string;
  /** Size of a file; `null` where nobody asked. */
  readonly bytes: number | null;
}

/** What stands in `evalbatch-files.json`. */
export interface FilesManifest {
  readonly schema_version: 1;
  /** What leaves, this manifest not counted. */
  readonly files: number;
  readonly bytes: number;
  /** Places in which a secret was hidden, in texts and names. */
  readonly redactions: number;
  readonly left_out_count: number;
  readonly left_out_totals: Readonly<Record<string, { readonly count: number; readonly bytes: number }>>;
  /** The first {@link maxListed}. */
  readonly left_out: readonly LeftOut[];
  /** Every file that leaves under another path than it had. */
  readonly renamed: readonly Renamed[];
}

/** Collects what was left out. */
export interface LeftOutList {
  add(entry: {
    readonly raw: string;
    readonly kind: "file" | "directory";
    readonly reason: string;
    readonly bytes?: number | undefined;
  }): void;
  /** Places hidden in the paths that are listed. */
  readonly redactions: number;
  finish(): Pick<FilesManifest, "left_out" | "left_out_count" | "left_out_totals">;
}

export function createLeftOutList(redactor: Redactor): LeftOutList {
  const listed: LeftOut[] = [];
  const totals = new Map<string, { count: number; bytes: number }>();
  let count = 0;
  let redactions = 0;
  return {
    add({ raw, kind, reason, bytes }) {
      count += 1;
      const total = totals.get(reason) ?? { count: 0, bytes: 0 };
      totals.set(reason, { count: total.count + 1, bytes: total.bytes + (bytes ?? 0) });
      if (listed.length >= maxListed) return;
      const hidden = redactor.redact(raw === "" ? "." : showRaw(raw).text);
      redactions += hidden.count;
      listed.push({ path: `${shortened(hidden.text)}${kind === "directory" ? "/" : ""}`, reason, bytes: bytes ?? null });
    },
    get redactions() {
      return redactions;
    },
    finish: () => ({ left_out_count: count, left_out_totals: Object.fromEntries(totals), left_out: listed }),
  };
}

/** Begin and end: the name at the end tells more than the middle. */
function shortened(path: string): string {
  if (path.length <= maxShownPath) return path;
  const half = maxShownPath / 2;
  return `${path.slice(0, half)}…${path.slice(-half)}`.toWellFormed();
}
