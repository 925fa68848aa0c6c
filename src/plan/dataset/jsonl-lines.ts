import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";

/** One line of a file, without its end. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
}

export type LineProblem =
  | { readonly kind: "not-utf8"; readonly number: number }
  | { readonly kind: "too-long"; readonly number: number }
  | { readonly kind: "too-large" };

export interface LineLimits {
  readonly fileBytes: number;
  readonly lineBytes: number;
}

const newline = 0x0a;

/**
 * The lines of a UTF-8 text file as Python's text mode sees them: `\n`, `\r\n` and a lone `\r` end one; a byte order
 * mark at the start of the file is not part of the first. Holds one line and one chunk at a time. A problem is the
 * last thing it gives.
 * @throws what reading the file throws
 */
export async function* fileLines(path: string, limits: LineLimits): AsyncGenerator<Line | LineProblem> {
  let read = 0;
  let number = 0;
  let rest: Buffer[] = [];
  let restBytes = 0;
  const stream = createReadStream(path, { highWaterMark: 1024 * 1024 });
  try {
    for await (const chunk of stream) {
      if (!(chunk instanceof Buffer)) continue;
      read += chunk.length;
      if (read > limits.fileBytes) {
        yield { kind: "too-large" };
        return;
      }
      let from = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        const bytes = rest.length === 0 ? chunk.subarray(from, end) : Buffer.concat([...rest, chunk.subarray(from, end)]);
        rest = [];
        restBytes = 0;
        from = end + 1;
        for (const line of linesOf(bytes, number, limits)) {
          yield line;
          if ("kind" in line) return;
          number = line.number;
        }
      }
      restBytes += chunk.length - from;
      rest.push(chunk.subarray(from));
      if (restBytes > limits.lineBytes) {
        yield { kind: "too-long", number: number + 1 };
        return;
      }
    }
    if (restBytes > 0) yield* linesOf(Buffer.concat(rest), number, limits);
  } finally {
    stream.destroy();
  }
}

/** What stands between two `\n`: one line, or several where a lone `\r` ends some. */
function* linesOf(bytes: Buffer, before: number, limits: LineLimits): Generator<Line | LineProblem> {
  let number = before + 1;
  if (bytes.length > limits.lineBytes) {
    yield { kind: "too-long", number };
    return;
  }
  if (!isUtf8(bytes)) {
    yield { kind: "not-utf8", number };
    return;
  }
  const whole = bytes.toString("utf8");
  const text = before === 0 && whole.startsWith("\uFEFF") ? whole.slice(1) : whole;
  const body = text.endsWith("\r") ? text.slice(0, -1) : text;
  for (const part of body.includes("\r") ? body.split("\r") : [body]) {
    yield { number, text: part };
    number += 1;
  }
}
