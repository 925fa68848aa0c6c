import type { Comparison } from "../results/fingerprint/compare-fingerprints.ts";
import { type Fingerprint, stampDigestOf } from "../results/fingerprint/fingerprint.ts";
import type { EvaluationResult } from "../results/task-result.ts";

/** Whether a result was made with what its row is now. */
export type StampVerdict =
  | "same"
  /** What differs is known. */
  | "changed"
  /** Made with something that the fingerprint does not have: the file of another run, or of an execution that was killed. */
  | "foreign";

export interface StampJudge {
  judge(row: { readonly key: string; readonly digest: string }, result: EvaluationResult): StampVerdict;
  /** The fingerprint tells what another result of the row was made with, and not this one: `rowKeyText`s. */
  readonly misattributed: ReadonlySet<string>;
}

/**
 * A result tells by itself which stamp it was made with, and that counts: the fingerprint of a run that was killed may be ahead of its results.
 * Only where it tells none, as one of coder_eval, or where the rules of stamps have changed, the fingerprint is all there is to go by.
 */
export function createStampJudge(prior: Fingerprint | undefined, compared: Comparison | undefined): StampJudge {
  const isComparable = compared?.entries.some(({ kind }) => kind === "algorithm") !== true;
  const misattributed = new Set<string>();
  const ofFingerprint = (key: string): StampVerdict => (compared?.changedRows.has(key) === true ? "changed" : "same");
  return {
    misattributed,
    judge({ key, digest }, { evalbatch }) {
      const own = evalbatch?.stamp ?? undefined;
      const recorded = prior === undefined ? undefined : stampDigestOf(prior, key);
      if (own === undefined) {
        // Nothing but the settings of the run as a whole tells what it was made with.
        return recorded === undefined && compared?.runChanged === true ? "changed" : ofFingerprint(key);
      }
      if (!isComparable || own === recorded) return ofFingerprint(key);
      misattributed.add(key);
      return own === digest ? "same" : "foreign";
    },
  };
}
