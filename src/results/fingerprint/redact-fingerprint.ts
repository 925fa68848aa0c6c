import type { StampedSetting, TaskStamp } from "../../plan/stamp/task-stamp.ts";
import { isObject } from "../any-object.ts";
import type { Fingerprint, MadeIn, OwnFingerprint } from "./fingerprint.ts";
import type { Settings } from "./intern-settings.ts";

type Redact = (text: string) => string;

/**
 * The fingerprint of an earlier execution without what is a secret by now: that execution may not have known it, and what differs is shown
 * in reports and comments. Digests stay, and what is shared stays shared.
 */
export function redactFingerprint({ run, own }: Fingerprint, redact: Redact): Fingerprint {
  return { run: entriesOf(run, redact, (value) => hidden(value, redact)), own: own === undefined ? undefined : ownOf(own, redact) };
}

function ownOf(own: OwnFingerprint, redact: Redact): OwnFingerprint {
  // Names of parts and settings are the same in all stamps, and to look for secrets takes time.
  const known = new Map<string, string>();
  const name = (text: string): string => {
    const shown = known.get(text) ?? redact(text);
    known.set(text, shown);
    return shown;
  };
  const digestOr = (text: string): string => (/^[0-9a-f]{32}$/.test(text) ? text : name(text));
  const settingOf = ({ value, source, detail }: StampedSetting): StampedSetting => ({
    value: hidden(value, redact),
    source: name(source),
    detail: detail === null ? null : name(detail),
  });
  const settingsOf = shared((settings: Settings): Settings => entriesOf(settings, name, settingOf));
  const stampOf = shared(({ digest, settings, content }: TaskStamp): TaskStamp => {
    return { digest, settings: settingsOf(settings), content: entriesOf(content, name, digestOr) };
  });
  const madeInOf = shared(({ version, environment }: MadeIn): MadeIn => ({ version, environment: entriesOf(environment, name, name) }));
  return {
    madeIn: madeInOf(own.madeIn),
    rows: new Map([...own.rows].map(([key, row]) => [key, { ...row, stamp: stampOf(row.stamp), madeIn: madeInOf(row.madeIn) }])),
    folders: own.folders.map(({ folder, digest, files }) => ({ folder: name(folder), digest, files: entriesOf(files, redact, digestOr) })),
  };
}

function shared<Item extends object>(make: (item: Item) => Item): (item: Item) => Item {
  const made = new WeakMap<Item, Item>();
  return (item) => {
    const known = made.get(item) ?? make(item);
    made.set(item, known);
    return known;
  };
}

function entriesOf<Value>(
  values: Readonly<Record<string, Value>>,
  keyOf: Redact,
  change: (value: Value) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [keyOf(key), change(value)]));
}

function hidden(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item: unknown) => hidden(item, redact));
  return isObject(value) ? entriesOf(value, redact, (item) => hidden(item, redact)) : value;
}
