/** Longer words are no typing mistakes, and comparing them costs the square of their length. */
const maxWordLength = 64;

/**
 * The known word that is most likely meant by `word`, or `undefined` when none is close: at most a third of its letters
 * wrong, swapped neighbours counting once; case, '-' and '_' do not count at all.
 */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  if (word.length > maxWordLength) return undefined;
  const plain = normalise(word);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    if (candidate === word || candidate.length > maxWordLength) continue;
    const other = normalise(candidate);
    const distance = editDistance(plain, other);
    const limit = Math.max(1, Math.floor(Math.max(plain.length, other.length) / 3));
    if (distance <= limit && distance < bestDistance && distance < other.length) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function normalise(word: string): string {
  return word.toLowerCase().replaceAll("-", "_");
}

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let cost = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + same);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
