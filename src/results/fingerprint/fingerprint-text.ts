import { compareCodePoints } from "../../plan/code-points.ts";
import type { TaskStamp } from "../../plan/stamp/task-stamp.ts";
import { isObject } from "../any-object.ts";
import { toJsonText } from "../json-text.ts";
import { type Fingerprint, type FingerprintRow, type MadeIn, type OwnFingerprint, ownKey } from "./fingerprint.ts";
import { createSettingsInterner, type Settings } from "./intern-settings.ts";

/**
 * `resume_fingerprint.json` in pieces: the keys of coder_eval as coder_eval writes them (sorted, two blanks, ASCII), and among them
 * ours, of which each setting profile, stamp, task and folder is one line.
 */
export function* fingerprintChunks({ run, own }: Fingerprint): Generator<string> {
  const keys = [...Object.keys(run).filter((key) => key !== ownKey), ...(own === undefined ? [] : [ownKey])];
  if (keys.length === 0) return yield "{}";
  let separator = "{\n";
  for (const key of keys.sort(compareCodePoints)) {
    yield `${separator}  ${asciiJson(key)}: `;
    separator = ",\n";
    if (own !== undefined && key === ownKey) yield* ownChunks(own);
    else yield asciiJson(sorted(run[key]), 2).replaceAll("\n", "\n  ");
  }
  yield "\n}";
}

function* ownChunks(own: OwnFingerprint): Generator<string> {
  const profiles = numbering<Settings>();
  const stamps = numbering<TaskStamp>();
  const earlier = numbering<MadeIn>();
  const madeIn = createMadeInInterner(own.madeIn);
  const intern = createSettingsInterner();
  const lines = new Map<string, RowLine>();
  const stampOf = createStampInterner(intern);
  for (const row of own.rows.values()) {
    const stamp = stamps.of(stampOf(row.stamp));
    const made = madeIn(row.madeIn);
    const origin = made === own.madeIn ? undefined : earlier.of(made);
    addToLines(lines, row, stamp, origin);
  }
  for (const { settings } of stamps.items) profiles.of(intern(settings));
  yield `{\n    "version": ${own.madeIn.version},\n    "environment": ${asciiJson(sorted(own.madeIn.environment), 2).replaceAll("\n", "\n    ")}`;
  yield* listChunks("earlier", earlier.items, ({ version, environment }) => ({ version, environment: sorted(environment) }));
  yield* listChunks("settings", profiles.items, (profile) => profile);
  yield* listChunks("stamps", stamps.items, ({ digest, settings, content }) => ({
    digest,
    settings: profiles.of(intern(settings)),
    content,
  }));
  yield* listChunks("rows", lines.values(), (line) => line);
  yield* listChunks("folders", own.folders, ({ folder, digest, files }) => ({ folder, digest, files }));
  yield "\n  }";
}

interface RowLine {
  readonly variant_id: string;
  readonly task_id: string;
  readonly replicates: number[];
  /** Number of the stamp in `stamps`, from 0. */
  readonly stamp: number;
  /** Number of what it was made in in `earlier`; left out for what the latest execution ran in. */
  readonly earlier?: number;
}

function addToLines(lines: Map<string, RowLine>, row: FingerprintRow, stamp: number, earlier: number | undefined): void {
  const { variantId, taskId, replicateIndex } = row;
  const key = JSON.stringify([variantId, taskId, stamp, earlier]);
  const line = lines.get(key);
  if (line !== undefined) line.replicates.push(replicateIndex);
  else {
    const origin = earlier === undefined ? {} : { earlier };
    lines.set(key, { variant_id: variantId, task_id: taskId, replicates: [replicateIndex], stamp, ...origin });
  }
}

function* listChunks<Item>(name: string, items: Iterable<Item>, recordOf: (item: Item) => unknown): Generator<string> {
  let separator = `,\n    "${name}": [\n      `;
  let isEmpty = true;
  for (const item of items) {
    yield separator + asciiJson(recordOf(item));
    separator = ",\n      ";
    isEmpty = false;
  }
  yield isEmpty ? `,\n    "${name}": []` : "\n    ]";
}

interface Numbering<Item> {
  readonly items: Iterable<Item>;
  /** From 0, in order of the first question. */
  of(item: Item): number;
}

function numbering<Item>(): Numbering<Item> {
  const numbers = new Map<Item, number>();
  return {
    // Not its iterator, which would serve once only.
    items: { [Symbol.iterator]: () => numbers.keys() },
    of(item) {
      const known = numbers.get(item);
      if (known !== undefined) return known;
      const next = numbers.size;
      numbers.set(item, next);
      return next;
    },
  };
}

/** Rows that were kept have stamps of their own, which mostly are those of the present rows. */
function createStampInterner(intern: (settings: Settings) => Settings): (stamp: TaskStamp) => TaskStamp {
  const byDigest = new Map<string, TaskStamp[]>();
  const known = new Map<TaskStamp, TaskStamp>();
  return (stamp) => {
    const seen = known.get(stamp);
    if (seen !== undefined) return seen;
    // The digest tells nothing of who set what.
    const alike = byDigest.get(stamp.digest) ?? [];
    const equal = alike.find(
      ({ settings, content }) => intern(settings) === intern(stamp.settings) && isSameContent(content, stamp.content),
    );
    if (equal === undefined) byDigest.set(stamp.digest, [...alike, stamp]);
    known.set(stamp, equal ?? stamp);
    return equal ?? stamp;
  };
}

function isSameContent(left: TaskStamp["content"], right: TaskStamp["content"]): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

/** An execution in which nothing was other than in the latest one needs no record of its own. */
function createMadeInInterner(latest: MadeIn): (madeIn: MadeIn) => MadeIn {
  const textOf = ({ version, environment }: MadeIn): string => JSON.stringify([version, sorted(environment)]);
  const byText = new Map([[textOf(latest), latest]]);
  const known = new Map<MadeIn, MadeIn>();
  return (madeIn) => {
    const seen = known.get(madeIn);
    if (seen !== undefined) return seen;
    const text = textOf(madeIn);
    const kept = byText.get(text) ?? madeIn;
    byText.set(text, kept);
    known.set(madeIn, kept);
    return kept;
  };
}

/** With sorted keys, as deep as it goes. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([left], [right]) => compareCodePoints(left, right));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/** As Python's `json` module escapes: a file of it can be read in any encoding. */
function asciiJson(value: unknown, indent?: number): string {
  return toJsonText(value, indent).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
