import type { Redacted, Redactor } from "../redact.ts";

const tokens = /"(?:[^"\\]|\\[\s\S])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Redacts a JSON document so that it can still be read: a number that holds a secret becomes a string, and a mask never splits an escape. A
 * document that was none, or that stays broken all the same, is redacted as any text: rather unreadable than a secret.
 */
export function redactJson(text: string, redactor: Redactor): Redacted {
  const plain = redactor.redact(text);
  if (plain.count === 0 || isJson(plain.text) || !isJson(text)) return plain;
  let count = 0;
  const careful = text.replace(tokens, (token) => {
    const redacted = token.startsWith('"') ? redactString(token, redactor) : redactNumber(token, redactor);
    count += redacted.count;
    return redacted.text;
  });
  return isJson(careful) && redactor.redact(careful).count === 0 ? { text: careful, count } : plain;
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
