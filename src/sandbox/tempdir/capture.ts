/** Keeps the first `maxBytes` of a stream, counts the rest, and hands on all of it as whole characters. */
export interface Capture {
  readonly push: (chunk: Uint8Array) => void;
  /** What was kept, as UTF-8 with replacement characters. Call once, at the end. */
  readonly finish: () => { readonly text: string; readonly droppedBytes: number };
}

/** A listener that throws is not asked again: a display must not hurt a task. */
export function createCapture(maxBytes: number, onText?: (text: string) => void): Capture {
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let droppedBytes = 0;
  let listener = onText;
  // `ignoreBOM` keeps a byte order mark in the text, as Python's utf-8 does.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const tell = (text: string): void => {
    if (text === "" || listener === undefined) return;
    try {
      listener(text);
    } catch {
      listener = undefined;
    }
  };
  return {
    push: (chunk) => {
      const room = Math.min(maxBytes - keptBytes, chunk.length);
      if (room > 0) {
        // A copy: the caller may reuse its buffer.
        kept.push(Buffer.from(chunk.subarray(0, room)));
        keptBytes += room;
      }
      droppedBytes += chunk.length - Math.max(room, 0);
      if (listener !== undefined) tell(decoder.decode(chunk, { stream: true }));
    },
    finish: () => {
      if (listener !== undefined) tell(decoder.decode());
      const bytes = Buffer.concat(kept, keptBytes);
      const whole = droppedBytes === 0 ? bytes : bytes.subarray(0, lengthWithoutCutCharacter(bytes));
      return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole), droppedBytes };
    },
  };
}

/** The cap may fall inside a character: its first bytes are left out, so that the cut does not look like bad output. */
function lengthWithoutCutCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return wanted > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
