/**
 * Python's `repr` of a float: the shortest digits that read back, `1.0`, `1e+16`, `1e-05`, `inf`, `nan`.
 */
export function formatPythonFloat(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  const sign = value < 0 ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

/**
 * Python's `f"{value:.2f}"`: rounds the exact binary value, ties to even (`0.125` → `0.12`, `2.675` → `2.67`).
 * @param digits 0 … 100
 */
export function formatFixed(value: number, digits: number, options: { readonly thousands?: boolean | undefined } = {}): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const text = roundedDigits(Math.abs(value), digits);
  const whole = digits === 0 ? text : text.slice(0, -digits);
  const grouped = options.thousands ? groupThousands(whole) : whole;
  return digits === 0 ? sign + grouped : `${sign}${grouped}.${text.slice(-digits)}`;
}

/** Python's `f"{value:,}"` of an integer. */
export function formatThousands(value: number | bigint): string {
  const text = BigInt(value).toString();
  return text.startsWith("-") ? `-${groupThousands(text.slice(1))}` : groupThousands(text);
}

/** Python's `round(value, digits)`: as `formatFixed`, read back. */
export function roundPython(value: number, digits: number): number {
  return Number.isFinite(value) ? Number(formatFixed(value, digits)) : value;
}

const groupThousands = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ",");

/** `value × 10^digits`, rounded half to even, as decimal digits with at least one before the point. Exact: by big integers. */
function roundedDigits(value: number, digits: number): string {
  const { mantissa, exponent } = binaryParts(value);
  const scaled = mantissa * 10n ** BigInt(digits);
  let rounded: bigint;
  if (exponent >= 0) rounded = scaled << BigInt(exponent);
  else {
    const shift = BigInt(-exponent);
    const half = 1n << (shift - 1n);
    const rest = scaled & ((1n << shift) - 1n);
    rounded = scaled >> shift;
    if (rest > half || (rest === half && (rounded & 1n) === 1n)) rounded += 1n;
  }
  return rounded.toString().padStart(digits + 1, "0");
}

/** A finite, non-negative number as `mantissa × 2^exponent`. */
function binaryParts(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const power = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & ((1n << 52n) - 1n);
  return power === 0 ? { mantissa: fraction, exponent: -1074 } : { mantissa: fraction | (1n << 52n), exponent: power - 1075 };
}
