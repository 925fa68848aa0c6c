import { createHash } from "node:crypto";

/**
 * The place of an id in the shuffled order that a seed gives: sort by it, and take as many from the front as are
 * wanted. It depends on the seed and on this id alone, so a new id moves at most one other out of a sample; it is the
 * same on every machine. 64 hexadecimal digits.
 */
export function seededOrder(seed: string, id: string): string {
  return createHash("sha256").update(`${seed.length}:${seed}${id}`).digest("hex");
}

/** Items in the order of a seed. */
export function inSeededOrder<Item>(items: readonly Item[], seed: string, idOf: (item: Item) => string): Item[] {
  const placed = items.map((item) => ({ item, place: seededOrder(seed, idOf(item)) }));
  placed.sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0));
  return placed.map(({ item }) => item);
}

/** Takes the `count` items that come first by `seededOrder` of their ids; they stay in their own order. */
export function takeSeeded<Item>(items: readonly Item[], count: number, seed: string, idOf: (item: Item) => string): readonly Item[] {
  if (count >= items.length) return items;
  const kept = new Set(
    inSeededOrder([...items.entries()], seed, ([, item]) => idOf(item))
      .slice(0, Math.max(0, count))
      .map(([index]) => index),
  );
  return items.filter((_, index) => kept.has(index));
}
