import type { StampedSetting } from "../../plan/stamp/task-stamp.ts";

export type Settings = Readonly<Record<string, StampedSetting>>;

/** Gives the same object for equal settings: there are few, however many tasks. */
export function createSettingsInterner(): (settings: Settings) => Settings {
  const byText = new Map<string, Settings>();
  const known = new WeakMap<Settings, Settings>();
  return (settings) => {
    const seen = known.get(settings);
    if (seen !== undefined) return seen;
    const text = JSON.stringify(settings);
    const kept = byText.get(text) ?? settings;
    byText.set(text, kept);
    known.set(settings, kept);
    return kept;
  };
}
