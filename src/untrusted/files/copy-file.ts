import { readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Redactor } from "../redact.ts";
import { redactJson } from "./redact-json.ts";
import { createStagedFile, type StagedFile } from "./staged-file.ts";
import { textLength } from "./text-bytes.ts";

export type Copied =
  | { readonly kind: "copied"; readonly bytes: number; readonly redactions: number }
  | { readonly kind: "left"; readonly reason: string };

export interface CopyOptions {
  readonly redactor: Redactor;
  /** Of the copy: redaction can make a text longer. */
  readonly maxBytes: number;
  /** Whether the file is a JSON document, which has to stay one. */
  readonly json: boolean;
  readonly signal: AbortSignal | undefined;
}

const pieceBytes = 256 * 1024;
/** Up to this size a file is held in memory as a whole; documents up to the other. */
const wholeBytes = 1024 * 1024;
const wholeJsonBytes = 64 * 1024 * 1024;

const left = (reason: string): Copied => ({ kind: "left", reason });
const noTime = left("no time left");
const noRoom = left("file too large");
const changed = left("changed meanwhile");
const holdsSecret = left("holds a secret, or what looks like one");

/**
 * Copies the first `bytes` of an open file, which may grow meanwhile: texts with secrets hidden, anything else as it is if it holds none.
 * Leaves no file behind that was not copied to its end.
 * @throws EnvironmentError `disk-full`, `cannot-write`; the system's error when the file cannot be read
 */
export async function copyFile(fd: number, bytes: number, target: string, options: CopyOptions): Promise<Copied> {
  if (bytes <= (options.json ? wholeJsonBytes : wholeBytes)) return copyWhole(readAt(fd, 0, bytes), target, options);
  const isText = await isTextFile(fd, bytes, options.signal);
  if (isText === undefined) return noTime;
  const staged = createStagedFile(target, options.maxBytes);
  let end: Copied | undefined;
  try {
    end = await (isText ? copyText : copyBytes)(fd, bytes, staged, options);
    return end;
  } finally {
    if (end?.kind === "copied") staged.close();
    else staged.discard();
  }
}

async function copyWhole(content: Buffer, target: string, options: CopyOptions): Promise<Copied> {
  const { redactor, maxBytes } = options;
  const length = textLength(content);
  let copy = content;
  let redactions = 0;
  if (length === undefined) {
    if (redactor.searchBytes().found(content)) return holdsSecret;
  } else {
    const text = content.toString("utf8", 0, length);
    const redacted = options.json ? await redactJson(text, redactor, () => hasTime(options.signal)) : redactor.redact(text);
    if (redacted === undefined) return noTime;
    redactions = redacted.count;
    if (redactions > 0) copy = Buffer.concat([Buffer.from(redacted.text), content.subarray(length)]);
  }
  const staged = createStagedFile(target, maxBytes);
  let complete = false;
  try {
    complete = staged.write(copy);
  } finally {
    if (complete) staged.close();
    else staged.discard();
  }
  return complete ? { kind: "copied", bytes: copy.length, redactions } : noRoom;
}

async function copyText(fd: number, bytes: number, staged: StagedFile, options: CopyOptions): Promise<Copied> {
  const stream = options.redactor.stream();
  let rest: Uint8Array = Buffer.alloc(0);
  for (let at = 0; at < bytes; ) {
    const piece = await nextPiece(fd, at, bytes, options.signal);
    if (piece === undefined) return noTime;
    if (piece.length === 0) break;
    const length = textLength(piece);
    if (length === undefined) return changed;
    // A character that is cut off is read again with what follows it; at the end of the file it stays as it is.
    rest = piece.subarray(length);
    at += length === 0 ? piece.length : length;
    if (!staged.write(Buffer.from(stream.write(piece.toString("utf8", 0, length))))) return noRoom;
    if (at + rest.length >= bytes) break;
  }
  if (!staged.write(Buffer.from(stream.end())) || !staged.write(rest)) return noRoom;
  return { kind: "copied", bytes: staged.bytes, redactions: stream.count };
}

async function copyBytes(fd: number, bytes: number, staged: StagedFile, options: CopyOptions): Promise<Copied> {
  const search = options.redactor.searchBytes();
  for (let at = 0; at < bytes; ) {
    const piece = await nextPiece(fd, at, bytes, options.signal);
    if (piece === undefined) return noTime;
    if (piece.length === 0) break;
    if (search.found(piece)) return holdsSecret;
    if (!staged.write(piece)) return noRoom;
    at += piece.length;
  }
  return { kind: "copied", bytes: staged.bytes, redactions: 0 };
}

/** Looked at before the copy, to its end: a file may begin as a text and go on as something else. `undefined`: no time left. */
async function isTextFile(fd: number, bytes: number, signal: AbortSignal | undefined): Promise<boolean | undefined> {
  for (let at = 0; at < bytes; ) {
    const piece = await nextPiece(fd, at, bytes, signal);
    if (piece === undefined) return undefined;
    if (piece.length === 0) return true;
    const length = textLength(piece);
    if (length === undefined) return false;
    at += length === 0 || at + piece.length >= bytes ? piece.length : length;
  }
  return true;
}

/** Others get their turn between two pieces, the clock of the signal among them. */
async function nextPiece(fd: number, at: number, bytes: number, signal: AbortSignal | undefined): Promise<Buffer | undefined> {
  return (await hasTime(signal)) ? readAt(fd, at, Math.min(pieceBytes, bytes - at)) : undefined;
}

async function hasTime(signal: AbortSignal | undefined): Promise<boolean> {
  await setImmediate();
  return signal?.aborted !== true;
}

function readAt(fd: number, from: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(fd, buffer, filled, length - filled, from + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}
