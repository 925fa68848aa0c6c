import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, readSync, unlinkSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { EnvironmentError } from "../../errors.ts";

/** One real pipe: the write end for the child, the read end for us. */
export interface OutputPipe {
  /** Hand to `spawn`, then close with `closeWriteEnd`. */
  readonly writeFd: number;
  readonly closeWriteEnd: () => void;
  readonly onData: (listener: (chunk: Uint8Array) => void) => void;
  /** Reads at once what is in the pipe now; `open` when somebody still holds the write end. */
  readonly drain: () => "ended" | "open";
  readonly destroy: () => void;
}

export interface PipeSource {
  open(): Promise<OutputPipe>;
}

/** What a pipe can hold at most on Linux: more cannot be waiting when a process has ended. */
const maxPipeBytes = 1 << 20;
const batch = 16;

/**
 * Makes pipes out of named ones in `directory`. Node's own "pipe" is a socket pair, and a socket can't be opened through `/dev/stdout`
 * or `/dev/stderr`: `echo no > /dev/stderr` would fail in a task. Sixteen names are made by one `mkfifo`.
 */
export function createPipeSource(directory: string): PipeSource {
  let ready: string[] = [];
  let making: Promise<void> | undefined;
  const make = async (): Promise<void> => {
    const names = Array.from({ length: batch }, () => join(directory, `pipe-${randomBytes(8).toString("hex")}`));
    try {
      await promisify(execFile)("mkfifo", ["-m", "600", ...names]);
    } catch (error) {
      throw new EnvironmentError("no-pipes", `cannot make pipes in ${directory}`, { cause: error, hint: "install mkfifo (coreutils)" });
    }
    ready = [...ready, ...names];
  };
  return {
    async open() {
      while (ready.length === 0) {
        making ??= make().finally(() => {
          making = undefined;
        });
        await making;
      }
      return openPipe(ready.pop() ?? "");
    },
  };
}

function openPipe(path: string): OutputPipe {
  // Read end first and without waiting: then the write end opens at once.
  const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let writeFd: number;
  try {
    writeFd = openSync(path, constants.O_WRONLY);
  } catch (error) {
    closeSync(readFd);
    throw error;
  }
  unlinkSync(path);
  const socket = new Socket({ fd: readFd, readable: true, writable: false });
  let listener: (chunk: Uint8Array) => void = () => {};
  socket.on("data", (chunk) => listener(chunk));
  // An error of the read end can only mean that it is closed: the exec's result tells what became of the process.
  socket.on("error", () => {});
  let writeOpen = true;
  const closeWriteEnd = (): void => {
    if (writeOpen) closeSync(writeFd);
    writeOpen = false;
  };
  return {
    writeFd,
    closeWriteEnd,
    onData: (next) => {
      listener = next;
    },
    drain: () => {
      if (socket.destroyed || socket.readableEnded) return "ended";
      const buffer = Buffer.allocUnsafe(65_536);
      for (let total = 0; total < maxPipeBytes; ) {
        let count: number;
        try {
          count = readSync(readFd, buffer);
        } catch {
          return "open";
        }
        if (count === 0) return "ended";
        listener(buffer.subarray(0, count));
        total += count;
      }
      return "open";
    },
    destroy: () => {
      closeWriteEnd();
      socket.destroy();
    },
  };
}
