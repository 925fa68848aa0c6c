import { compareCodePoints } from "../../plan/code-points.ts";

/** What decides between two results of one row. */
export interface AttemptFacts {
  /** Equal for results of one row; as `rowKeyText` gives it. */
  readonly key: string;
  readonly attempt: number;
  readonly completedAt: string | null;
  readonly startedAt: string | null;
  /** It can be read. */
  readonly valid: boolean;
  /** Decides where all else is equal, the lesser one wins: the path, so that no two are equal. */
  readonly tieBreak: string;
}

export interface Merged<Item> {
  /** By key, in the order in which the keys came. */
  readonly chosen: Map<string, Item>;
  readonly others: Item[];
}

/**
 * Of each row the newest valid result: that of the highest attempt, of equal ones that which ended last (B122). What can't be read counts
 * only where there is nothing else. The choice depends neither on the order nor on how the items were divided up before.
 */
export function mergeAttempts<Item>(items: Iterable<Item>, facts: (item: Item) => AttemptFacts): Merged<Item> {
  const best = new Map<string, { readonly item: Item; readonly facts: AttemptFacts }>();
  const others: Item[] = [];
  for (const item of items) {
    const of = facts(item);
    const rival = best.get(of.key);
    if (rival === undefined) {
      best.set(of.key, { item, facts: of });
    } else if (compareFacts(of, rival.facts) > 0) {
      others.push(rival.item);
      best.set(of.key, { item, facts: of });
    } else {
      others.push(item);
    }
  }
  return { chosen: new Map([...best].map(([key, { item }]) => [key, item])), others };
}

/** Above 0 where `a` is the better one. */
function compareFacts(a: AttemptFacts, b: AttemptFacts): number {
  return (
    Number(a.valid) - Number(b.valid) ||
    numberOf(a.attempt) - numberOf(b.attempt) ||
    timeOf(a.completedAt) - timeOf(b.completedAt) ||
    timeOf(a.startedAt) - timeOf(b.startedAt) ||
    compareCodePoints(b.tieBreak, a.tieBreak)
  );
}

function numberOf(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

/** What tells no time is older than all that does. */
function timeOf(text: string | null): number {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? Number.MIN_SAFE_INTEGER : time;
}
