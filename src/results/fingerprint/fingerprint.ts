import type { TaskStamp } from "../../plan/stamp/task-stamp.ts";

/**
 * Of the rules by which settings and content are stamped. To be raised whenever a stamp of the same task gets other digests or
 * other parts: then an absent part tells nothing, and what differs may be the rules.
 */
export const stampVersion = 1;

/** The name of our part of the file, beside the keys of coder_eval. */
export const ownKey = "evalbatch";

/** What rows were made in. Rows of one execution share the object. */
export interface MadeIn {
  /** Rules of the stamps. */
  readonly version: number;
  /** By name, e.g. `evalbatch`, `engine`, `image node:24`. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface FingerprintRow {
  readonly variantId: string;
  readonly taskId: string;
  readonly replicateIndex: number;
  /** Rows of equal stamps share it, and stamps of equal settings those. */
  readonly stamp: TaskStamp;
  readonly madeIn: MadeIn;
}

/** The files of a folder, as it was when its content had this digest. */
export interface FolderFiles {
  /** As content parts name it, without the word `folder`. */
  readonly folder: string;
  readonly digest: string;
  /** Digest by path relative to the folder. */
  readonly files: Readonly<Record<string, string>>;
}

export interface OwnFingerprint {
  /** Of the latest execution. */
  readonly madeIn: MadeIn;
  /** By `rowKeyText`. */
  readonly rows: ReadonlyMap<string, FingerprintRow>;
  readonly folders: readonly FolderFiles[];
}

/** What a run was made with: `resume_fingerprint.json` (formats.md 8.5). */
export interface Fingerprint {
  /** The keys of coder_eval, as they are. */
  readonly run: Readonly<Record<string, unknown>>;
  /** Undefined for a run of coder_eval, or where it is damaged as a whole. */
  readonly own: OwnFingerprint | undefined;
}

/** The digest of the stamp that a row was made with, where it is known. */
export function stampDigestOf(fingerprint: Fingerprint, rowKey: string): string | undefined {
  return fingerprint.own?.rows.get(rowKey)?.stamp.digest;
}

/** The folder of a content part, e.g. `templates/app` of `folder templates/app`. */
export function folderOfPart(part: string): string | undefined {
  return part.startsWith("folder ") ? part.slice("folder ".length) : undefined;
}
