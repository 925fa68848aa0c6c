import { pythonJsonDumps } from "../../python/repr.ts";
import type { ToolCall } from "../criterion.ts";
import { firstChars } from "./examples.ts";
import { normaliseShell } from "./normalise-shell.ts";

/** Characters of a call's text that are searched at once, and by how many a window overlaps the one before. */
const windowChars = 2_000;
const overlapChars = 256;

/** What patterns are searched in, for one call (formats.md 2.2). */
export interface SearchTexts {
  /** As in 0.8.2: the first 2,000 characters. */
  readonly base: string;
  /** The shell-normalised form [0.9.5+], and the rest of a long shell command [0.12.7+]. */
  readonly wider: readonly string[];
}

/** The shell command of a call; undefined for other tools, and for a shell call without one. */
export function shellCommandOf(call: ToolCall): string | undefined {
  const { command } = call.parameters;
  return call.tool_name === "Bash" && typeof command === "string" && command !== "" ? command : undefined;
}

export function searchTextsOf(call: ToolCall): SearchTexts {
  const command = shellCommandOf(call);
  if (command === undefined) return { base: firstChars(pythonJsonDumps(call.parameters), windowChars), wider: [] };
  const [base = "", ...windows] = windowsOf(command);
  const normal = normaliseShell(command);
  return { base, wider: [...windows, ...(normal === command ? [] : windowsOf(normal))] };
}

/** How a call is shown as an example. */
export function exampleOf(call: ToolCall): string {
  return shellCommandOf(call) ?? `${call.tool_name}(${firstChars(pythonJsonDumps(call.parameters), windowChars)})`;
}

function windowsOf(text: string): string[] {
  if (text.length <= windowChars) return [text];
  const characters = [...text];
  const windows: string[] = [];
  for (let from = 0; ; from += windowChars - overlapChars) {
    windows.push(characters.slice(from, from + windowChars).join(""));
    if (from + windowChars >= characters.length) return windows;
  }
}
