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

interface ContentDifference extends RowGroup {
  readonly part: string;
  /** Null: absent. */
  readonly before: string | null;
  readonly now: string | null;
  /** Rows have different ones. */
  varies: boolean;
  /** Of the stamps of all rows. */
  sameRules: boolean;
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

  const note = ({ part, before, now }: Pick<ContentDifference, "part" | "before" | "now">, taskId: string, sameRules: boolean): void => {
    // Prompts and criteria of the rows of a dataset are as many as rows: those are one difference. A file is the same for all.
    const isText = !/^(?:file|folder) /.test(part);
    const key = JSON.stringify([part, ...(isText ? [before === null, now === null] : [before, now])]);
    const group = groups.get(key) ?? { part, before, now, varies: false, sameRules: true, rows: 0, tasks: [] };
    groups.set(key, group);
    if (group.before !== before || group.now !== now) group.varies = true;
    if (!sameRules) group.sameRules = false;
    addRow(group, taskId);
  };

  return {
    differ({ prior, current }) {
      const sameRules = prior.madeIn.version === current.madeIn.version;
      const was = prior.stamp.content;
      const is = current.stamp.content;
      let differs = false;
      for (const part of new Set([...Object.keys(is), ...Object.keys(was)])) {
        const before = Object.hasOwn(was, part) ? (was[part] ?? null) : null;
        const now = Object.hasOwn(is, part) ? (is[part] ?? null) : null;
        if (before === now) continue;
        if (!sameRules && (before === null || now === null || !isComparable(kindOfPart(part)))) continue;
        note({ part, before, now }, current.taskId, sameRules);
        differs = true;
      }
      return differs;
    },
    entries: () => [...groups.values()].flatMap((group) => entriesOf(group, folders)),
  };
}

/** `file` of `file a.py`; the name of a part that has no other. */
export function kindOfPart(part: string): string {
  return part.split(" ", 1)[0] ?? part;
}

function entriesOf(group: ContentDifference, folders: Parameters<typeof compareContent>[0]): DriftEntry[] {
  const { part, before, now, varies, sameRules } = group;
  const folder = folderOfPart(part);
  const files =
    folder === undefined
      ? []
      : fileDifferences(folder, findFolder(folders.prior, folder, before), findFolder(folders.current, folder, now));
  // Other rules may list other files of the same folder.
  const byFile = sameRules ? files : files.filter((file) => file.before !== null && file.now !== null);
  const shown = (digest: string | null) => (digest === null ? null : varies ? differsByTask : shortDigest(digest));
  const whole = { field: part, before: shown(before), now: shown(now) };
  return (byFile.length > 0 ? byFile : [whole]).map((difference) => driftEntry({ kind: "content", ...difference }, group));
}

function findFolder(known: OwnFingerprint["folders"], folder: string, digest: string | null): FolderFiles["files"] | undefined {
  return known.find((item) => item.folder === folder && item.digest === digest)?.files;
}

/** Empty where the files of one side are not known. */
function fileDifferences(
  folder: string,
  prior: FolderFiles["files"] | undefined,
  current: FolderFiles["files"] | undefined,
): Pick<DriftEntry, "field" | "before" | "now">[] {
  if (prior === undefined || current === undefined) return [];
  return [...new Set([...Object.keys(current), ...Object.keys(prior)])].flatMap((path) => {
    const before = Object.hasOwn(prior, path) ? (prior[path] ?? null) : null;
    const now = Object.hasOwn(current, path) ? (current[path] ?? null) : null;
    if (before === now) return [];
    const shown = (digest: string | null) => (digest === null ? null : shortDigest(digest));
    return [{ field: `file ${folder}/${path}`, before: shown(before), now: shown(now) }];
  });
}
