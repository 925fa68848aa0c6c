import type { RowPair } from "./compare-rows.ts";
import { addRow, driftEntry, type RowGroup } from "./drift-list.ts";
import type { DriftEntry } from "./drift-schema.ts";
import { type FolderFiles, folderOfPart, type OwnFingerprint } from "./fingerprint.ts";
import { shortDigest } from "./value-text.ts";

export interface ContentComparison {
  /** Whether the content of a row differs; notes what does. */
  differ(pair: RowPair): boolean;
  /** Rows with one difference together. */
  entries(): DriftEntry[];
}

interface PartDifference {
  readonly part: string;
  /** Null: absent. */
  readonly before: string | null;
  readonly now: string | null;
}

interface ContentDifference extends RowGroup, PartDifference {
  /** Rows have different ones. */
  varies: boolean;
}

const differsByTask = "differs by task";

/**
 * Compares digests of files and texts. Where both stamps were made by the same rules, an absent part is one that the task has not.
 * Otherwise only parts that both have are compared, and of those only what the other rules evidently digest alike.
 * @param isComparable takes the kind of a part that stamps of other rules have
 */
export function compareContent(
  folders: { readonly prior: OwnFingerprint["folders"]; readonly current: OwnFingerprint["folders"] },
  isComparable: (kind: string) => boolean,
): ContentComparison {
  const groups = new Map<string, ContentDifference>();
  const ofFolders = new Map<string, readonly ContentDifference[]>();

  const groupOf = ({ part, before, now }: PartDifference): ContentDifference => {
    // Prompts and criteria of the rows of a dataset are as many as rows: those are one difference. A file is the same for all.
    const isText = !/^(?:file|folder) /.test(part);
    const key = JSON.stringify([part, ...(isText ? [before === null, now === null] : [before, now])]);
    const group = groups.get(key) ?? { part, before, now, varies: false, rows: 0, tasks: [] };
    groups.set(key, group);
    if (group.before !== before || group.now !== now) group.varies = true;
    return group;
  };

  /** Of a folder its files, where they are known. */
  const groupsOf = (difference: PartDifference, sameRules: boolean): readonly ContentDifference[] => {
    const { part, before, now } = difference;
    const folder = folderOfPart(part);
    if (folder === undefined) return [groupOf(difference)];
    const key = JSON.stringify([part, before, now, sameRules]);
    const known = ofFolders.get(key);
    if (known !== undefined) return known;
    const files = fileDifferences(folder, findFolder(folders.prior, folder, before), findFolder(folders.current, folder, now));
    // Other rules may list other files of the same folder.
    const told = sameRules ? files : files.filter((file) => file.before !== null && file.now !== null);
    const found = told.length > 0 ? told.map(groupOf) : [groupOf(difference)];
    ofFolders.set(key, found);
    return found;
  };

  return {
    differ({ prior, current }) {
      const sameRules = prior.madeIn.version === current.madeIn.version;
      const was = prior.stamp.content;
      const is = current.stamp.content;
      // A file can be named alone and with its folder.
      const found = new Set<ContentDifference>();
      for (const part of new Set([...Object.keys(is), ...Object.keys(was)])) {
        const before = Object.hasOwn(was, part) ? (was[part] ?? null) : null;
        const now = Object.hasOwn(is, part) ? (is[part] ?? null) : null;
        if (before === now) continue;
        if (!sameRules && (before === null || now === null || !isComparable(kindOfPart(part)))) continue;
        for (const group of groupsOf({ part, before, now }, sameRules)) found.add(group);
      }
      for (const group of found) addRow(group, current.taskId);
      return found.size > 0;
    },
    entries: () => [...groups.values()].map(entryOf),
  };
}

/** `file` of `file a.py`; the name of a part that has no other. */
export function kindOfPart(part: string): string {
  return part.split(" ", 1)[0] ?? part;
}

function entryOf(group: ContentDifference): DriftEntry {
  const shown = (digest: string | null) => (digest === null ? null : group.varies ? differsByTask : shortDigest(digest));
  return driftEntry({ kind: "content", field: group.part, before: shown(group.before), now: shown(group.now) }, group);
}

function findFolder(known: OwnFingerprint["folders"], folder: string, digest: string | null): FolderFiles["files"] | undefined {
  return known.find((item) => item.folder === folder && item.digest === digest)?.files;
}

/** Empty where the files of one side are not known. */
function fileDifferences(
  folder: string,
  prior: FolderFiles["files"] | undefined,
  current: FolderFiles["files"] | undefined,
): PartDifference[] {
  if (prior === undefined || current === undefined) return [];
  return [...new Set([...Object.keys(current), ...Object.keys(prior)])].flatMap((path) => {
    const before = Object.hasOwn(prior, path) ? (prior[path] ?? null) : null;
    const now = Object.hasOwn(current, path) ? (current[path] ?? null) : null;
    return before === now ? [] : [{ part: `file ${folder}/${path}`, before, now }];
  });
}
