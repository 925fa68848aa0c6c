import type { TaskStamp } from "../../plan/stamp/task-stamp.ts";
import { rowKeyText } from "../layout.ts";
import { type Fingerprint, type FingerprintRow, type FolderFiles, folderOfPart, type MadeIn, ownKey, stampVersion } from "./fingerprint.ts";
import { createSettingsInterner } from "./intern-settings.ts";

export interface StampedRow {
  readonly variantId: string;
  readonly taskId: string;
  readonly replicateIndex: number;
  readonly stamp: TaskStamp;
}

export interface FingerprintFacts {
  /** The keys of coder_eval (formats.md 8.5); sets sorted. */
  readonly run: Readonly<Record<string, unknown>>;
  readonly rows: Iterable<StampedRow>;
  /** Flat: `evalbatch`, `node`, `engine`, `image node:24` and its id, a tool and its version. */
  readonly environment: Readonly<Record<string, string>>;
  /** Files of each folder that a stamp names: relative path and digest. */
  readonly folders: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The fingerprint of an execution of a run, of all its rows. */
export function buildFingerprint(facts: FingerprintFacts): Fingerprint {
  const madeIn: MadeIn = { version: stampVersion, environment: facts.environment };
  const intern = createSettingsInterner();
  const stamps = new Map<TaskStamp, TaskStamp>();
  const folders = new Map<string, FolderFiles>();
  const rows = new Map<string, FingerprintRow>();
  for (const { variantId, taskId, replicateIndex, stamp } of facts.rows) {
    let kept = stamps.get(stamp);
    if (kept === undefined) {
      kept = { digest: stamp.digest, settings: intern(stamp.settings), content: stamp.content };
      stamps.set(stamp, kept);
      for (const found of foldersOf(stamp, facts.folders)) folders.set(JSON.stringify([found.folder, found.digest]), found);
    }
    rows.set(rowKeyText(variantId, taskId, replicateIndex), { variantId, taskId, replicateIndex, stamp: kept, madeIn });
  }
  const run = Object.fromEntries(Object.entries(facts.run).filter(([key]) => key !== ownKey));
  return { run, own: { madeIn, rows, folders: [...folders.values()] } };
}

function* foldersOf(stamp: TaskStamp, known: FingerprintFacts["folders"]): Generator<FolderFiles> {
  for (const [part, digest] of Object.entries(stamp.content)) {
    const folder = folderOfPart(part);
    if (folder === undefined) continue;
    const name = [folder, part].find((key) => Object.hasOwn(known, key));
    const files = name === undefined ? undefined : known[name];
    if (files !== undefined) yield { folder, digest, files };
  }
}
