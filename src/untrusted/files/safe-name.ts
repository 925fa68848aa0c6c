import { createHash } from "node:crypto";
import { percentEncode } from "./raw-path.ts";

/** Bytes of a name; leaves room for a suffix below the 255 that file systems take. */
export const maxNameBytes = 180;

/**
 * What the artifact service refuses (`" : < > | * ?`, CR, LF), what Windows cannot hold, and what is invisible or turns the text around it:
 * the name is read by people who decide by it what they open.
 */
const refused = /["\\/:<>|*?\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Windows takes these away at the end of a name. */
const lostAtEnd = /[. ]$/;
/** Names of devices on Windows, whatever follows the first dot. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?= *(?:\.|$))/i;

const encode = (text: string): string => percentEncode(Buffer.from(text));

/** The name itself where it can be a name everywhere, else with what is refused percent-encoded, and shortened with a hash. */
export function safeName(name: string): string {
  const encoded = name
    .replace(refused, encode)
    .replace(lostAtEnd, encode)
    .replace(device, (found) => encode(found.slice(0, 1)) + found.slice(1));
  if (encoded === "") return "_";
  return Buffer.byteLength(encoded) <= maxNameBytes ? encoded : shorten(encoded, name);
}

function shorten(encoded: string, name: string): string {
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 12);
  const extension = /\.[A-Za-z0-9]{1,16}$/.exec(encoded)?.[0] ?? "";
  return `${cutToBytes(encoded, maxNameBytes - 1 - hash.length - extension.length)}~${hash}${extension}`;
}

function cutToBytes(text: string, maxBytes: number): string {
  let kept = "";
  let bytes = 0;
  // An encoded character is cut as a whole.
  for (const [piece] of text.slice(0, maxBytes + 2).matchAll(/%[0-9A-F]{2}|./gsu)) {
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) break;
    kept += piece;
  }
  return kept;
}

/** `name~2.ext` */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  const at = dot > 0 ? dot : name.length;
  return `${name.slice(0, at)}~${number}${name.slice(at)}`;
}

/** Equal for two paths that are one on some file system: case and Unicode composition do not count. */
export function pathIdentity(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
