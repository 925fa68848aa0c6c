// What a scalar means to PyYAML's safe loader (YAML 1.1 as it implements it). Facts: test/fixtures/plan/yaml.json.

/** A date or a date with time, as YAML 1.1 reads `2026-07-07`. Never text: a text field refuses it, the author has to quote it. */
export class YamlTimestamp {
  readonly kind: "date" | "datetime";
  /** Python's `isoformat()`. */
  readonly text: string;
  constructor(kind: "date" | "datetime", text: string) {
    this.kind = kind;
    this.text = text;
  }
  toJSON(): string {
    return this.text;
  }
}

export type ScalarKind = "str" | "int" | "float" | "bool" | "null" | "timestamp" | "binary" | "merge" | "value";

/** A scalar whose text does not fit its tag, e.g. the 30th of February; the message goes on after the text. */
export class ScalarError extends Error {}

const boolText = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;
const floatText =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const intText = /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const nullText = /^(?:~|null|Null|NULL|)$/;
const dateText = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const timestampText =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?(?:[ \t]*(?:(Z)|([-+])([0-9]{1,2})(?::([0-9]{2}))?))?)?$/;

/** The kind of a plain (unquoted, untagged) scalar. */
export function plainKind(text: string): ScalarKind {
  // Most scalars are prose: the first character decides for nearly all of them.
  switch (text.charCodeAt(0) | 0x20) {
    case 0x79: // y
    case 0x74: // t
    case 0x66: // f
    case 0x6f: // o
      return boolText.test(text) ? "bool" : "str";
    case 0x6e: // n
      return boolText.test(text) ? "bool" : nullText.test(text) ? "null" : "str";
  }
  const first = text[0];
  if (first === undefined || first === "~") return nullText.test(text) ? "null" : "str";
  if (first === "=") return text === "=" ? "value" : "str";
  if (first === "<") return text === "<<" ? "merge" : "str";
  if (!(first === "-" || first === "+" || first === "." || (first >= "0" && first <= "9"))) return "str";
  if (floatText.test(text)) return "float";
  if (intText.test(text)) return "int";
  return first >= "0" && first <= "9" && isTimestamp(text) ? "timestamp" : "str";
}

/** Without a tag, a date alone needs two-digit months and days. */
function isTimestamp(text: string): boolean {
  return dateText.test(text) || timestampText.exec(text)?.[4] !== undefined;
}

/** The value of a scalar of the given kind. @throws ScalarError */
export function scalarValue(kind: ScalarKind, text: string): unknown {
  switch (kind) {
    case "str":
    case "value":
    case "merge":
      return text;
    case "null":
      return null;
    case "bool":
      return toBool(text);
    case "int":
      return toInt(text);
    case "float":
      return toFloat(text);
    case "timestamp":
      return toTimestamp(text);
    case "binary":
      return toBinary(text);
  }
}

function toBool(text: string): boolean {
  const word = text.toLowerCase();
  if (word === "yes" || word === "true" || word === "on") return true;
  if (word === "no" || word === "false" || word === "off") return false;
  throw new ScalarError("is no boolean");
}

function base60(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** Integers beyond 2^53 come as `bigint`: no field takes them, and rounding them silently would be worse. */
function toInt(text: string): number | bigint {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  const plain = text.trim().replaceAll("_", "");
  const digits = plain.replace(/^[-+]/, "");
  const negative = plain.startsWith("-");
  // Python's own limit for decimal ones; a longer one takes longer to write than a file to read.
  if (digits.length > 4300) throw new ScalarError("is no integer that can be read: it is too long");
  let value: number | bigint;
  if (/^(?:[1-9][0-9]*(?::[0-5]?[0-9])+)$/.test(digits)) value = base60(digits.split(":"));
  else if (digits === "0") value = 0;
  else if (/^0b[01]+$/.test(digits) || /^0x[0-9a-fA-F]+$/.test(digits)) value = BigInt(digits);
  else if (/^0(?:o)?[0-7]+$/.test(digits)) value = BigInt(`0o${digits.replace(/^0o?/, "") || "0"}`);
  else if (/^[1-9][0-9]*$/.test(digits)) value = BigInt(digits);
  else throw new ScalarError("is no integer");
  const signed = negative ? -value : value;
  return Number.isSafeInteger(Number(signed)) ? Number(signed) + 0 : signed;
}

function toFloat(text: string): number {
  if (/^[0-9]+\.[0-9]*$/.test(text)) return Number(text);
  const plain = text.trim().replaceAll("_", "").toLowerCase();
  const sign = plain.startsWith("-") ? -1 : 1;
  const digits = plain.replace(/^[-+]/, "");
  if (digits === ".inf" || digits === "inf" || digits === "infinity") return sign * Number.POSITIVE_INFINITY;
  if (digits === ".nan" || digits === "nan") return Number.NaN;
  if (digits.includes(":") && /^[0-9]+(?::[0-9]+)*(?:\.[0-9]*)?$/.test(digits)) return sign * base60(digits.split(":"));
  if (!/^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?$/.test(digits)) throw new ScalarError("is no number");
  return sign * Number(digits);
}

function toTimestamp(text: string): YamlTimestamp {
  const match = timestampText.exec(text);
  if (match === null) throw new ScalarError("is no date");
  const [, year = "", month = "", day = "", hour, minute = "", second = "", fraction, , sign, zoneHour, zoneMinute] = match;
  const two = (part: string) => part.padStart(2, "0");
  const date = `${year}-${two(month)}-${two(day)}`;
  if (!isDate(Number(year), Number(month), Number(day))) throw new ScalarError("is no day of the calendar");
  if (hour === undefined) return new YamlTimestamp("date", date);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw new ScalarError("is no time of day");
  const micros = (fraction ?? "").slice(0, 6).padEnd(6, "0");
  const zone = match[8] !== undefined ? "+00:00" : sign === undefined ? "" : zoneText(sign, Number(zoneHour), Number(zoneMinute ?? 0));
  return new YamlTimestamp("datetime", `${date}T${two(hour)}:${minute}:${second}${micros === "000000" ? "" : `.${micros}`}${zone}`);
}

function zoneText(sign: string, hours: number, minutes: number): string {
  const total = hours * 60 + minutes;
  if (total >= 24 * 60) throw new ScalarError("has an impossible time zone");
  const two = (part: number) => String(part).padStart(2, "0");
  return `${total === 0 ? "+" : sign}${two(Math.trunc(total / 60))}:${two(total % 60)}`;
}

function isDate(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

/** Python's lenient `decodebytes`: foreign characters are skipped, wrong padding is an error. */
function toBinary(text: string): Uint8Array {
  if (/[^\0-\x7f]/.test(text)) throw new ScalarError("is no binary data: it holds characters that are not ASCII");
  const kept = text.replace(/[^A-Za-z0-9+/=]/g, "");
  const match = /^([A-Za-z0-9+/]*)(=*)/.exec(kept);
  const data = match?.[1] ?? "";
  const missing = (4 - (data.length % 4)) % 4;
  if (missing === 3 || (match?.[2] ?? "").length < missing) throw new ScalarError("is no binary data: it is not valid base64");
  return new Uint8Array(Buffer.from(data, "base64"));
}
