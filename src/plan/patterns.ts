import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { glob } from "tinyglobby";
import { InputError, type Issue } from "../errors.ts";
import { compareCodePoints } from "./code-points.ts";
import { didYouMean } from "./did-you-mean.ts";
import { quote } from "./found-text.ts";

export interface TaskFile {
  /** Absolute. */
  readonly path: string;
  /** As messages and results name it: POSIX separators, relative to the working directory where it lies below it. */
  readonly name: string;
  /** Named itself, not found in a folder or by a glob: then it has to be a task. */
  readonly explicit: boolean;
}

interface Found {
  readonly files: ReadonlyMap<string, boolean>;
  readonly problem?: { readonly message: string; readonly hint?: string | undefined };
}

export interface PatternOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Home directory for a leading `~/`. */
  readonly home?: string | undefined;
  readonly platform?: NodeJS.Platform | undefined;
}

const ignoredFolders = ["**/node_modules/**", "**/.git/**"];

/**
 * The files that patterns name, sorted by code point, each once: a file, a folder (every `.yaml` and `.yml` below,
 * without `node_modules` and `.git`), or a glob with `*`, `?`, `[…]`, `{a,b}` and `**`. What exists is taken literally,
 * whatever characters its name has. A leading `!` excludes from everything, wherever it stands. Links to folders are
 * not followed by `**`, so a loop of links is harmless.
 * @throws InputError naming every pattern that matches nothing
 */
export async function findTaskFiles(patterns: readonly string[], options: PatternOptions): Promise<TaskFile[]> {
  const included = patterns.filter((pattern) => !pattern.startsWith("!"));
  const issues: Issue[] = [];
  if (included.length === 0) issues.push(issueOf("no-pattern", "no task file, folder or pattern is given"));
  const files = new Map<string, boolean>();
  for (const pattern of included) {
    const found = await expand(pattern, options);
    for (const [path, explicit] of found.files) files.set(path, (files.get(path) ?? false) || explicit);
    if (found.problem !== undefined) issues.push(issueOf("pattern-without-match", found.problem.message, found.problem.hint));
  }
  if (issues.length > 0) throw new InputError(issues);
  for (const pattern of patterns.filter((candidate) => candidate.startsWith("!"))) {
    const folder = resolve(options.cwd, pattern.slice(1));
    const excluded = (await expand(pattern.slice(1), options)).files;
    for (const path of files.keys()) if (excluded.has(path) || path.startsWith(folder + sep)) files.delete(path);
  }
  return eachOnce([...files].map(([path, explicit]) => ({ path, name: nameOf(path, options.cwd), explicit })));
}

function issueOf(code: string, message: string, hint?: string): Issue {
  return { severity: "error", code, message, hint };
}

/** Relative to `cwd` where it lies below it, else absolute; always with `/`. */
export function nameOf(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  const name = inside === "" || inside.startsWith("..") || isAbsolute(inside) ? path : inside;
  return sep === "\\" ? name.replaceAll("\\", "/") : name;
}

async function eachOnce(files: readonly TaskFile[]): Promise<TaskFile[]> {
  const seen = new Set<string>();
  const kept: TaskFile[] = [];
  for (const file of files.toSorted((a, b) => compareCodePoints(a.name, b.name))) {
    const real = await realpath(file.path).catch(() => file.path);
    if (seen.has(real)) continue;
    seen.add(real);
    kept.push(file);
  }
  return kept;
}

async function expand(pattern: string, options: PatternOptions): Promise<Found> {
  const home = options.home;
  const text = home !== undefined && /^~(?=[/\\]|$)/.test(pattern) ? join(home, pattern.slice(1)) : pattern;
  if (text.trim() === "") return { files: new Map(), problem: { message: "a pattern is empty" } };
  if (text.includes("\0")) return { files: new Map(), problem: { message: `the pattern ${quote(pattern)} holds a NUL character` } };
  for (const candidate of new Set([text, withSlashes(text, options.platform ?? process.platform)])) {
    const literal = resolve(options.cwd, candidate);
    const kind = await kindOf(literal);
    if (kind === "file") return { files: new Map([[literal, true]]) };
    if (kind === "folder") return inFolder(pattern, literal);
    if (kind === "other") return { files: new Map(), problem: { message: `${quote(pattern)} is neither a file nor a folder` } };
  }
  const found = await byGlob(pattern, withSlashes(text, options.platform ?? process.platform), options.cwd);
  // `tasks\\*.yaml` matches nothing as an escape: then it is a path from Windows.
  if (found.problem === undefined || !text.includes("\\")) return found;
  const separated = await byGlob(pattern, text.replaceAll("\\", "/"), options.cwd);
  return separated.problem === undefined ? separated : found;
}

async function kindOf(path: string): Promise<"file" | "folder" | "other" | "missing"> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  } catch {
    return "missing";
  }
}

async function inFolder(pattern: string, folder: string): Promise<Found> {
  const found = await search(["**/*.{yaml,yml}"], folder, ignoredFolders);
  if (found.length > 0) return { files: new Map(found.map((path) => [path, false])) };
  return { files: new Map(), problem: { message: `the folder ${quote(pattern)} holds no .yaml or .yml file` } };
}

async function byGlob(pattern: string, glob: string, cwd: string): Promise<Found> {
  if (!/[*?[\]{}()!+@]/.test(glob)) {
    return { files: new Map(), problem: { message: `no such file or folder: ${quote(pattern)}`, hint: await nearest(glob, cwd) } };
  }
  const ignore = ignoredFolders.filter((folder) => !glob.includes(folder.split("/")[1] ?? ""));
  const found = await search([glob], cwd, ignore);
  if (found.length > 0) return { files: new Map(found.map((path) => [path, false])) };
  return { files: new Map(), problem: { message: `the pattern ${quote(pattern)} matches no file` } };
}

async function search(patterns: string[], cwd: string, ignore: string[]): Promise<string[]> {
  const found = await glob(patterns, {
    cwd,
    ignore,
    absolute: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    expandDirectories: false,
  });
  const kinds = await Promise.all(found.map(kindOf));
  // A link to a folder or to nothing can have a name that matches.
  return found.filter((_path, index) => kinds[index] === "file").map((path) => resolve(path));
}

/** On Windows every `\` separates; elsewhere one before a glob character is an escape, any other a habit from Windows. */
function withSlashes(pattern: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? pattern.replaceAll("\\", "/") : pattern.replace(/\\(?![*?[\]{}()!+@])/g, "/");
}

async function nearest(path: string, cwd: string): Promise<string | undefined> {
  const full = resolve(cwd, path);
  const names = await readdir(dirname(full)).catch(() => []);
  const meant = didYouMean(basename(full), names);
  return meant === undefined ? undefined : `did you mean '${nameOf(join(dirname(full), meant), cwd)}'?`;
}
