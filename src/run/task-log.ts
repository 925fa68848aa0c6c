import { createWriteStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "../clock.ts";
import { EnvironmentError, errorMessage } from "../errors.ts";
import { visibleText } from "../untrusted/characters.ts";
import { logLines } from "../untrusted/log.ts";

export type LogLevel = "DEBUG" | "INFO" | "WARNING" | "ERROR";

/** `task.log` of one attempt: truncated at the start, one `time [LEVEL] logger: message` per line (formats.md 4), times in UTC. */
export interface TaskLog {
  write(level: LogLevel, message: string): void;
  /** A line of foreign text (a command's output), cleaned of control characters. */
  foreign(source: string, text: string): void;
  /** Text as it is, without a time in front; already redacted. */
  raw(text: string): void;
  /** Waits until everything is on disk. @throws EnvironmentError when it could not be written */
  close(): Promise<void>;
}

/** Longest log that is kept per attempt, in bytes; what comes later is counted and dropped. */
const maxLogBytes = 50 * 1024 * 1024;

export interface TaskLogDeps {
  readonly clock: Clock;
  readonly redact: (text: string) => string;
}

/** Opens the log, making its directory. @throws EnvironmentError */
export async function openTaskLog(path: string, deps: TaskLogDeps): Promise<TaskLog> {
  await mkdir(dirname(path), { recursive: true });
  const stream = createWriteStream(path);
  let failure: Error | undefined;
  stream.on("error", (error) => {
    failure ??= error;
  });
  let bytes = 0;
  let dropped = 0;
  const writeText = (text: string): void => {
    const size = Buffer.byteLength(text);
    if (bytes + size > maxLogBytes) {
      dropped += 1;
      return;
    }
    bytes += size;
    stream.write(text);
  };
  const writeLine = (line: string): void => writeText(`${line}\n`);
  const stamp = (): string => deps.clock.now().toISOString().slice(0, 19).replace("T", " ");
  return {
    write(level, message) {
      writeLine(deps.redact(`${stamp()} [${level}] evalbatch: ${message}`));
    },
    foreign(source, text) {
      const prefix = `${stamp()} [INFO] evalbatch: [${source}] `;
      for (const line of logLines(deps.redact(text), prefix)) writeLine(line);
    },
    raw: writeText,
    async close() {
      if (dropped > 0) stream.write(`${stamp()} [WARNING] evalbatch: ${dropped} more lines were dropped (log over ${maxLogBytes} bytes)\n`);
      await new Promise<void>((resolve) => {
        if (stream.destroyed || failure !== undefined) resolve();
        else {
          stream.once("error", () => resolve());
          stream.end(() => resolve());
        }
      });
      if (failure !== undefined) {
        throw new EnvironmentError(isDiskFull(failure) ? "disk-full" : "log-write", `cannot write ${path}: ${errorMessage(failure)}`, {
          cause: failure,
        });
      }
    },
  };
}

/** The last `maxBytes` bytes of a log, from the start of a line, without ANSI and control characters. Empty when unreadable. */
export async function readLogTail(path: string, maxBytes: number): Promise<string> {
  try {
    await using file = await open(path, "r");
    const { size } = await file.stat();
    const start = Math.max(0, size - maxBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    const text = buffer.subarray(0, bytesRead).toString("utf8");
    const whole = start === 0 ? text : text.slice(text.indexOf("\n") + 1);
    return visibleText(whole);
  } catch {
    return "";
  }
}

function isDiskFull(error: Error): boolean {
  return "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
