/** What begins a known word is taken for a short form of it from so many letters on. */
const minPrefixLength = 3;

/** Longer words are no typing mistakes, and comparing them costs the square of their length. */
const maxWordLength = 64;

/**
 * The known word that is most likely meant by `word`, or `undefined` when none is close: at most a third of its letters
 * wrong, swapped neighbours counting once; case, '-' and '_' do not count at all. Else the only one that begins with `word`.
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
  return best ?? onlyOne(known.filter((candidate) => candidate.length <= maxWordLength && isShortFor(plain, normalise(candidate))));
}

function isShortFor(word: string, candidate: string): boolean {
  return word.length >= minPrefixLength && candidate.length > word.length && candidate.startsWith(word);
}

function onlyOne(words: readonly string[]): string | undefined {
  return new Set(words).size === 1 ? words[0] : undefined;
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
