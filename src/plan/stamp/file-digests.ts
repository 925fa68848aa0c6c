import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { readFailure } from "../read-failure.ts";
import { digestOf, finishDigest, type Redact } from "./canonical.ts";

/** Bigger files are read in pieces of this size. */
const pieceBytes = 1 << 20;
/** A piece ends at the end of a line where there is one: a secret is looked for in whole lines. */
const newline = 0x0a;

export type FileDigest = { readonly kind: "digest"; readonly digest: string } | { readonly kind: "closed"; readonly why: string };

/**
 * The digest of a file's bytes as they are. A secret in it counts as it is shown, hidden: from the digest of a short one it could be guessed.
 * @param bytes as a look at the file has found
 * @param giveWay called between pieces; may throw
 */
export async function digestFile(path: string, bytes: number, redact: Redact, giveWay: () => Promise<void>): Promise<FileDigest> {
  try {
    if (bytes <= pieceBytes) return { kind: "digest", digest: digestOf(shownBytes(await readFile(path), redact)) };
    await using file = await open(path);
    return { kind: "digest", digest: await digestPieces(file, redact, giveWay) };
  } catch (error) {
    const why = readFailure(error);
    if (why === undefined) throw error;
    return { kind: "closed", why };
  }
}

async function digestPieces(file: FileHandle, redact: Redact, giveWay: () => Promise<void>): Promise<string> {
  const hash = createHash("sha256");
  let held: Buffer = Buffer.alloc(0);
  for (;;) {
    await giveWay();
    const piece = await readPiece(file);
    const all = held.length === 0 ? piece : Buffer.concat([held, piece]);
    if (piece.length < pieceBytes) return finishDigest(hash.update(shownBytes(all, redact)));
    const end = all.lastIndexOf(newline) + 1 || all.length;
    hash.update(shownBytes(all.subarray(0, end), redact));
    held = Buffer.from(all.subarray(end));
  }
}

/** Full, but for the last one: where a piece ends must not depend on the disk. */
async function readPiece(file: FileHandle): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  let length = 0;
  while (length < pieceBytes) {
    const { bytesRead } = await file.read(piece, length, pieceBytes - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return piece.subarray(0, length);
}

function shownBytes(bytes: Buffer, redact: Redact): Buffer {
  const text = bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
  const shown = redact(text);
  return shown === text ? bytes : Buffer.from(shown);
}
