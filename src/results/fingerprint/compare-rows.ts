import { sharedKeys } from "./compare-run.ts";
import { addRow, driftEntry, type RowGroup } from "./drift-list.ts";
import type { DriftEntry } from "./drift-schema.ts";
import type { FingerprintRow } from "./fingerprint.ts";
import type { Settings } from "./intern-settings.ts";
import { shownPair, valueText } from "./value-text.ts";

/** A row in both fingerprints. */
export interface RowPair {
  readonly key: string;
  readonly prior: FingerprintRow;
  readonly current: FingerprintRow;
}

export interface SettingsComparison {
  /** Whether the settings of a row differ; notes what does. */
  differ(pair: RowPair): boolean;
  /** Whether both stamps of a row tell a setting, all of it or a part. */
  isTold(path: string): boolean;
  /** Rows with one difference together. */
  entries(): DriftEntry[];
}

interface SettingDifference extends RowGroup {
  readonly field: string;
  readonly before: string;
  readonly now: string;
  readonly setBy: string;
}

export function compareSettings(): SettingsComparison {
  // There are few profiles, however many rows: each pair of them is compared once.
  const byPair = new Map<Settings, Map<Settings, readonly SettingDifference[]>>();
  const groups = new Map<string, SettingDifference>();
  const told = new Set<string>();

  const compare = (prior: Settings, current: Settings): readonly SettingDifference[] => {
    const fields = sharedKeys(prior, current);
    for (const field of fields) told.add(field);
    return fields.flatMap((field) => {
      const was = prior[field];
      const is = current[field];
      if (was === undefined || is === undefined || was.value === is.value) return [];
      const before = valueText(was.value, field);
      const now = valueText(is.value, field);
      if (before === now) return [];
      const setBy = is.detail === null ? is.source : `${is.source} (${is.detail})`;
      const key = JSON.stringify([field, before, now, setBy]);
      const group = groups.get(key) ?? { field, before, now, setBy, rows: 0, tasks: [] };
      groups.set(key, group);
      return [group];
    });
  };

  return {
    differ({ prior, current }) {
      const byCurrent = byPair.get(prior.stamp.settings) ?? new Map<Settings, readonly SettingDifference[]>();
      byPair.set(prior.stamp.settings, byCurrent);
      const found = byCurrent.get(current.stamp.settings) ?? compare(prior.stamp.settings, current.stamp.settings);
      byCurrent.set(current.stamp.settings, found);
      for (const group of found) addRow(group, current.taskId);
      return found.length > 0;
    },
    isTold: (path) => [...told].some((known) => known === path || known.startsWith(`${path}.`) || path.startsWith(`${known}.`)),
    entries: () =>
      [...groups.values()].map((group) => {
        const { field, before, now, setBy } = group;
        return driftEntry({ kind: "config", field, ...shownPair(before, now), set_by: shownPair(setBy, "").before }, group);
      }),
  };
}
