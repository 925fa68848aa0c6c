import { readdir } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { InputError, type Issue } from "../../errors.ts";
import { compareCodePoints } from "../code-points.ts";
import { didYouMean } from "../did-you-mean.ts";
import { type Env, expandPath } from "../expand-path.ts";
import { quote } from "../found-text.ts";
import { nameOf, nearest } from "../patterns.ts";
import { statsOf } from "../stats-of.ts";

export interface ExperimentFile {
  /** Absolute. */
  readonly path: string;
  /** As messages name it: POSIX separators, relative to the working directory where it lies below it. */
  readonly name: string;
}

export interface FindOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Env;
}

const folder = "experiments";
const extensions = [".yaml", ".yml"];
const maxListed = 10;

/**
 * The file that `name` means: a path when it has a separator or an extension, or holds `$` or `~`; else
 * `experiments/<name>.yaml` or `.yml` below the working directory, and never a file or folder of that very name.
 * @throws InputError with what may have been meant
 */
export async function findExperiment(name: string, { cwd, env }: FindOptions): Promise<ExperimentFile> {
  if (name.trim() === "")
    throw refusal("no-experiment", "the name of the experiment is empty", `give a path, or the name of a file in ${folder}/`);
  if (name.includes("\0")) throw refusal("no-experiment", `the path ${quote(name)} holds a NUL character`);
  const isPath = /[\\/$~]/.test(name) || extname(name) !== "";
  return isPath ? await byPath(name, cwd, env) : await byName(name, cwd);
}

async function byPath(text: string, cwd: string, env: Env): Promise<ExperimentFile> {
  const candidates = new Set([text, text.replaceAll("\\", "/")]);
  let missing: string | undefined;
  for (const candidate of candidates) {
    const expanded = expandPath(candidate, cwd, env);
    if (expanded.kind === "undefined") {
      const message = `the variable '${expanded.variable}' in the path ${quote(text)} of the experiment is not set`;
      throw refusal("undefined-variable", message, `set ${expanded.variable} in the environment`);
    }
    const kind = await kindOf(expanded.path);
    if (kind === "file") return { path: expanded.path, name: nameOf(expanded.path, cwd) };
    if (kind !== "missing") {
      const hint = kind === "folder" ? await listed(expanded.path, cwd) : undefined;
      throw refusal("not-a-file", `the experiment ${quote(text)} is ${kind === "folder" ? "a folder" : "no file"}`, hint);
    }
    missing = expanded.path;
  }
  const hint = missing === undefined ? undefined : await nearest(missing, cwd);
  throw refusal("missing-file", `the experiment file ${quote(text)} does not exist`, hint);
}

async function byName(name: string, cwd: string): Promise<ExperimentFile> {
  const base = resolve(cwd, folder);
  const found: string[] = [];
  for (const extension of extensions) {
    const path = join(base, name + extension);
    if ((await kindOf(path)) === "file") found.push(path);
  }
  const [path, other] = found;
  if (path !== undefined && other !== undefined) {
    const both = found.map((each) => quote(nameOf(each, cwd))).join(" and ");
    throw refusal("ambiguous-name", `the experiment ${quote(name)} may be ${both}`, "name the file itself");
  }
  if (path !== undefined) return { path, name: nameOf(path, cwd) };
  const message = `there is no experiment ${quote(name)}: neither ${folder}/${name}.yaml nor ${folder}/${name}.yml exists`;
  throw refusal("missing-file", message, await meantName(name, base, cwd));
}

async function meantName(name: string, base: string, cwd: string): Promise<string> {
  for (const extension of ["", ...extensions]) {
    // A file beside: it has to be said that a path is meant.
    if ((await kindOf(resolve(cwd, name + extension))) === "file")
      return `for the file in the working directory write './${name}${extension}'`;
  }
  const names = (await yamlFiles(base)).map((file) => basename(file, extname(file)));
  const meant = didYouMean(name, names);
  if (meant !== undefined) return `did you mean '${meant}'?`;
  if (names.length === 0) return `a bare name is looked for in ${folder}/ below the working directory; else give a path`;
  return `in ${folder}/ there are: ${shorten(names)}`;
}

/** Sorted by code point. */
async function yamlFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((): string[] => []);
  return names.filter((file) => extensions.includes(extname(file))).toSorted(compareCodePoints);
}

async function listed(directory: string, cwd: string): Promise<string | undefined> {
  const files = await yamlFiles(directory);
  return files.length === 0 ? undefined : `name a file in it: ${shorten(files.map((file) => nameOf(join(directory, file), cwd)))}`;
}

function shorten(names: readonly string[]): string {
  const shown = names.slice(0, maxListed).join(", ");
  return names.length > maxListed ? `${shown}, … (${names.length} in all)` : shown;
}

async function kindOf(path: string): Promise<"file" | "folder" | "other" | "missing"> {
  const stats = await statsOf(path);
  if (stats === undefined) return "missing";
  return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
}

function refusal(code: string, message: string, hint?: string): InputError {
  const issue: Issue = { severity: "error", code, message, hint };
  return new InputError([issue]);
}
