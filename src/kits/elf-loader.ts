import { open } from "node:fs/promises";

const programHeaderInterp = 3;
const maxPathBytes = 4096;

/**
 * The dynamic loader that a Linux program asks for (`PT_INTERP`), e.g. `/lib64/ld-linux-x86-64.so.2`. Undefined for a program
 * that needs none (static), and for what is no 64-bit little-endian ELF file. @throws what reading the file throws
 */
export async function elfLoader(path: string): Promise<string | undefined> {
  const file = await open(path, "r");
  try {
    const read = async (position: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const header = await read(0, 64);
    if (header.length < 64 || header.toString("latin1", 0, 4) !== "\x7fELF" || header[4] !== 2 || header[5] !== 1) return undefined;
    const [offset, size, count] = [Number(header.readBigUInt64LE(32)), header.readUInt16LE(54), header.readUInt16LE(56)];
    const table = await read(offset, size * count);
    for (let at = 0; at + 56 <= table.length; at += size) {
      if (table.readUInt32LE(at) !== programHeaderInterp) continue;
      const [start, length] = [Number(table.readBigUInt64LE(at + 8)), Number(table.readBigUInt64LE(at + 32))];
      const text = await read(start, Math.min(length, maxPathBytes));
      return text.toString("utf8").replace(/\0.*$/s, "");
    }
    return undefined;
  } finally {
    await file.close();
  }
}
