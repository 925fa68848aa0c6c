import { type Hash, hash } from "node:crypto";
import { compareCodePoints } from "../code-points.ts";

/** Hides secrets in a text. */
export type Redact = (text: string) => string;

/** Of 256 bits the first 128: enough that no two different contents have one, and half the size. */
const digits = 32;

/** Hexadecimal, 128 bits. */
export function digestOf(content: string | Uint8Array): string {
  return hash("sha256", content, "hex").slice(0, digits);
}

/** The same of what was given piece by piece. */
export function finishDigest(pieces: Hash): string {
  return pieces.digest("hex").slice(0, digits);
}

/**
 * A value as JSON that is equal for equal values only: keys sorted, no blanks; what JSON has no word for (a number that is not finite or
 * too great, a date, binary data) as a mapping of one key that begins with `$`.
 * @param redact is asked for every text and every key: what is hidden leaves no trace in a digest of it either
 */
export function canonicalText(value: unknown, redact: Redact): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(redact(value));
    case "boolean":
      return String(value);
    case "number":
      return Number.isFinite(value) ? JSON.stringify(value) : `{"$number":"${value}"}`;
    case "bigint":
      return `{"$number":"${value}"}`;
    case "object":
      return objectText(value, redact);
    default:
      return "null";
  }
}

function objectText(value: object | null, redact: Redact): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, redact)).join(",")}]`;
  if (value instanceof Date) return `{"$time":${JSON.stringify(String(value.getTime()))}}`;
  if (value instanceof Uint8Array) return `{"$bytes":"${digestOf(value)}"}`;
  if (value instanceof Map) return `{"$map":${canonicalText([...value], redact)}}`;
  if (value instanceof Set) return `{"$set":${canonicalText([...value], redact)}}`;
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  fields.sort(([left], [right]) => compareCodePoints(left, right));
  return `{${fields.map(([key, item]) => `${JSON.stringify(redact(key))}:${canonicalText(item, redact)}`).join(",")}}`;
}
