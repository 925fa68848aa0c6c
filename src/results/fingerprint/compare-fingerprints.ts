import { compareContent, kindOfPart } from "./compare-content.ts";
import { compareMadeIn, type ExecutionPair } from "./compare-made-in.ts";
import { compareSettings, type RowPair } from "./compare-rows.ts";
import { compareRunKeys, concernsResults } from "./compare-run.ts";
import { driftList } from "./drift-list.ts";
import type { DriftEntry } from "./drift-schema.ts";
import type { Fingerprint } from "./fingerprint.ts";

export interface Comparison {
  /** What matters first, then what cannot change a result. */
  readonly entries: readonly DriftEntry[];
  /** `rowKeyText` of rows whose settings or content differ. */
  readonly changedRows: ReadonlySet<string>;
  /** A setting of the run as a whole differs that results hang on: for a result without a stamp that is all there is to go by. */
  readonly runChanged: boolean;
  /** How many rows have a stamp on both sides. */
  readonly comparedRows: number;
}

/**
 * What differs between two executions of a run, or two runs. Compared is only what both know: a key that one of them lacks may be
 * one that its writer did not have, and a run of coder_eval knows only its own (formats.md 8.5).
 * @param isCompared takes a `rowKeyText`; of other rows settings and content are left out of account
 */
export function compareFingerprints(
  prior: Fingerprint,
  current: Fingerprint,
  isCompared: (rowKey: string) => boolean = () => true,
): Comparison {
  const pairs = pairsOf(prior, current, isCompared);
  const settings = compareSettings();
  const kinds = kindsOfOtherRules(pairs);
  const content = compareContent({ prior: prior.own?.folders ?? [], current: current.own?.folders ?? [] }, (kind) => kinds.alike.has(kind));
  const changedRows = new Set<string>();
  for (const pair of pairs) {
    const settingsDiffer = settings.differ(pair);
    if (content.differ(pair) || settingsDiffer) changedRows.add(pair.key);
  }
  const ofRun = compareRunKeys(prior.run, current.run, settings.isTold);
  const entries = driftList([
    ...ofRun,
    ...settings.entries(),
    ...content.entries(),
    ...compareMadeIn(pairs, executionsOf(prior, current), kinds.other),
  ]);
  return { entries, changedRows, runChanged: ofRun.some(concernsResults), comparedRows: pairs.length };
}

function pairsOf(prior: Fingerprint, current: Fingerprint, isCompared: (rowKey: string) => boolean): RowPair[] {
  const pairs: RowPair[] = [];
  for (const [key, row] of current.own?.rows ?? []) {
    const before = prior.own?.rows.get(key);
    if (before !== undefined && isCompared(key)) pairs.push({ key, prior: before, current: row });
  }
  return pairs;
}

function executionsOf(prior: Fingerprint, current: Fingerprint): ExecutionPair | undefined {
  return prior.own === undefined || current.own === undefined ? undefined : { prior: prior.own.madeIn, current: current.own.madeIn };
}

/**
 * Kinds of content parts in rows that were stamped by other rules. One of which no digest is the same is taken for digested
 * differently, not for changed everywhere: an upgrade must not make all results look stale.
 */
function kindsOfOtherRules(pairs: readonly RowPair[]): { readonly alike: ReadonlySet<string>; readonly other: readonly string[] } {
  const alike = new Set<string>();
  const all = new Set<string>();
  for (const { prior, current } of pairs) {
    if (prior.madeIn.version === current.madeIn.version) continue;
    const was = prior.stamp.content;
    for (const [part, digest] of Object.entries(current.stamp.content)) {
      if (!Object.hasOwn(was, part)) continue;
      all.add(kindOfPart(part));
      if (was[part] === digest) alike.add(kindOfPart(part));
    }
  }
  return { alike, other: [...all].filter((kind) => !alike.has(kind)).sort() };
}
