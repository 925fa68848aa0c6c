import { looksSecret } from "./secret-names.ts";

/** What must not stand in any file or line of a variable: all of it going by its name, or the parts of it that let somebody in. */
export function secretValues(name: string, value: string): string[] {
  if (looksSecret(name)) return [value];
  if (/HEADERS?$/i.test(name)) return [value, ...headerValues(value)];
  return passwordOf(value);
}

/** Of headers in lines or as a JSON object; of `Bearer x` also the `x`, which is what a service tells again. */
function headerValues(text: string): string[] {
  const values = fromJson(text) ?? text.split(/\r?\n/).map((line) => line.slice(line.indexOf(":") + 1));
  return values.flatMap((value) => {
    const trimmed = value.trim();
    const credential = /^\S+\s+(\S+)$/.exec(trimmed)?.[1];
    return credential === undefined ? [trimmed] : [trimmed, credential];
  });
}

function fromJson(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? Object.values(value).filter((each) => typeof each === "string") : undefined;
  } catch {
    return undefined;
  }
}

/** Of an address `https://user:password@host`, as it stands and decoded. */
function passwordOf(value: string): string[] {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*?:([^/?#\s]+)@/i.exec(value)?.[1];
  if (password === undefined) return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
