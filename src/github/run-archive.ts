import { mkdirSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import type { Entry } from "yauzl";
import { defaultStageLimits } from "../untrusted/files/limits.ts";
import { quote } from "./input-types.ts";
import { type ArchiveLimits, type CheckedEntries, checkEntries, RefusedArchive } from "./run-archive-entries.ts";
import { type OpenZip, openZip } from "./run-archive-reader.ts";

const mib = 1024 * 1024;

/** What an upload of ours can hold, with room for its list of files. */
export const usualArchiveLimits: ArchiveLimits = {
  entries: defaultStageLimits.files + 1,
  fileBytes: defaultStageLimits.fileBytes,
  totalBytes: defaultStageLimits.totalBytes + 64 * mib,
  ratio: 200,
  freeBytes: 256 * mib,
};

/** A downloaded artifact whose list of entries was checked. */
export interface RunArchive extends Disposable {
  /** Files in it that belong to no run directory, and are never unpacked. */
  readonly unknown: number;
  /** Content of a file; undefined when there is none of that name. */
  readText(name: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Unpacks the files of a run directory.
   * @param directory ours alone, and empty
   */
  extract(directory: string, signal: AbortSignal): Promise<void>;
}

/**
 * Opens the zip file of an artifact, in which everything may be hostile.
 * @throws RefusedArchive when it is not what an upload of ours can be; its methods do so for contents. The file system's errors as they are.
 */
export async function openRunArchive(path: string, limits: ArchiveLimits = usualArchiveLimits): Promise<RunArchive> {
  const opened = await orRefused(() => openZip(path));
  try {
    const entries = await orRefused(() => checkEntries(opened, limits));
    return archiveOf(opened, entries);
  } catch (error) {
    opened[Symbol.dispose]();
    throw error;
  }
}

function archiveOf(opened: OpenZip, { files, unknown }: CheckedEntries): RunArchive {
  return {
    unknown,
    async readText(name, signal) {
      const entry = files.find(({ fileName }) => fileName === name);
      if (entry === undefined) return undefined;
      signal.throwIfAborted();
      if (isSmall(entry)) return (await unpackAtOnce(opened, entry)).toString("utf8");
      const chunks: Buffer[] = [];
      await unpackInPieces(opened, entry, signal, async (chunk) => void chunks.push(chunk));
      return Buffer.concat(chunks).toString("utf8");
    },
    async extract(directory, signal) {
      const made = new Set<string>();
      for (const entry of files) {
        signal.throwIfAborted();
        const target = join(directory, entry.fileName);
        const parent = dirname(target);
        if (!made.has(parent)) mkdirSync(parent, { recursive: true });
        made.add(parent);
        const place = { flag: "wx", mode: modeOf(entry) };
        if (isSmall(entry)) writeFileSync(target, await unpackAtOnce(opened, entry), place);
        else {
          await using file = await open(target, place.flag, place.mode);
          await unpackInPieces(opened, entry, signal, async (chunk) => void (await file.writeFile(chunk)));
        }
      }
    },
    [Symbol.dispose]: () => opened[Symbol.dispose](),
  };
}

/** Nothing of an entry's mode but whether its owner may run it. */
const modeOf = ({ externalFileAttributes }: Entry): number => (((externalFileAttributes >>> 16) & 0o100) === 0 ? 0o644 : 0o755);

/** Most files of a run are: a stream and a file handle for each would take many times as long. */
const isSmall = ({ compressedSize, uncompressedSize }: Entry): boolean => Math.max(compressedSize, uncompressedSize) <= 1024 * 1024;

async function unpackAtOnce({ zip, read }: OpenZip, entry: Entry): Promise<Buffer> {
  const { compressedSize, uncompressedSize } = entry;
  const content = await orRefused(async () => {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const packed = await read(fileDataStart, compressedSize);
    return entry.compressionMethod === 0 ? packed : inflate(packed, uncompressedSize + 1);
  }, entry.fileName);
  if (content?.length !== uncompressedSize) throw new RefusedArchive(`${quote(entry.fileName)} in it has another size than it says`);
  checkSum(crc32(content), entry);
  return content;
}

/** Undefined for more than so many bytes. */
function inflate(packed: Buffer, maxOutputLength: number): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw error;
  }
}

function checkSum(checksum: number, entry: Entry): void {
  if (checksum !== entry.crc32) throw new RefusedArchive(`the checksum of ${quote(entry.fileName)} in it is wrong`);
}

/** The reader ends a stream that is longer or shorter than its entry says. */
async function unpackInPieces({ zip }: OpenZip, entry: Entry, signal: AbortSignal, take: (chunk: Buffer) => Promise<void>): Promise<void> {
  const stream = await orRefused(() => zip.openReadStreamPromise(entry), entry.fileName);
  // An error that comes after we have left must not end the process.
  stream.on("error", () => {});
  try {
    const chunks = stream[Symbol.asyncIterator]();
    let checksum = 0;
    for (;;) {
      const next: IteratorResult<unknown> = await orRefused(() => chunks.next(), entry.fileName);
      if (next.done === true) break;
      signal.throwIfAborted();
      if (!Buffer.isBuffer(next.value)) continue;
      checksum = crc32(next.value, checksum);
      await take(next.value);
    }
    checkSum(checksum, entry);
  } finally {
    stream.destroy();
  }
}

/** What goes wrong while reading is the archive's fault; what goes wrong while writing is told as it is. */
async function orRefused<Result>(work: () => Promise<Result>, name?: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedArchive) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw new RefusedArchive(`${name === undefined ? "it" : quote(name)} cannot be unpacked: ${quote(said)}`);
  }
}
