// A name on disk is bytes, UTF-8 only by custom. Here a raw path is a string with one character per byte: it sorts by
// byte, which is the order of code points, and no name gets lost in it.

import { isUtf8 } from "node:buffer";

export interface ShownName {
  readonly text: string;
  /** The name is not UTF-8: bytes that are none, and `%`, are percent-encoded in `text`. */
  readonly encoded: boolean;
}

export const rawOf = (bytes: Buffer): string => bytes.toString("latin1");
export const bytesOf = (raw: string): Buffer => Buffer.from(raw, "latin1");

export function joinRaw(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

/** The directory and the name of a raw path; the directory of what is at the top is `""`. */
export function splitRaw(raw: string): readonly [directory: string, name: string] {
  const slash = raw.lastIndexOf("/");
  return slash < 0 ? ["", raw] : [raw.slice(0, slash), raw.slice(slash + 1)];
}

/** A raw path or name as text. Different ones may give the same text, but not when `encoded` is equal too. */
export function showRaw(raw: string): ShownName {
  const bytes = bytesOf(raw);
  return isUtf8(bytes) ? { text: bytes.toString("utf8"), encoded: false } : { text: encodeInvalid(bytes), encoded: true };
}

function encodeInvalid(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    const sequence = bytes.subarray(at, at + Math.max(length, 1));
    text += length === 0 || sequence[0] === 0x25 ? percentEncode(sequence) : sequence.toString("utf8");
    at += sequence.length;
  }
  return text;
}

function sequenceLength(bytes: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length += 1) {
    if (isUtf8(bytes.subarray(at, at + length))) return length;
  }
  return 0;
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`);

export function percentEncode(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += hexDigits[byte];
  return text;
}
