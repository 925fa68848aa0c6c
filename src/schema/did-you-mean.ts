/** Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

const plain = (word: string): string => word.toLowerCase().replace(/[-_\s]/g, "");

/** The known word that was probably meant, spelling and the style of its separators aside; undefined when none is near. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const target = plain(word);
  // A text that nobody mistyped, and that would take long to compare.
  if (target === "" || target.length > 64) return undefined;
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(target, plain(candidate));
    if (distance <= Math.max(1, Math.floor(target.length / 3)) && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { word: candidate, distance };
    }
  }
  return best?.word;
}
