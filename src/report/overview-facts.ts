import type { GateEnd } from "../results/gate.ts";
import type { Changes } from "../results/row-digest.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";

/** What the first page of a run is made of. */
export interface OverviewFacts {
  readonly summary: RunSummary;
  /** Undefined where nothing was gated. */
  readonly gate: GateEnd | undefined;
  readonly changes: Changes | undefined;
  readonly artifact: { readonly name: string; readonly url: string } | undefined;
  readonly runUrl: string | undefined;
  /** The commit that was evaluated. */
  readonly commit: string | undefined;
  /** Of the workflow run, from 1. */
  readonly attempt: number;
  /** `evals`, or `evals (linux, a)` for a leg of a matrix. Foreign. */
  readonly title: string;
  /** Flags of the command line that run a task as this run did, such as `--driver docker`. Foreign. */
  readonly rerunFlags: readonly string[];
  /** Places where a secret was hidden. */
  readonly redactions: number;
  /** What a reader should know of the publishing, such as why there is no artifact. Foreign. */
  readonly notes: readonly string[];
}
