import type { Entry } from "yauzl";
import { selectRunFiles } from "../results/run-files.ts";
import { manifestName } from "../untrusted/files/manifest.ts";
import { pathIdentity, safeName } from "../untrusted/files/safe-name.ts";
import { quote } from "./input-types.ts";
import type { OpenZip } from "./run-archive-reader.ts";

/** What an archive may hold at most; bytes are those of unpacked files. */
export interface ArchiveLimits {
  readonly entries: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
  /** Unpacked bytes for each packed one; asked only above `freeBytes`, since a log of equal lines packs well. */
  readonly ratio: number;
  readonly freeBytes: number;
}

/** An archive that is not used, and why; one clause about "it". */
export class RefusedArchive extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "RefusedArchive";
  }
}

export interface CheckedEntries {
  /** Files of a run directory, in the archive's order. */
  readonly files: readonly Entry[];
  /** Files that belong to no run directory. */
  readonly unknown: number;
}

/**
 * Reads and checks the list of an archive's entries before anything is unpacked. Uploads of ours have none of what is refused here, so
 * that one bad entry discredits all of it.
 * @throws RefusedArchive
 */
export async function checkEntries({ zip, bytes }: OpenZip, limits: ArchiveLimits): Promise<CheckedEntries> {
  if (zip.entryCount > limits.entries) throw new RefusedArchive(`it has ${zip.entryCount} entries, more than ${limits.entries}`);
  const isRunFile = runFileTest();
  const files: Entry[] = [];
  const seen = new Set<string>();
  const directories = new Set<string>();
  let unknown = 0;
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    const reason = whyRefused(entry, bytes);
    if (reason !== undefined) throw new RefusedArchive(`${quote(name)} in it ${reason}`);
    if (name.endsWith("/")) continue;
    const identity = pathIdentity(name);
    if (seen.has(identity)) throw new RefusedArchive(`${quote(name)} is in it more than once`);
    seen.add(identity);
    for (let at = identity.indexOf("/"); at >= 0; at = identity.indexOf("/", at + 1)) directories.add(identity.slice(0, at));
    if (entry.uncompressedSize > limits.fileBytes) throw new RefusedArchive(`${quote(name)} in it is larger than any file of ours`);
    total += entry.uncompressedSize;
    if (total > limits.totalBytes) throw new RefusedArchive(`it unpacks to more than ${limits.totalBytes} bytes`);
    if (total > Math.max(limits.freeBytes, bytes * limits.ratio)) throw new RefusedArchive("it unpacks to far more than it holds");
    if (isRunFile(name)) files.push(entry);
    else unknown += 1;
  }
  for (const identity of seen) {
    if (directories.has(identity)) throw new RefusedArchive(`${quote(identity)} in it is a file and a folder`);
  }
  return { files, unknown };
}

/** Also of artifacts that were uploaded with `upload: all`. */
function runFileTest(): (path: string) => boolean {
  const select = selectRunFiles("all");
  return (path) => path === manifestName || select(path, "file").kind === "take";
}

const maxPathBytes = 1024;
/** Not all of them are told by the reader, which refuses strong encryption itself. */
const encryptedFlags = 0x2041;
const typeBits = 0o170_000;
const [directoryType, fileType] = [0o040_000, 0o100_000];
const [stored, deflated] = [0, 8];

function whyRefused(entry: Entry, archiveBytes: number): string | undefined {
  const { fileName, generalPurposeBitFlag, compressionMethod, externalFileAttributes } = entry;
  const isDirectory = fileName.endsWith("/");
  if (!isPortable(isDirectory ? fileName.slice(0, -1) : fileName)) return "has a name that no file of ours has";
  if ((generalPurposeBitFlag & encryptedFlags) !== 0) return "is encrypted";
  if (compressionMethod !== stored && compressionMethod !== deflated) return `is packed with the unknown method ${compressionMethod}`;
  // Whatever system it says it is of: no type, or the one that its name shows.
  const type = (externalFileAttributes >>> 16) & typeBits;
  if (type !== 0 && type !== (isDirectory ? directoryType : fileType)) return "is a link, or no regular file";
  if (isDirectory && entry.uncompressedSize !== 0) return "is a folder with content";
  const isInside = entry.relativeOffsetOfLocalHeader + entry.compressedSize <= archiveBytes;
  return isInside ? undefined : "lies behind its end";
}

/** As `stageFiles` names what it uploads: relative, no `..`, no device, nothing that a file system changes or refuses. */
function isPortable(path: string): boolean {
  return Buffer.byteLength(path) <= maxPathBytes && path.split("/").every((part) => part !== "" && safeName(part) === part);
}
