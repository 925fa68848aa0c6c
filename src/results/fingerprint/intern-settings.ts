import type { StampedSetting } from "../../plan/stamp/task-stamp.ts";

export type Settings = Readonly<Record<string, StampedSetting>>;

interface Profile {
  readonly settings: Settings;
  readonly keys: readonly string[];
}

/** Neighbours mostly share their settings, so the last ones are looked at before a text is made of thousands of characters. */
const maxRecent = 8;

/** Gives the same object for equal settings: there are few, however many tasks. */
export function createSettingsInterner(): (settings: Settings) => Settings {
  const byText = new Map<string, Settings>();
  const known = new WeakSet<Settings>();
  const recent: Profile[] = [];
  return (settings) => {
    if (known.has(settings)) return settings;
    const keys = Object.keys(settings);
    const found = recent.find((profile) => areEqual(profile, { settings, keys }));
    if (found !== undefined) return found.settings;
    const text = JSON.stringify(settings);
    const kept = byText.get(text) ?? settings;
    byText.set(text, kept);
    known.add(kept);
    recent.unshift({ settings: kept, keys: Object.keys(kept) });
    if (recent.length > maxRecent) recent.pop();
    return kept;
  };
}

function areEqual(left: Profile, right: Profile): boolean {
  return (
    left.keys.length === right.keys.length &&
    left.keys.every((key, index) => key === right.keys[index] && isSame(left.settings[key], right.settings[key]))
  );
}

function isSame(left: StampedSetting | undefined, right: StampedSetting | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (left.source !== right.source || left.detail !== right.detail) return false;
  return left.value === right.value || (isCompound(left.value) && JSON.stringify(left.value) === JSON.stringify(right.value));
}

function isCompound(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
