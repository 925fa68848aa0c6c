import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { glob } from "tinyglobby";
import { InputError, type Issue } from "../errors.ts";
import { compareCodePoints } from "./code-points.ts";
import { didYouMean } from "./did-you-mean.ts";
import { quote } from "./found-text.ts";
import { type ClosedFolders, readdirOf, yamlFilesBelow } from "./list-folder.ts";
import { readFailure } from "./read-failure.ts";

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

interface Search extends PatternOptions {
  readonly closed: ClosedFolders;
}

const ignoredFolders = ["**/node_modules/**", "**/.git/**"];

/**
 * The files that patterns name, sorted by code point, each once: a file, a folder (every `.yaml` and `.yml` below,
 * without `node_modules` and `.git`), or a glob with `*`, `?`, `[…]`, `{a,b}` and `**`. What exists is taken literally,
 * whatever characters its name has. A leading `!` excludes from everything, wherever it stands. Links to folders are
 * not followed by `**`, so a loop of links is harmless.
 * @throws InputError naming every pattern that matches nothing, and every folder of tasks that cannot be looked into
 */
export async function findTaskFiles(patterns: readonly string[], options: PatternOptions): Promise<TaskFile[]> {
  const included = patterns.filter((pattern) => !pattern.startsWith("!"));
  const issues: Issue[] = [];
  if (included.length === 0) issues.push(noPattern(patterns[0]));
  const files = new Map<string, boolean>();
  const closed: ClosedFolders = new Map();
  for (const pattern of included) {
    const found = await expand(pattern, { ...options, closed });
    for (const [path, explicit] of found.files) files.set(path, (files.get(path) ?? false) || explicit);
    if (found.problem !== undefined) issues.push(issueOf("pattern-without-match", found.problem.message, found.problem.hint));
  }
  if (issues.length > 0) throw new InputError(issues);
  for (const pattern of patterns.filter((candidate) => candidate.startsWith("!"))) {
    const folder = resolve(options.cwd, pattern.slice(1));
    const excluded = (await expand(pattern.slice(1), { ...options, closed: new Map() })).files;
    const isBelow = (path: string): boolean => `${path}${sep}`.startsWith(folder + sep);
    for (const path of files.keys()) if (excluded.has(path) || isBelow(path)) files.delete(path);
    for (const path of closed.keys()) if (isBelow(path)) closed.delete(path);
  }
  if (closed.size > 0) throw new InputError([...closed].map(([path, why]) => closedFolder(nameOf(path, options.cwd), why)));
  return eachOnce([...files].map(([path, explicit]) => ({ path, name: nameOf(path, options.cwd), explicit })));
}

function issueOf(code: string, message: string, hint?: string): Issue {
  return { severity: "error", code, message, hint };
}

/** An exclusion alone; or a file whose name begins so. */
function noPattern(exclusion: string | undefined): Issue {
  const message = "no task file, folder or pattern is given";
  if (exclusion === undefined) return issueOf("no-pattern", message);
  return issueOf("no-pattern", message, `${quote(exclusion)} only leaves out; a file of that name is './${exclusion}'`);
}

function closedFolder(name: string, why: string): Issue {
  const hint = "make it readable, or leave it out: '!' and its name";
  return issueOf("unreadable", `the folder ${quote(name)} cannot be read: ${why}`, hint);
}

/** Relative to `cwd` where it lies below it, else absolute; always with `/`. */
export function nameOf(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  const name = inside === "" || /^\.\.(?:[\\/]|$)/.test(inside) || isAbsolute(inside) ? path : inside;
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

async function expand(pattern: string, options: Search): Promise<Found> {
  const home = options.home;
  const text = home !== undefined && /^~(?=[/\\]|$)/.test(pattern) ? join(home, pattern.slice(1)) : pattern;
  if (text.trim() === "") return { files: new Map(), problem: { message: "a pattern is empty" } };
  if (text.includes("\0")) return { files: new Map(), problem: { message: `the pattern ${quote(pattern)} holds a NUL character` } };
  for (const candidate of new Set([text, withSlashes(text, options.platform ?? process.platform)])) {
    const literal = resolve(options.cwd, candidate);
    const kind = await kindOf(literal);
    if (kind === "file") return { files: new Map([[literal, true]]) };
    if (kind === "folder") return inFolder(pattern, literal, options.closed);
    const problem = literalProblem(pattern, kind);
    if (problem !== undefined) return { files: new Map(), problem };
  }
  const found = await byGlob(pattern, withSlashes(text, options.platform ?? process.platform), options);
  // `tasks\\*.yaml` matches nothing as an escape: then it is a path from Windows.
  if (found.problem === undefined || !text.includes("\\")) return found;
  const separated = await byGlob(pattern, text.replaceAll("\\", "/"), options);
  return separated.problem === undefined ? separated : found;
}

/** `link`: to nothing, or to where nobody may look. `closed`: nobody may look there. */
type Kind = "file" | "folder" | "other" | "link" | "closed" | "missing";

/** Why what is named is no file of tasks; undefined for what may be a glob. */
function literalProblem(pattern: string, kind: Kind): Found["problem"] {
  switch (kind) {
    case "closed":
      return {
        message: `${quote(pattern)} cannot be read: permission denied`,
        hint: "check the permissions of the folders on the way to it",
      };
    case "link":
      return { message: `${quote(pattern)} is a link that leads nowhere` };
    case "other":
      return { message: `${quote(pattern)} is neither a file nor a folder` };
    default:
      return undefined;
  }
}

async function kindOf(path: string): Promise<Kind> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  } catch (error) {
    const isLink = await lstat(path).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    if (isLink) return "link";
    return readFailure(error) === "permission denied" ? "closed" : "missing";
  }
}

async function inFolder(pattern: string, folder: string, closed: ClosedFolders): Promise<Found> {
  const before = closed.size;
  const files = new Map((await yamlFilesBelow(folder, closed)).map((path) => [path, false]));
  if (files.size > 0 || closed.size > before) return { files };
  return { files, problem: { message: `the folder ${quote(pattern)} holds no .yaml or .yml file` } };
}

async function byGlob(pattern: string, text: string, { cwd, closed }: Search): Promise<Found> {
  if (!/[*?[\]{}()!+@]/.test(text)) {
    return { files: new Map(), problem: { message: `no such file or folder: ${quote(pattern)}`, hint: await nearest(text, cwd) } };
  }
  const before = closed.size;
  const found = await glob([text], {
    cwd,
    ignore: ignoredFolders.filter((folder) => !text.includes(folder.split("/")[1] ?? "")),
    absolute: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    fs: { readdir: readdirOf(closed) },
  });
  const files = new Map(found.map((path) => [resolve(path), false]));
  if (files.size > 0 || closed.size > before) return { files };
  return { files, problem: { message: `the pattern ${quote(pattern)} matches no file` } };
}

/** On Windows every `\` separates; elsewhere one before a glob character is an escape, any other a habit from Windows. */
function withSlashes(pattern: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? pattern.replaceAll("\\", "/") : pattern.replace(/\\(?![*?[\]{}()!+@])/g, "/");
}

/** The hint with a name beside a path that is not there, where one is like it. */
export async function nearest(path: string, cwd: string): Promise<string | undefined> {
  const full = resolve(cwd, path);
  const names = await readdir(dirname(full)).catch(() => []);
  const meant = didYouMean(basename(full), names);
  return meant === undefined ? undefined : `did you mean '${nameOf(join(dirname(full), meant), cwd)}'?`;
}
