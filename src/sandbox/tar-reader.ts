import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { extract, type Header } from "tar-stream";

// Tar names are bytes. The parser is told Latin-1, which keeps every byte, and the names are read here; only names in a PAX record are
// UTF-8 by definition and were decoded as such.
const parserOptions = { filenameEncoding: "latin1", highWaterMark: 64 * 1024 };

export interface TarEntry {
  /** Its names are to be read with `nameOf` and `linkTargetOf`. */
  readonly header: Header;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The entries of a stream, one after the other; content that nobody reads is skipped. Leaving the loop early destroys the source. */
export async function* readTar(source: Readable): AsyncGenerator<TarEntry, void, void> {
  const parser = extract(parserOptions);
  source.on("error", (error) => parser.destroy(error));
  // A body that is cut short ends without an error of its own.
  source.once("close", () => {
    if (!source.readableEnded) parser.destroy(new Error("the archive broke off"));
  });
  source.pipe(parser);
  try {
    for await (const entry of parser) {
      yield { header: entry.header, content: bytesOf(entry) };
      entry.resume();
    }
  } finally {
    source.destroy();
  }
}

async function* bytesOf(source: AsyncIterable<unknown>): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of source) if (chunk instanceof Uint8Array) yield chunk;
}

/** Marks a name that is not UTF-8; no tar name can hold a NUL. */
const notUtf8 = "\0not utf-8";

/** An entry's name as text; see `placeOf` for one that is not UTF-8. */
export function nameOf(header: Header): string {
  return readText(header, "path", header.name);
}

/** Where a link leads. */
export function linkTargetOf(header: Header): string {
  return readText(header, "linkpath", header.linkname ?? "").replace(notUtf8, "");
}

function readText(header: Header, record: string, text: string): string {
  const { pax } = header;
  // Engines write bytes that are no UTF-8 into PAX records too: they were replaced then.
  if (typeof pax === "object" && pax !== null && record in pax) return text.includes("\uFFFD") ? text + notUtf8 : text;
  const raw = Buffer.from(text, "latin1");
  return isUtf8(raw) ? raw.toString("utf8") : raw.toString("utf8") + notUtf8;
}

/** The parts of a name without its first one, or why nothing may be written there. */
export type TarPlace = { readonly parts: readonly string[]; readonly problem?: undefined } | { readonly problem: string };

/** What is left of a name without its first part, the directory that was packed. */
export function placeOf(name: string): TarPlace {
  if (name.endsWith(notUtf8)) return { problem: "name is not UTF-8" };
  if (name.includes("\0")) return { problem: "name holds a NUL" };
  if (name.startsWith("/")) return { problem: "name is absolute" };
  const all = name.split("/").filter((part) => part !== "" && part !== ".");
  if (all.includes("..")) return { problem: "name leads upwards" };
  return { parts: all.slice(1) };
}

/** A name for a report. */
export function printableName(name: string): string {
  return name.replace(notUtf8, "").replaceAll("\0", "\\0");
}
