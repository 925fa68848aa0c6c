import { closeSync, fstatSync, openSync, read } from "node:fs";
import { Readable } from "node:stream";
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";

/** Read at once: lists and small files are read piece by piece, 46 bytes and a name at a time. */
const windowBytes = 1024 * 1024;

/**
 * Reads a file for yauzl, and only within it: with its own reader, an offset of 2^64 in a hostile archive is thrown out of a
 * callback, and ends the process.
 */
class FileReader extends RandomAccessReader {
  readonly #fd: number;
  readonly #size: number;
  #window: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

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
    if (this.#copy(buffer, offset, length, position)) {
      process.nextTick(callback, null);
      return;
    }
    const bytes = Buffer.allocUnsafe(Math.max(length, Math.min(windowBytes, this.#size - position)));
    read(this.#fd, bytes, 0, bytes.length, position, (error, bytesRead) => {
      if (error === null) this.#window = { start: position, bytes: bytes.subarray(0, bytesRead) };
      const whole = error === null && this.#copy(buffer, offset, length, position);
      callback(error ?? (whole ? null : new Error("it ended while it was read")));
    });
  }

  #copy(buffer: Buffer, offset: number, length: number, position: number): boolean {
    const { start, bytes } = this.#window;
    const from = position - start;
    if (from < 0 || from + length > bytes.length) return false;
    bytes.copy(buffer, offset, from, from + length);
    return true;
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
  /** @throws Error when there is not so much */
  read(start: number, length: number): Promise<Buffer>;
}

/**
 * Opens a zip file that may be hostile; nothing of its entries is looked at yet.
 * @throws Error when it is none, or not whole
 */
export async function openZip(path: string): Promise<OpenZip> {
  const fd = openSync(path, "r");
  try {
    const bytes = fstatSync(fd).size;
    const reader = new FileReader(fd, bytes);
    const zip = await fromRandomAccessReaderPromise(reader, bytes, { strictFileNames: true, autoClose: false });
    // Without a listener it would end the process; what matters is told by the promises as well.
    zip.on("error", () => {});
    return {
      zip,
      bytes,
      read: (start, length) =>
        new Promise((resolve, reject) => {
          const buffer = Buffer.alloc(length);
          reader.read(buffer, 0, length, start, (error) => (error === null ? resolve(buffer) : reject(error)));
        }),
      [Symbol.dispose]: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
