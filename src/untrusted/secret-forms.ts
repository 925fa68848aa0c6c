// The shapes in which a secret comes back: an agent that prints a request shows it JSON-escaped, a basic-auth header
// holds it in base64 behind a user name, a log has one line of a key.

import { isOwnWord } from "./own-words.ts";
import { secretParts } from "./secret-parts.ts";

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
    // Programs break it into lines of 76 digits, or 64; where the secret is all of it, the lines are these.
    if (before === 0) for (const width of [76, 64]) if (inner.length > width) forms.push(...chunks(inner, width));
  }
  return forms;
}

function chunks(text: string, width: number): string[] {
  return Array.from({ length: Math.ceil(text.length / width) }, (_, index) => text.slice(index * width, (index + 1) * width));
}

function percentForms(value: string): string[] {
  const encoded = encodeURIComponent(value.toWellFormed());
  const strict = encoded.replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
  const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (found) => found.toLowerCase());
  const inUserInfo = strict.replace(/%2[146789ABC]|%3[BD]|%40/g, (found) => decodeURIComponent(found));
  return [encoded, strict, strict.replaceAll("%20", "+"), lower(encoded), lower(strict), inUserInfo, encodeURI(value.toWellFormed())];
}

const jsonEscaped = (value: string): string => JSON.stringify(value).slice(1, -1);
const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Writers of JSON differ in what they escape beyond what they must: `/`, what is not ASCII (Python), what is HTML (Go). */
function jsonForms(value: string): string[] {
  const json = jsonEscaped(value);
  const ascii = json.replace(/[\u0080-\uffff]/g, unicodeEscape);
  const html = json.replace(/[<>&\u2028\u2029]/g, unicodeEscape);
  const upper = (text: string): string => text.replace(/\\u[0-9a-f]{4}/g, (found) => `\\u${found.slice(2).toUpperCase()}`);
  return [json, jsonEscaped(json), json.replaceAll("/", "\\/"), ascii, jsonEscaped(ascii), html, upper(ascii), upper(html)];
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** With the ways to write an apostrophe, and with quotes left alone as in the text between tags. */
function htmlForms(value: string): string[] {
  const text = value.replace(/[&<>]/g, (found) => entities[found] ?? found);
  const quoted = text.replaceAll('"', "&quot;");
  return [text, quoted, ...["&#39;", "&#x27;", "&apos;", "&#039;"].map((quote) => quoted.replaceAll("'", quote))];
}

/** Within single quotes of a shell, of YAML, of Python or JavaScript; behind backslashes as `printf %q` puts them. */
function quotedForms(value: string): string[] {
  const slashed = value.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  const shell = value.replace(/[^\w@%+=:,./\n-]/g, "\\$&");
  return [value.replaceAll("'", "'\\''"), value.replaceAll("'", `'"'"'`), value.replaceAll("'", "''"), slashed, shell];
}

function derivedForms(value: string): string[] {
  const hex = Buffer.from(value).toString("hex");
  const escaped = [...jsonForms(value), ...htmlForms(value), ...quotedForms(value)];
  return [...escaped, hex, hex.toUpperCase(), ...base64Forms(value), ...percentForms(value)];
}

/** Every text that must not be seen for this secret, longest first. Empty for a value that is too short to hide, or a word of our own files. */
export function secretForms(secret: string): string[] {
  const forms = new Set<string>();
  const whole = [secret, secret.trim()].filter((value) => value.length >= minSecretLength && !isOwnWord(value));
  for (const value of whole) forms.add(value);
  for (const value of whole.flatMap(secretParts)) if (value.length >= minDerivedLength && !isOwnWord(value)) forms.add(value);
  for (const value of [...forms]) {
    for (const form of derivedForms(value)) if (form.length >= minDerivedLength) forms.add(form);
    forms.add(value.replaceAll("\r\n", "\n"));
  }
  return [...forms].sort((a, b) => b.length - a.length);
}
