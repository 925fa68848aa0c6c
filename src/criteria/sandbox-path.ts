import { PythonError } from "../python/python-error.ts";
import { decodePythonText } from "../python/text.ts";
import { hasGlobMagic } from "../sandbox/glob-match.ts";
import { createIgnore } from "../sandbox/templates/ignore-list.ts";
import type { CriterionContext } from "./criterion.ts";

/** More than this is not read: a check of half a file would be a silent lie. */
export const maxFileBytes = 50_000_000;

/** Where a criterion's path leads. `paths` are relative to the sandbox's `workDir`, sorted; several only for a pattern. */
export type Located =
  | { readonly kind: "found"; readonly path: string; readonly what: "file" | "directory" | "other" }
  | { readonly kind: "several"; readonly paths: readonly string[] }
  | { readonly kind: "missing" }
  | { readonly kind: "outside" };

/**
 * Finds what a criterion's path names (formats.md 2.1): a literal match wins, otherwise `*`, `?`, `[` are a pattern [0.9.6+], of which
 * matches with ignored names drop out. Links are followed, but nothing outside of the sandbox is ever looked at.
 */
export async function locate(path: string, context: CriterionContext): Promise<Located> {
  if (path.includes("\0")) throw new PythonError("ValueError", "embedded null byte");
  const literal = path === "" ? "." : path;
  const kind = await context.sandbox.kindOf(literal, context.signal);
  if (kind === "outside") return { kind: "outside" };
  if (kind !== "missing") return { kind: "found", path: literal, what: kind };
  if (!hasGlobMagic(path)) return { kind: "missing" };
  const ignored = context.ignoredNames ?? createIgnore([]);
  const matches = (await context.sandbox.glob(path, context.signal)).filter((match) => !isIgnored(match, path, ignored));
  const [only, ...more] = matches;
  if (only === undefined) return { kind: "missing" };
  if (more.length > 0) return { kind: "several", paths: matches };
  const matchKind = await context.sandbox.kindOf(only, context.signal);
  if (matchKind === "outside" || matchKind === "missing") return { kind: matchKind };
  return { kind: "found", path: only, what: matchKind };
}

/** A name that the pattern found, not one that it spells out, is dropped when it is on the ignore list. */
function isIgnored(match: string, pattern: string, ignored: (name: string) => boolean): boolean {
  const spelled = new Set(pattern.split("/"));
  return match.split("/").some((name) => !spelled.has(name) && ignored(name));
}

/** A file's text, or why there is none; a directory, a device or a file that is no text throws, as reading it does in Python. */
export type TextRead = { readonly kind: "text"; readonly text: string } | { readonly kind: "none"; readonly error: string };

/** @throws PythonError (`UnicodeDecodeError`, `IsADirectoryError`, `ValueError`, `OSError`) */
export async function readText(path: string, context: CriterionContext): Promise<TextRead> {
  const located = await locate(path, context);
  if (located.kind === "missing") return { kind: "none", error: `File '${path}' does not exist` };
  if (located.kind === "outside") return { kind: "none", error: outsideError(path) };
  if (located.kind === "several") throw severalError(path, located.paths);
  const shown = located.path === "." ? context.sandbox.workDir : `${context.sandbox.workDir.replace(/\/$/, "")}/${located.path}`;
  if (located.what === "directory") throw new PythonError("IsADirectoryError", `[Errno 21] Is a directory: '${shown}'`);
  const read = await context.sandbox.readFile(located.path, maxFileBytes, context.signal);
  switch (read.kind) {
    case "read":
      return { kind: "text", text: decodePythonText(read.bytes) };
    case "too large":
      return { kind: "none", error: `File '${path}' is too large to check: ${read.bytes} bytes, at most ${maxFileBytes} are read` };
    case "missing":
      return { kind: "none", error: `File '${path}' does not exist` };
    case "outside":
      return { kind: "none", error: outsideError(path) };
    case "directory":
    case "other":
      throw new PythonError("OSError", `not a regular file: '${shown}'`);
  }
}

export function outsideError(path: string): string {
  return `Path '${path}' leads outside the sandbox`;
}

/** @throws never; the error to throw when a pattern must mean one file and means several */
export function severalError(path: string, paths: readonly string[]): PythonError {
  const shown = paths.slice(0, 5).join(", ");
  const more = paths.length > 5 ? `, and ${paths.length - 5} more` : "";
  return new PythonError("ValueError", `pattern '${path}' matches ${paths.length} files, needs exactly one: ${shown}${more}`);
}
