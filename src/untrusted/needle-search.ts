// One pass over a text for any number of needles: a private key gives hundreds of forms, and a pass for each would be slower than the disk.

/** `[start, end)` of every occurrence of every needle, in no order, overlapping ones too. */
export type NeedleSearch = (text: string) => [number, number][];

/** Two neighbouring characters as a number; different pairs may share one. */
const pairBits = 16;
const pairOf = (first: number, second: number): number => ((first << 8) ^ second ^ (first >> 8)) & ((1 << pairBits) - 1);

/**
 * After Wu and Manber: the pair at the end of a window as long as the shortest needle tells how far the window can move without missing one.
 * Needles have at least two characters.
 */
export function createNeedleSearch(needles: Iterable<string>): NeedleSearch {
  const all = [...new Set(needles)].filter((needle) => needle.length >= 2);
  if (all.length === 0) return () => [];
  const window = all.reduce((shortest, needle) => Math.min(shortest, needle.length), 255);
  const moves = new Uint8Array(1 << pairBits).fill(window - 1);
  const ending = new Map<number, string[]>();
  for (const needle of all) {
    for (let at = 1; at < window; at += 1) {
      const pair = pairOf(needle.charCodeAt(at - 1), needle.charCodeAt(at));
      moves[pair] = Math.min(moves[pair] ?? 0, window - 1 - at);
    }
    const last = pairOf(needle.charCodeAt(window - 2), needle.charCodeAt(window - 1));
    const same = ending.get(last);
    if (same === undefined) ending.set(last, [needle]);
    else same.push(needle);
  }
  return (text) => {
    const found: [number, number][] = [];
    for (let end = window - 1; end < text.length; ) {
      const pair = pairOf(text.charCodeAt(end - 1), text.charCodeAt(end));
      const move = moves[pair] ?? 0;
      if (move > 0) {
        end += move;
        continue;
      }
      const start = end - window + 1;
      for (const needle of ending.get(pair) ?? []) {
        if (text.startsWith(needle, start)) found.push([start, start + needle.length]);
      }
      end += 1;
    }
    return found;
  };
}
