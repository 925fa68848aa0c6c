import { isObject } from "../any-object.ts";
import { driftEntry } from "./drift-list.ts";
import type { DriftEntry, DriftKind } from "./drift-schema.ts";
import type { Fingerprint } from "./fingerprint.ts";
import { shownPair, valueText } from "./value-text.ts";

/** Keys that say how a run is executed, where its files go and what is shown: no result depends on them. */
const benignKeys: ReadonlySet<string> = new Set([
  "max_parallel",
  "verbose",
  "run_dir",
  "preservation_mode",
  "artifacts_dir_template",
  "logging_dir_template",
  "workspace_dir",
  "grade",
]);

/** Keys that say which tasks run: a result does not depend on them. Their change is worth a warning all the same. */
const selectionKeys: ReadonlySet<string> = new Set([
  "include_tags",
  "exclude_tags",
  "include_skipped",
  "max_rows",
  "sample_per_stratum",
  "repeats",
]);

/** Whether results hang on the key that an entry of `compareRunKeys` is about. */
export function concernsResults({ field, benign }: DriftEntry): boolean {
  return !benign && !selectionKeys.has(field);
}

/**
 * Differences of the keys that both runs have (formats.md 8.5). `-D` and `--type` are left to the settings of the rows where
 * those tell more: what they came to, and in which tasks.
 * @param isTold whether the stamps of both runs tell the setting
 */
export function compareRunKeys(prior: Fingerprint["run"], current: Fingerprint["run"], isTold: (path: string) => boolean): DriftEntry[] {
  return sharedKeys(prior, current).flatMap((key) => {
    const before = prior[key];
    const now = current[key];
    if (key === "overrides" && isObject(before) && isObject(now)) return compareOverrides(before, now, isTold);
    if (key === "agent_type" && isTold("agent.type")) return [];
    return difference("config", key, valueText(before, key), valueText(now, key), benignKeys.has(key));
  });
}

function compareOverrides(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  isTold: (path: string) => boolean,
): DriftEntry[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((path) => !isTold(path));
  return paths.flatMap((path) => {
    const textIn = (from: Readonly<Record<string, unknown>>) => (Object.hasOwn(from, path) ? valueText(from[path], path) : null);
    return difference("config", `overrides.${path}`, textIn(before), textIn(now), false);
  });
}

/** What differs in a part of what both have. */
export function difference(kind: DriftKind, field: string, before: string | null, now: string | null, benign: boolean): DriftEntry[] {
  if (before === now) return [];
  const shown = before === null || now === null ? shownAlone(before, now) : shownPair(before, now);
  return [driftEntry({ kind, field, ...shown, benign })];
}

function shownAlone(before: string | null, now: string | null): Pick<DriftEntry, "before" | "now"> {
  return { before: before === null ? null : shownPair(before, "").before, now: now === null ? null : shownPair("", now).now };
}

/** Keys that both have, as the second has them. A key that only one has may be one that the other's writer did not know. */
export function sharedKeys(prior: Readonly<Record<string, unknown>>, current: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(current).filter((key) => Object.hasOwn(prior, key));
}
