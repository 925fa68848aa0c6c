// A secret may be a document: a key of many lines, a service account in JSON, a file of settings, an address with a
// password. What is secret in it comes back alone as well. Not every value in it is: `service_account` hidden in all
// texts would help nobody.

import { isPlainValue, isPlainWords } from "./plain-value.ts";
import { looksSecret } from "./secret-names.ts";

/** The parts of a secret that are secrets themselves; any length. */
export function secretParts(secret: string): string[] {
  const parts = [...lineParts(secret), ...jsonParts(secret), ...addressParts(secret)];
  return [...new Set(parts)].filter((part) => part !== secret);
}

/** Lines of a value of several, and in each what stands behind `NAME=` or `name: `. */
function lineParts(value: string): string[] {
  const lines = value.split(/\r\n|[\r\n]/).map((line) => line.trim());
  return lines.length < 2 ? [] : lines.flatMap((line) => [line, ...settingParts(line)]);
}

const setting = /^(?:export\s+|-\s+)?["']?([\w./:@-]{1,100}?)["']?(?:\s*=\s*|:\s+)(["']?)(.+)\2,?$/;

function settingParts(line: string): string[] {
  const [, name = "", , value = ""] = setting.exec(line) ?? [];
  return partOf(name, value);
}

/** Texts within a JSON document, at any depth; nothing when it is none. */
function jsonParts(value: string): string[] {
  if (!/^\s*[[{"]/.test(value)) return [];
  const parts: string[] = [];
  try {
    JSON.parse(value, (key, leaf: unknown) => {
      if (typeof leaf === "string") parts.push(...partOf(key, leaf), ...lineParts(leaf));
      return leaf;
    });
  } catch {
    return [];
  }
  return parts;
}

/** A word is a secret where it is called one: a weak password. */
function partOf(name: string, value: string): string[] {
  const isSecret = !isPlainValue(value) || (isPlainWords(value) && looksSecret(name));
  return isSecret && value !== "" ? [value, ...addressParts(value)] : [];
}

/** The password of an address, and a user name that is as long as a token, as written and decoded. */
function addressParts(value: string): string[] {
  const text = value.trim();
  if (/\s/.test(text) || !/^[a-z][a-z0-9+.-]*:\/\/[^/]*@/i.test(text) || !URL.canParse(text)) return [];
  const { username, password } = new URL(text);
  const written = [password, ...(username.length >= 20 ? [username] : [])].filter((part) => part !== "");
  return written.flatMap((part) => [part, decoded(part)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
