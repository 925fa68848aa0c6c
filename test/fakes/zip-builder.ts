import { crc32, deflateRawSync } from "node:zlib";

/** An entry of an archive, honest unless it is told otherwise. */
export interface ZipEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** Packed with deflate unless this is true. */
  readonly stored?: boolean;
  /** With its type: `0o120777` is a link. */
  readonly mode?: number;
  /** Low half of the external attributes: `0x10` is a folder of DOS. */
  readonly dosAttributes?: number;
  readonly flags?: number;
  /** Sizes and checksum stand behind the data, as a writer puts them that streams. */
  readonly dataDescriptor?: boolean;
  /** Behind the data that belongs to the entry. */
  readonly rest?: Buffer;
  /** What its header in the list claims. */
  readonly claims?: Partial<Record<"method" | "crc" | "packed" | "size" | "offset", number>>;
  /** Extra field of its header in the list. */
  readonly extra?: Buffer;
  /** What its own header claims as its name. */
  readonly localName?: string;
}

export interface ZipOptions {
  readonly comment?: string;
  /** What the end of the list claims. */
  readonly claims?: Partial<Record<"entries" | "offset", number>>;
  /** Records between the list and its end, such as those of zip64. */
  readonly beforeEnd?: Buffer;
}

/** A zip archive, byte by byte: also one that no writer makes. */
export function buildZip(
  entries: readonly ZipEntry[],
  { comment = "", claims = {}, beforeEnd = Buffer.alloc(0) }: ZipOptions = {},
): Buffer {
  const local: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = pack(entry);
    const parts = [
      localHeader(entry, packed),
      packed.data,
      entry.rest ?? Buffer.alloc(0),
      ...(entry.dataDescriptor === true ? [descriptor(packed)] : []),
    ];
    list.push(listHeader(entry, packed, offset));
    local.push(...parts);
    offset += parts.reduce((sum, part) => sum + part.length, 0);
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(claims.entries ?? entries.length, 8);
  end.writeUInt16LE(claims.entries ?? entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(claims.offset ?? offset, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  return Buffer.concat([...local, directory, beforeEnd, end, Buffer.from(comment)]);
}

/** End records of zip64 that claim what they like. */
export function zip64End(claims: { readonly recordOffset: bigint; readonly entries?: bigint; readonly directoryOffset?: bigint }): Buffer {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(claims.entries ?? 1n, 24);
  record.writeBigUInt64LE(claims.entries ?? 1n, 32);
  record.writeBigUInt64LE(claims.directoryOffset ?? 0n, 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(claims.recordOffset, 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator]);
}

interface Packed {
  readonly data: Buffer;
  readonly method: number;
  readonly crc: number;
  readonly size: number;
}

function pack({ content = "", stored = false }: ZipEntry): Packed {
  const bytes = Buffer.from(content);
  return { data: stored ? bytes : deflateRawSync(bytes), method: stored ? 0 : 8, crc: crc32(bytes), size: bytes.length };
}

const utf8 = 0x800;
const flagsOf = ({ flags = 0, dataDescriptor = false }: ZipEntry): number => utf8 | flags | (dataDescriptor ? 8 : 0);

function localHeader(entry: ZipEntry, { data, method, crc, size }: Packed): Buffer {
  const name = Buffer.from(entry.localName ?? entry.name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(flagsOf(entry), 6);
  header.writeUInt16LE(method, 8);
  if (entry.dataDescriptor !== true) {
    header.writeUInt32LE(crc, 14);
    header.writeUInt32LE(data.length, 18);
    header.writeUInt32LE(size, 22);
  }
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function descriptor({ data, crc, size }: Packed): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt32LE(0x08074b50, 0);
  record.writeUInt32LE(crc, 4);
  record.writeUInt32LE(data.length, 8);
  record.writeUInt32LE(size, 12);
  return record;
}

const unix = 3;

function listHeader(entry: ZipEntry, { data, method, crc, size }: Packed, offset: number): Buffer {
  const { claims = {}, extra = Buffer.alloc(0), mode = 0o100_644, dosAttributes = 0 } = entry;
  const name = Buffer.from(entry.name);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE((unix << 8) | 45, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(flagsOf(entry), 8);
  header.writeUInt16LE(claims.method ?? method, 10);
  header.writeUInt32LE(claims.crc ?? crc, 16);
  header.writeUInt32LE(claims.packed ?? data.length, 20);
  header.writeUInt32LE(claims.size ?? size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(((mode << 16) | dosAttributes) >>> 0, 38);
  header.writeUInt32LE(claims.offset ?? offset, 42);
  return Buffer.concat([header, name, extra]);
}
