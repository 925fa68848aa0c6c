import { isObject } from "../../results/tolerant.ts";

/** Characters at the beginning of a text in which the JSON must start (formats.md 5.4). */
const startWithin = 200;
/** Longer or deeper JSON is left in the text alone: it would be kept twice, and no writer of JSON takes any depth. */
const mostCharacters = 100_000;
export const mostDepth = 100;

/** The first JSON object or array that starts a line near the beginning of a tool's text, else null. */
export function resultDataOf(text: string): unknown {
  for (const { index } of text.slice(0, startWithin).matchAll(/^[ \t]*(?=[[{])/gmu)) {
    const json = bracketed(text, index + (/^[ \t]*/u.exec(text.slice(index, startWithin))?.[0].length ?? 0));
    if (json === undefined) continue;
    try {
      const value: unknown = JSON.parse(json);
      return value;
    } catch {
      // Something else in brackets, e.g. a line of a log.
    }
  }
  return null;
}

/** From a bracket to the one that closes it. */
function bracketed(text: string, start: number): string | undefined {
  let depth = 0;
  let inString = false;
  const end = Math.min(text.length, start + mostCharacters);
  for (let at = start; at < end; at += 1) {
    const character = text.charAt(at);
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") {
      depth += 1;
      if (depth > mostDepth) return undefined;
    } else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return text.slice(start, at + 1);
    }
  }
  return undefined;
}

/** Parameters as they are, unless they are nested too deeply to be written. */
export function writable(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => [key, isDeeper(value, mostDepth) ? "(nested too deeply)" : value]),
  );
}

function isDeeper(value: unknown, depth: number): boolean {
  if (depth === 0) return true;
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return inner.some((each) => isDeeper(each, depth - 1));
}
