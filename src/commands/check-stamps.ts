import { type Fingerprint, stampDigestOf } from "../results/fingerprint/fingerprint.ts";
import { rowKeyText } from "../results/layout.ts";
import { type Recovered, recoverResults } from "../results/recover.ts";

type RecoveredResult = Extract<Recovered, { readonly kind: "result" }>;

/** Results of one kind. */
export interface CheckedResults {
  count: number;
  /** The first `task.json` files, relative to the run directory. */
  readonly paths: string[];
}

/** Whether the results of a run directory were made with the stamps that its fingerprint has for them. */
export interface StampCheck {
  readonly matching: CheckedResults;
  /** Another one: the fingerprint or the result was changed, or comes from another run. */
  readonly differing: CheckedResults;
  /** One side tells no stamp. */
  readonly unknown: CheckedResults;
  readonly unreadable: CheckedResults;
}

const maxPaths = 3;

/** Reads every result of the run directory. */
export async function checkStamps(runDir: string, fingerprint: Fingerprint): Promise<StampCheck> {
  const none = (): CheckedResults => ({ count: 0, paths: [] });
  const check = { matching: none(), differing: none(), unknown: none(), unreadable: none() };
  for await (const found of recoverResults(runDir)) {
    if (found.kind === "nested run") continue;
    const kind = found.kind === "problem" ? "unreadable" : compareStamp(found, fingerprint);
    check[kind].count += 1;
    if (check[kind].paths.length < maxPaths) check[kind].paths.push(found.path);
  }
  return check;
}

function compareStamp({ result, replicateIndex }: RecoveredResult, fingerprint: Fingerprint): "matching" | "differing" | "unknown" {
  const { variant_id, task_id, evalbatch } = result;
  const recorded = stampDigestOf(fingerprint, rowKeyText(variant_id, task_id, evalbatch?.replicate_index ?? replicateIndex));
  const made = evalbatch?.stamp ?? undefined;
  if (recorded === undefined || made === undefined) return "unknown";
  return recorded === made ? "matching" : "differing";
}
