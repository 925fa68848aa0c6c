import { type Fingerprint, type FingerprintRow, type FolderFiles, folderOfPart } from "./fingerprint.ts";

/**
 * The fingerprint of a resumed run: rows that are kept have the stamp that they were made with, so that a later resume still knows
 * what they are; all others the present one. A kept row whose earlier stamp is unknown has none: the present one would be a lie.
 * Keys of the run and environment are the present ones.
 * @param isKept takes a `rowKeyText`; also asked of rows that only `prior` has
 */
export function keepStamps(current: Fingerprint, prior: Fingerprint, isKept: (rowKey: string) => boolean): Fingerprint {
  const { run, own } = current;
  if (own === undefined) return current;
  const earlier = prior.own?.rows ?? new Map<string, FingerprintRow>();
  const rows = new Map<string, FingerprintRow>();
  for (const [key, row] of own.rows) {
    const kept = isKept(key) ? earlier.get(key) : row;
    if (kept !== undefined) rows.set(key, kept);
  }
  for (const [key, row] of earlier) if (!own.rows.has(key) && isKept(key)) rows.set(key, row);
  return { run, own: { madeIn: own.madeIn, rows, folders: usedFolders(rows.values(), [...own.folders, ...(prior.own?.folders ?? [])]) } };
}

function usedFolders(rows: Iterable<FingerprintRow>, known: readonly FolderFiles[]): FolderFiles[] {
  const used = new Set<string>();
  const seen = new Set<FingerprintRow["stamp"]>();
  for (const { stamp } of rows) {
    if (seen.has(stamp)) continue;
    seen.add(stamp);
    for (const [part, digest] of Object.entries(stamp.content)) {
      const folder = folderOfPart(part);
      if (folder !== undefined) used.add(keyOf({ folder, digest }));
    }
  }
  const byKey = new Map(known.map((item) => [keyOf(item), item]));
  return [...byKey].filter(([key]) => used.has(key)).map(([, item]) => item);
}

function keyOf({ folder, digest }: Pick<FolderFiles, "folder" | "digest">): string {
  return JSON.stringify([folder, digest]);
}
