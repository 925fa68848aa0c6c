import { createNeedleSearch } from "./needle-search.ts";
import { findTokenShapes } from "./token-shapes.ts";

/** Looks for secrets in bytes that are no text, so that nothing in them can be replaced. */
export interface SecretSearch {
  /** Takes the next piece; whether a secret was found by now, also one that is split over pieces. */
  found(piece: Uint8Array): boolean;
}

/** Length of the longest token that is known by its shape, but for private keys, whose beginning is enough here. */
const maxShape = 17 * 1024;

/** Secrets in UTF-8 and UTF-16, and what has the shape of a token. Nothing that is compressed or encrypted is seen. */
export function createSecretSearch(forms: readonly string[]): () => SecretSearch {
  const needles = forms.flatMap((form) => {
    const little = Buffer.from(form, "utf16le");
    return [Buffer.from(form, "utf8"), little, Buffer.from(little).swap16()].map((bytes) => bytes.toString("latin1"));
  });
  const search = createNeedleSearch(needles);
  const kept = needles.reduce((longest, needle) => Math.max(longest, needle.length), maxShape);
  const holds = (text: string): boolean => {
    if (search(text).length > 0 || findTokenShapes(text).length > 0) return true;
    // UTF-16 of ASCII is that with a zero at each character.
    return text.includes("\0") && findTokenShapes(text.replaceAll("\0", "")).length > 0;
  };
  return () => {
    let before = "";
    let found = false;
    return {
      found(piece) {
        if (found) return true;
        const text = before + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1");
        found = holds(text);
        before = text.slice(-kept);
        return found;
      },
    };
  };
}
