// The shapes in which a secret comes back: an agent that prints a request shows it JSON-escaped, a basic-auth header
// holds it in base64 behind a user name, a log has one line of a key.

/** Shorter values are not hidden: `true` or `1234` everywhere would make the text unreadable and hide nothing. */
export const minSecretLength = 6;
const minDerivedLength = 8;

/** Base64 of the bytes wherever they stand in what was encoded: only the digits that no neighbour decides. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const forms = [bytes.toString("base64"), bytes.toString("base64url")];
  for (const before of [0, 1, 2]) {
    const digits = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const first = [0, 2, 3][before] ?? 0;
    const inner = digits.slice(first, Math.floor(((before + bytes.length) * 8) / 6));
    forms.push(inner, inner.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}

function percentForms(value: string): string[] {
  const encoded = encodeURIComponent(value.toWellFormed());
  const strict = encoded.replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
  const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (found) => found.toLowerCase());
  return [encoded, strict, strict.replaceAll("%20", "+"), lower(encoded), lower(strict)];
}

const jsonEscaped = (value: string): string => JSON.stringify(value).slice(1, -1);

function derivedForms(value: string): string[] {
  const json = jsonEscaped(value);
  const hex = Buffer.from(value).toString("hex");
  return [json, jsonEscaped(json), json.replaceAll("/", "\\/"), hex, hex.toUpperCase(), ...base64Forms(value), ...percentForms(value)];
}

/** Texts within a JSON document such as a service account key, at any depth; nothing when it is none. */
function jsonLeaves(value: string): string[] {
  if (!/^\s*[[{"]/.test(value)) return [];
  const leaves: string[] = [];
  try {
    JSON.parse(value, (_key, leaf: unknown) => {
      if (typeof leaf === "string") leaves.push(leaf);
      return leaf;
    });
  } catch {
    return [];
  }
  return leaves;
}

/** Every text that must not be seen for this secret, longest first. Empty for a value that is too short to hide. */
export function secretForms(secret: string): string[] {
  const forms = new Set<string>();
  const whole = [secret, secret.trim()].filter((value) => value.length >= minSecretLength);
  const parts = whole.flatMap((value) => [...value.split(/\r\n|[\r\n]/).map((line) => line.trim()), ...jsonLeaves(value)]);
  const partLines = parts.flatMap((part) => part.split(/\r\n|[\r\n]/)).map((line) => line.trim());
  for (const value of whole) forms.add(value);
  for (const value of [...parts, ...partLines]) if (value.length >= minDerivedLength) forms.add(value);
  for (const value of [...forms]) {
    for (const form of derivedForms(value)) if (form.length >= minDerivedLength) forms.add(form);
    forms.add(value.replaceAll("\r\n", "\n"));
  }
  return [...forms].sort((a, b) => b.length - a.length);
}
