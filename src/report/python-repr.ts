/** A JSON value in Python's notation (`{'a': None}`), as coder_eval's reports print settings and parameters. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value)
      .map(([key, item]) => `${quoted(key)}: ${pythonRepr(item)}`)
      .join(", ")}}`;
  }
  return String(value);
}

/** As an f-string prints it: texts bare, everything else as `repr`. */
export function pythonText(value: unknown): string {
  return typeof value === "string" ? value : pythonRepr(value);
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    // biome's rule against control characters in patterns: they are written as classes.
    .replace(/\p{Cc}/gu, (found) => `\\x${(found.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`);
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}
