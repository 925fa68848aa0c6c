import { closeSync, fstatSync, openSync, read } from "node:fs";
import { Readable } from "node:stream";
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";

/**
 * Reads a file for yauzl, and only within it: with its own reader, an offset of 2^64 in a hostile archive is thrown out of a
 * callback, and ends the process.
 */
class FileReader extends RandomAccessReader {
  readonly #fd: number;
  readonly #size: number;

  constructor(fd: number, size: number) {
    super();
    this.#fd = fd;
    this.#size = size;
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
    if (!this.#holds(position, position + length)) {
      process.nextTick(callback, new Error("it points behind its end"));
      return;
    }
    read(this.#fd, buffer, offset, length, position, (error, bytesRead) => {
      callback(error ?? (bytesRead < length ? new Error("it ended while it was read") : null));
    });
  }

  /** Not the file system's stream, which closes the file when it is destroyed. */
  override _readStreamForRange(start: number, end: number): Readable {
    const reader = this;
    let position = start;
    return new Readable({
      read(wanted) {
        const length = Math.min(wanted, end - position);
        if (length === 0) {
          this.push(null);
          return;
        }
        const chunk = Buffer.allocUnsafe(Math.max(0, length));
        reader.read(chunk, 0, length, position, (error) => {
          if (error !== null) this.destroy(error);
          else this.push(chunk);
        });
        position += length;
      },
    });
  }

  #holds(start: number, end: number): boolean {
    return Number.isSafeInteger(start) && start >= 0 && end >= start && end <= this.#size;
  }
}

export interface OpenZip extends Disposable {
  readonly zip: ZipFile;
  /** Of the file. */
  readonly bytes: number;
}

/**
 * Opens a zip file that may be hostile; nothing of its entries is looked at yet.
 * @throws Error when it is none, or not whole
 */
export async function openZip(path: string): Promise<OpenZip> {
  const fd = openSync(path, "r");
  try {
    const bytes = fstatSync(fd).size;
    const zip = await fromRandomAccessReaderPromise(new FileReader(fd, bytes), bytes, { strictFileNames: true, autoClose: false });
    // Without a listener it would end the process; what matters is told by the promises as well.
    zip.on("error", () => {});
    return { zip, bytes, [Symbol.dispose]: () => closeSync(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
