import type { Writable } from "node:stream";

/**
 * Writes text of any length as fast as its reader takes it, and comes back once it has left: a pager reads for minutes, and a plan of
 * many rows does not fit into memory. Where the reader goes away (`… | head`), the rest is not even made. Never throws.
 */
export async function writeOut(stream: Writable, pieces: Iterable<string>): Promise<void> {
  let gone = false;
  let wake = (): void => undefined;
  const onGone = (): void => {
    gone = true;
    wake();
  };
  const onDrain = (): void => wake();
  stream.on("error", onGone).on("close", onGone).on("drain", onDrain);
  try {
    for (const piece of pieces) {
      if (gone) return;
      if (stream.write(piece)) continue;
      await new Promise<void>((drained) => {
        wake = drained;
      });
    }
    await new Promise<void>((left) => {
      wake = left;
      stream.write("", () => left());
    });
  } finally {
    stream.off("error", onGone).off("close", onGone).off("drain", onDrain);
  }
}
