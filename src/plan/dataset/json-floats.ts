/** A digit, then what makes a number a float: not found in most rows, and then there is nothing to look for. */
const floatMark = /[0-9](?:\.[0-9]|[eE][-+0-9])/;
const number = /-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;

/**
 * Names of the fields of a JSON object whose value is a number written as a float (`1.0`, `1e3`). A parser gives 1 for
 * `1.0`; in a text Python writes `1.0`.
 * @param text one JSON object that parses
 */
export function floatFields(text: string): ReadonlySet<string> | undefined {
  if (!floatMark.test(text)) return undefined;
  const names = new Set<string>();
  let depth = 0;
  let key = "";
  let afterColon = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && !afterColon) key = nameOf(text.slice(at, end));
      at = end - 1;
    } else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else if (depth === 1 && char === ":") {
      afterColon = true;
      // Of two equal keys the last one counts.
      names.delete(key);
    } else if (depth === 1 && char === ",") afterColon = false;
    else if (depth === 1 && /[-0-9]/.test(char)) {
      number.lastIndex = at;
      const found = number.exec(text)?.[0] ?? char;
      if (/[.eE]/.test(found)) names.add(key);
      at += found.length - 1;
    }
  }
  return names.size === 0 ? undefined : names;
}

/** Behind the closing quote. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x5c) at += 1;
    else if (char === 0x22) return at + 1;
  }
  return text.length;
}

function nameOf(quoted: string): string {
  return quoted.includes("\\") ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}
