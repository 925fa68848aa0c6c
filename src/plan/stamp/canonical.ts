import { type Hash, hash } from "node:crypto";

/** Hides secrets in a text. */
export type Redact = (text: string) => string;

/** Of 256 bits the first 128: enough that no two different contents have one, and half the size. */
const digestBytes = 16;

/** Hexadecimal, 128 bits. */
export function digestOf(content: string | Uint8Array): string {
  return hash("sha256", content, "buffer").toString("hex", 0, digestBytes);
}

/** The same of what was given piece by piece. */
export function finishDigest(pieces: Hash): string {
  return pieces.digest().toString("hex", 0, digestBytes);
}

/**
 * Values as JSON that is equal for equal values only: keys sorted, no blanks; what JSON has no word for (a number that is not finite or
 * too great, a date, binary data) as a mapping of one key that begins with `$`.
 * @param redact hides secrets in every text and key: what is hidden leaves no trace in a digest of it either
 * @param leftOut fields of the values themselves, not of what lies in them
 */
export function canonicalTexts(values: readonly unknown[], redact: Redact, leftOut: object = {}): string[] {
  const texts: string[] = [];
  const collect = (text: string): string => {
    texts.push(text);
    return text;
  };
  const plain = values.map((value) => textOf(value, collect, leftOut));
  // Asked once for all of them: hardly any has a secret.
  const all = texts.join("\n");
  return redact(all) === all ? plain : values.map((value) => textOf(value, redact, leftOut));
}

/** The same of one value. */
export function canonicalText(value: unknown, redact: Redact, leftOut?: object): string {
  return canonicalTexts([value], redact, leftOut).join("");
}

const nothingLeftOut = {};

function textOf(value: unknown, shown: Redact, leftOut: object): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(shown(value));
    case "boolean":
      return value ? "true" : "false";
    case "number":
      return Number.isFinite(value) ? JSON.stringify(value) : `{"$number":"${value}"}`;
    case "bigint":
      return `{"$number":"${value}"}`;
    case "object":
      return value === null ? "null" : objectText(value, shown, leftOut);
    default:
      return "null";
  }
}

function objectText(value: object, shown: Redact, leftOut: object): string {
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, shown, nothingLeftOut)).join(",")}]`;
  if (value instanceof Date) return `{"$time":"${value.getTime()}"}`;
  if (value instanceof Uint8Array) return `{"$bytes":"${digestOf(value)}"}`;
  if (value instanceof Map) return `{"$map":${objectText([...value], shown, nothingLeftOut)}}`;
  if (value instanceof Set) return `{"$set":${objectText([...value], shown, nothingLeftOut)}}`;
  let fields = "";
  for (const key of Object.keys(value).sort()) {
    const item: unknown = Reflect.get(value, key);
    if (item === undefined || Object.hasOwn(leftOut, key)) continue;
    fields += `${fields === "" ? "" : ","}${JSON.stringify(shown(key))}:${textOf(item, shown, nothingLeftOut)}`;
  }
  return `{${fields}}`;
}
