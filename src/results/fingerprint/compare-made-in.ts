import type { RowPair } from "./compare-rows.ts";
import { difference, sharedKeys } from "./compare-run.ts";
import { addRow, driftEntry, noRows, type RowGroup } from "./drift-list.ts";
import type { DriftEntry } from "./drift-schema.ts";
import type { MadeIn } from "./fingerprint.ts";
import { shortDigest } from "./value-text.ts";

/** What is the host's alone: no sandbox sees it. */
const benignNames: ReadonlySet<string> = new Set(["node", "os", "kernel", "hostname", "runner"]);

export interface ExecutionPair {
  readonly prior: MadeIn;
  readonly current: MadeIn;
}

interface MadeInDifference extends RowGroup {
  readonly entry: DriftEntry;
}

/**
 * Differences of the environments, and of the rules of the stamps. What concerns all rows says nothing of single ones.
 * @param executions what is compared where the two have no row in common
 * @param notCompared kinds of content parts that stamps of other rules digest differently
 */
export function compareMadeIn(
  pairs: readonly RowPair[],
  executions: ExecutionPair | undefined,
  notCompared: readonly string[],
): DriftEntry[] {
  const byPair = new Map<MadeIn, Map<MadeIn, readonly MadeInDifference[]>>();
  const groups = new Map<string, MadeInDifference>();

  const differencesOf = (prior: MadeIn, current: MadeIn): readonly MadeInDifference[] => {
    const known = byPair.get(prior)?.get(current);
    if (known !== undefined) return known;
    const found = [...compareEnvironments(prior, current), ...compareRules(prior, current, notCompared)].map((entry) => {
      const key = JSON.stringify([entry.kind, entry.field, entry.before, entry.now]);
      const group = groups.get(key) ?? { entry, rows: 0, tasks: [] };
      groups.set(key, group);
      return group;
    });
    byPair.set(prior, (byPair.get(prior) ?? new Map<MadeIn, readonly MadeInDifference[]>()).set(current, found));
    return found;
  };

  for (const { prior, current } of pairs) {
    for (const group of differencesOf(prior.madeIn, current.madeIn)) addRow(group, current.taskId);
  }
  if (pairs.length === 0 && executions !== undefined) differencesOf(executions.prior, executions.current);
  return [...groups.values()].map((group) => driftEntry(group.entry, group.rows === pairs.length ? noRows : group));
}

function compareEnvironments(prior: MadeIn, current: MadeIn): DriftEntry[] {
  return sharedKeys(prior.environment, current.environment).flatMap((name) => {
    const before = shortDigest(prior.environment[name] ?? "");
    const now = shortDigest(current.environment[name] ?? "");
    return difference("environment", name, before, now, benignNames.has(name));
  });
}

function compareRules(prior: MadeIn, current: MadeIn, notCompared: readonly string[]): DriftEntry[] {
  const limits = notCompared.length === 0 ? "" : ` (not comparable: ${notCompared.join(", ")})`;
  return difference("algorithm", `fingerprint version${limits}`, String(prior.version), String(current.version), false);
}
