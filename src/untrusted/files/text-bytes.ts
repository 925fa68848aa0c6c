import { isUtf8 } from "node:buffer";

/**
 * How many of these bytes are UTF-8 text: all of them, or all but the beginning of a character that is cut off at the end; `undefined` when
 * they are no text. A zero byte is none: UTF-16 is full of them, and would hide a secret from who reads it as UTF-8.
 */
export function textLength(bytes: Uint8Array): number | undefined {
  const length = bytes.length - cutOffAtEnd(bytes);
  const whole = bytes.subarray(0, length);
  return isUtf8(whole) && !whole.includes(0) ? length : undefined;
}

/** Bytes of a character at the end whose last ones are missing. */
function cutOffAtEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc2 && byte <= 0xf4) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  return 0;
}
