import type { Stats } from "node:fs";
import { sep } from "node:path";
import { type Env, expandPath } from "../expand-path.ts";
import { quote } from "../found-text.ts";
import type { Problem } from "../issues.ts";
import { statsOf } from "../stats-of.ts";
import type { PathField } from "./path-fields.ts";

/** Where paths are looked for. */
export interface PathPlace {
  /** Absolute folder of the file that sets the paths. */
  readonly folder: string;
  readonly env: Env;
  /** Where the block stands in that file, for problems: `["sandbox"]`, `["defaults", "agent"]`. */
  readonly path: readonly PropertyKey[];
}

/** `undefined`: a variable of it is not set. */
export type FoundFile =
  | { readonly kind: "undefined"; readonly problem: Problem }
  /** Absolute; `stats` is undefined when nothing is there. `problem` tells of a doubtful spelling. */
  | { readonly kind: "path"; readonly path: string; readonly stats: Stats | undefined; readonly problem?: Problem | undefined };

/**
 * What a path of a file means on this machine. Back slashes are taken as they are written where such a file exists; else they
 * are read as `/`, with a warning: a file written on Windows then means the same everywhere.
 */
export async function findFile(text: string, place: PathPlace): Promise<FoundFile> {
  const expanded = expandPath(text, place.folder, place.env);
  if (expanded.kind === "undefined") return { kind: "undefined", problem: undefinedVariable(expanded.variable, text, place.path) };
  const stats = await statsOf(expanded.path);
  if (stats !== undefined || sep === "\\" || !text.includes("\\")) return { kind: "path", path: expanded.path, stats };
  const slashed = expandPath(text.replaceAll("\\", "/"), place.folder, place.env);
  if (slashed.kind === "undefined") return { kind: "path", path: expanded.path, stats };
  const found = await statsOf(slashed.path);
  if (found === undefined) return { kind: "path", path: expanded.path, stats };
  const problem: Problem = {
    severity: "warning",
    code: "back-slash",
    path: place.path,
    message: `the path ${quote(text)} is read with '/' instead of '\\'`,
    hint: "write it with '/', which works on every system",
  };
  return { kind: "path", path: slashed.path, stats: found, problem };
}

/**
 * A variable that a path needs and that nobody has set: an error where paths are looked for at load.
 * @param outcome what happens without it, where coder_eval replaces it during the run: then a warning, so that what plans there plans here
 */
export function undefinedVariable(variable: string, text: string, path: readonly PropertyKey[], outcome?: string): Problem {
  return {
    severity: outcome === undefined ? "error" : "warning",
    code: "undefined-variable",
    path,
    message: `the variable '${variable}' in ${quote(text)} is not set`,
    hint: `set ${variable} in the environment${outcome === undefined ? "" : `, else ${outcome}`}`,
  };
}

/** What a missing file, or a folder where a file is wanted, means for the field. */
export function missingProblem(
  field: PathField,
  text: string,
  stats: Stats | undefined,
  path: readonly PropertyKey[],
): Problem | undefined {
  const { wanted, missing } = field;
  if (wanted === undefined || missing === undefined) return undefined;
  const fits = wanted.what === "file" ? stats?.isFile() : stats?.isDirectory();
  if (fits === true) return undefined;
  const message = stats === undefined ? `the ${wanted.noun} ${quote(text)} does not exist` : `${quote(text)} is no ${wanted.what}`;
  const where = field.base === "file" && stats === undefined ? whereHint(text) : undefined;
  const hint = [missing.severity === "warning" ? missing.outcome : undefined, where].filter((part) => part !== undefined).join("; ");
  return { severity: missing.severity, code: missing.code, path, message, hint: hint === "" ? undefined : hint };
}

/** What relative paths of a file start at, in words. */
export const fileFolder = "the folder of the file that names it";

function whereHint(text: string): string | undefined {
  const variable = /\$\{?(\w+)/.exec(text)?.[1];
  if (variable !== undefined) return `check what ${variable} is set to`;
  return /^(?:[/\\~]|[A-Za-z]:)/.test(text) ? undefined : `a relative path starts at ${fileFolder}`;
}
