import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { TaskStamp } from "../../../../src/plan/stamp/task-stamp.ts";
import { buildFingerprint, type FingerprintFacts, type StampedRow } from "../../../../src/results/fingerprint/build-fingerprint.ts";
import { compareFingerprints } from "../../../../src/results/fingerprint/compare-fingerprints.ts";
import type { DriftEntry } from "../../../../src/results/fingerprint/drift-schema.ts";
import type { Fingerprint } from "../../../../src/results/fingerprint/fingerprint.ts";
import { parseFingerprint } from "../../../../src/results/fingerprint/fingerprint-file.ts";
import { fingerprintChunks } from "../../../../src/results/fingerprint/fingerprint-text.ts";
import { rowKeyText } from "../../../../src/results/layout.ts";
import { fixtureRuns } from "../fixtures.ts";

/** The keys of coder_eval 0.8.2 as a run without options has them. */
export const runKeys = {
  agent_type: null,
  backend: "direct",
  bedrock_model: null,
  exclude_tags: null,
  experiment_id: "default",
  include_skipped: false,
  include_tags: null,
  max_parallel: 2,
  max_rows: null,
  overrides: {},
  preservation_mode: null,
  repeats: null,
  run_dir: "run",
  sample_per_stratum: null,
  verbose: false,
};

export const environment = { evalbatch: "0.4.0", node: "24.1.0", engine: "28.0.1", "image node:24": "sha256:1111" };

/** A stamp: settings that the task set, and its content. */
export function stampOf(
  settings: Readonly<Record<string, unknown>> = { "agent.model": "model-a", "run_limits.max_turns": 20 },
  content: Readonly<Record<string, string>> = { initial_prompt: "aaaa", success_criteria: "bbbb" },
): TaskStamp {
  return {
    digest: createHash("sha256")
      .update(JSON.stringify([settings, content]))
      .digest("hex"),
    settings: Object.fromEntries(Object.entries(settings).map(([path, value]) => [path, { value, source: "task", detail: null }])),
    content,
  };
}

export function rowOf(taskId: string, stamp: TaskStamp = stampOf(), replicateIndex = 0): StampedRow {
  return { variantId: "default", taskId, replicateIndex, stamp };
}

export function keyOf(taskId: string, replicateIndex = 0): string {
  return rowKeyText("default", taskId, replicateIndex);
}

export function fingerprintWith(facts: Partial<FingerprintFacts> = {}): Fingerprint {
  return buildFingerprint({ run: runKeys, rows: [rowOf("a"), rowOf("b")], environment, folders: {}, ...facts });
}

/** A file that coder_eval wrote. */
export function foreignFile(name: string): string {
  return readFileSync(join(fixtureRuns, "fingerprints", name), "utf8");
}

export function parsed(text: string): Fingerprint {
  const read = parseFingerprint(Buffer.from(text));
  if (read.kind !== "fingerprint") throw new Error(JSON.stringify(read));
  return read.fingerprint;
}

export function textOf(fingerprint: Fingerprint): string {
  return [...fingerprintChunks(fingerprint)].join("");
}

/** As another process finds it. */
export function reread(fingerprint: Fingerprint): Fingerprint {
  return parsed(textOf(fingerprint));
}

export function entriesOf(prior: Fingerprint, current: Fingerprint): readonly DriftEntry[] {
  return compareFingerprints(prior, current).entries;
}

/** `field: before → now`, with a minus in front of what is benign. */
export function linesOf(prior: Fingerprint, current: Fingerprint): string[] {
  return entriesOf(prior, current).map(({ field, before, now, benign }) => `${benign ? "-" : ""}${field}: ${before} → ${now}`);
}

/** The same as other rules of stamps would have it. */
export function ofVersion(fingerprint: Fingerprint, version: number): Fingerprint {
  const { run, own } = fingerprint;
  if (own === undefined) return fingerprint;
  const madeIn = { ...own.madeIn, version };
  return { run, own: { ...own, madeIn, rows: new Map([...own.rows].map(([key, row]) => [key, { ...row, madeIn }])) } };
}

// Objects as JSON gives them have a prototype.
const plainRecord = <Item>(fields: { [Key in keyof Item]: fc.Arbitrary<Item[Key]> }): fc.Arbitrary<Item> =>
  fc.record<Item>(fields, { noNullPrototype: true });

// Few keys and values, so that two of them often have something in common; some that JavaScript trips over.
const name = fc.constantFrom("agent.model", "agent.allowed_tools", "run_limits.max_turns", "__proto__", "constructor", "é 😀", "");
const text = fc.oneof(fc.constantFrom("", "a", "b", "\u2028", "😀"), fc.string({ unit: "grapheme", maxLength: 5 }));
const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, fc.nat(3), { noNullPrototype: true }),
);

function record<Item>(key: fc.Arbitrary<string>, item: fc.Arbitrary<Item>): fc.Arbitrary<Record<string, Item>> {
  // `fc.dictionary` knows no key called `__proto__`.
  return fc.uniqueArray(fc.tuple(key, item), { selector: ([word]) => word, maxLength: 5 }).map((entries) => Object.fromEntries(entries));
}

const setting = plainRecord({ value, source: fc.constantFrom("default", "task", "cli"), detail: fc.constantFrom(null, "--model") });
const part = fc.constantFrom("initial_prompt", "success_criteria", "file a.py", "folder app", "__proto__");
const digest = fc.constantFrom("d1", "d2", "d3");
const stamp: fc.Arbitrary<TaskStamp> = plainRecord({ digest, settings: record(name, setting), content: record(part, digest) });
const row: fc.Arbitrary<StampedRow> = plainRecord({
  variantId: fc.constantFrom("default", "loud"),
  taskId: fc.constantFrom("a", "b", "suite/1", "😀"),
  replicateIndex: fc.nat(2),
  stamp,
});

export const facts: fc.Arbitrary<FingerprintFacts> = plainRecord({
  run: record(fc.constantFrom(...Object.keys(runKeys), "a_later_key", "__proto__"), value),
  rows: fc.uniqueArray(row, {
    selector: ({ variantId, taskId, replicateIndex }) => rowKeyText(variantId, taskId, replicateIndex),
    maxLength: 6,
  }),
  environment: record(fc.constantFrom("evalbatch", "node", "image node:24", "__proto__"), text),
  folders: record(fc.constantFrom("app", "other"), record(fc.constantFrom("a.py", "b/c.py"), digest)),
});
