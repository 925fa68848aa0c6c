import type { Redacted, Redactor } from "../redact.ts";

const tokens = /"(?:[^"\\]|\\[\s\S])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Characters that are worked on without a break. */
const pieceChars = 256 * 1024;

/**
 * Redacts a JSON document so that it can still be read: a number that holds a secret becomes a string, and a mask never splits an escape. A
 * document that was none, or that stays broken all the same, is redacted as any text: rather unreadable than a secret.
 * @param goOn called again and again: gives others their turn, and tells whether there is time for more
 * @returns undefined when there was none
 */
export async function redactJson(text: string, redactor: Redactor, goOn: () => Promise<boolean>): Promise<Redacted | undefined> {
  const plain = await redactAll(text, redactor, goOn);
  if (plain === undefined || plain.count === 0 || isJson(plain.text) || !isJson(text)) return plain;
  const pieces: string[] = [];
  let count = 0;
  let from = 0;
  let turnAt = pieceChars;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const redacted = token.startsWith('"') ? redactString(token, redactor) : redactNumber(token, redactor);
    pieces.push(text.slice(from, index), redacted.text);
    count += redacted.count;
    from = index + token.length;
    if (from < turnAt) continue;
    if (!(await goOn())) return undefined;
    turnAt = from + pieceChars;
  }
  const careful = pieces.join("") + text.slice(from);
  const again = isJson(careful) ? await redactAll(careful, redactor, goOn) : plain;
  return again?.count === 0 ? { text: careful, count } : again && plain;
}

async function redactAll(text: string, redactor: Redactor, goOn: () => Promise<boolean>): Promise<Redacted | undefined> {
  if (text.length <= pieceChars) return redactor.redact(text);
  const stream = redactor.stream();
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieceChars) {
    if (!(await goOn())) return undefined;
    pieces.push(stream.write(text.slice(at, at + pieceChars)));
  }
  pieces.push(stream.end());
  return { text: pieces.join(""), count: stream.count };
}

function redactNumber(token: string, redactor: Redactor): Redacted {
  const { count } = redactor.redact(token);
  return { text: count === 0 ? token : '"***"', count };
}

function redactString(token: string, redactor: Redactor): Redacted {
  const plain = redactor.redact(token);
  if (plain.count === 0 || isJson(plain.text)) return plain;
  return { text: '"***"', count: plain.count };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
