import { realpathSync, statSync } from "node:fs";
import { isAbsolute, resolve, sep } from "node:path";
import { z } from "zod";
import { InputError, type Issue } from "../errors.ts";
import { didYouMean } from "../plan/did-you-mean.ts";
import { maxConcurrency, preservationModes } from "../plan/run-settings.ts";
import type { Env, GitHubEnvironment } from "./environment.ts";
import { parseEnvLines, parseList } from "./input-list.ts";

/** A single line without control characters: it becomes a path, a label or an argument. */
const line = z.string().regex(/^\P{Cc}*$/u, "expected one line without control characters");
const optionalLine = line.transform((value) => (value === "" ? undefined : value));
const list = z.string().transform(parseList);

/** A word is compared whatever its case; an empty text is the default. */
function choice<const Word extends string>(words: readonly Word[]) {
  return z.string().transform((value, context): Word | undefined => {
    if (value === "") return undefined;
    const word = words.find((candidate) => candidate.toLowerCase() === value.toLowerCase());
    if (word === undefined) {
      const near = didYouMean(value, words);
      context.addIssue({
        code: "custom",
        message: `expected ${words.map((name) => `"${name}"`).join(" or ")}, got ${quote(value)}${near === undefined ? "" : `; did you mean "${near}"?`}`,
      });
    }
    return word;
  });
}

const flag = (standard: boolean) => choice(["true", "false"]).transform((word) => (word === undefined ? standard : word === "true"));

/** As strict as YAML: `1e3`, `0x10` or `4 cores` is a mistake, not a number. */
const count = z.string().transform((value, context): number | undefined => {
  if (value === "") return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 1 || number > maxConcurrency) {
    context.addIssue({ code: "custom", message: `expected a whole number from 1 to ${maxConcurrency}, got ${quote(value)}` });
  }
  return number;
});

/** The inputs of `action.yml`, each from its text; order and names are those of the file (a test holds them equal). */
const inputSchemas = {
  tasks: list.refine((patterns) => patterns.length > 0, "expected at least one file, folder or pattern, got none"),
  tags: list,
  "exclude-tags": list,
  "include-skipped": flag(false),
  driver: choice(["docker", "tempdir"]).transform((word) => word ?? "docker"),
  image: optionalLine.refine((image) => image === undefined || !/^-|\s/.test(image), "expected an image reference such as node:24-slim"),
  "max-parallel": count,
  "run-dir": optionalLine,
  "working-directory": optionalLine,
  env: z.string().transform((text, context) => {
    const { variables, problems } = parseEnvLines(text);
    for (const message of problems) context.addIssue({ code: "custom", message });
    return variables;
  }),
  "preservation-mode": choice(preservationModes),
  summary: flag(true),
  "allow-empty": flag(false),
} as const;

type InputName = keyof typeof inputSchemas;

/** Names of all inputs, in the order of `action.yml`. */
export const inputNames: readonly string[] = Object.keys(inputSchemas);

const schema = z.object(inputSchemas);
type RawInputs = z.output<typeof schema>;

export interface Inputs {
  readonly tasks: readonly string[];
  readonly tags: readonly string[];
  readonly excludeTags: readonly string[];
  readonly includeSkipped: boolean;
  readonly driver: "docker" | "tempdir";
  readonly image: string | undefined;
  readonly maxParallel: number | undefined;
  /** Absolute, when given. */
  readonly runDir: string | undefined;
  /** Absolute; patterns are relative to it. */
  readonly workingDirectory: string;
  /** For the tasks; the values are secrets. */
  readonly taskEnv: Readonly<Record<string, string>>;
  readonly preservationMode: RawInputs["preservation-mode"];
  readonly summary: boolean;
  readonly allowEmpty: boolean;
}

/** How the runner names the variable of an input. */
export const inputVariable = (name: string): string => `INPUT_${name.replaceAll(" ", "_").toUpperCase()}`;

/**
 * Reads and checks the inputs. Every text that may be secret is handed to `mask` before anything can be printed.
 * @returns the inputs, and warnings about unknown ones
 * @throws InputError with all problems, each naming its input (`required` in action.yml is not enforced by GitHub)
 */
export function loadInputs(
  env: Env,
  environment: Pick<GitHubEnvironment, "workspace">,
  mask: (secret: string) => void,
): { readonly inputs: Inputs; readonly warnings: readonly string[] } {
  for (const secret of parseEnvLines(env[inputVariable("env")] ?? "").secrets) mask(secret);
  const raw = Object.fromEntries(inputNames.map((name) => [name, textOf(env, name)]));
  const parsed = schema.safeParse(raw);
  const issues = parsed.success ? [] : parsed.error.issues.map((issue) => issueOf(String(issue.path[0]), issue.message));
  const workingDirectory = resolveInside(environment.workspace, raw["working-directory"] ?? "", "working-directory", issues);
  const runDir =
    raw["run-dir"] === "" ? undefined : resolveInside(workingDirectory, raw["run-dir"] ?? "", "run-dir", issues, environment.workspace);
  if (!parsed.success || issues.length > 0) throw new InputError(issues);
  const data = parsed.data;
  return {
    inputs: {
      tasks: data.tasks,
      tags: data.tags,
      excludeTags: data["exclude-tags"],
      includeSkipped: data["include-skipped"],
      driver: data.driver,
      image: data.image,
      maxParallel: data["max-parallel"],
      runDir,
      workingDirectory,
      taskEnv: data.env,
      preservationMode: data["preservation-mode"],
      summary: data.summary,
      allowEmpty: data["allow-empty"],
    },
    warnings: unknownInputs(env),
  };
}

/** `env` keeps its ends: a value may begin or end with a space. */
function textOf(env: Env, name: string): string {
  const text = env[inputVariable(name)] ?? "";
  return name === "env" ? text : text.trim();
}

const quote = (value: string): string => JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);

function issueOf(name: string, problem: string): Issue {
  return { severity: "error", code: "input", message: `input "${name}": ${problem}` };
}

/**
 * A relative path must not lead out of the workspace, links followed: a pull request can change what it names. An
 * absolute one was written by the author of the workflow, and may name another disk.
 */
function resolveInside(base: string, path: string, name: InputName, issues: Issue[], workspace: string = base): string {
  const target = resolve(base, path);
  if (path === "" || isAbsolute(path)) {
    if (name === "working-directory" && !isDirectory(target)) issues.push(issueOf(name, `${quote(target)} is no directory`));
    return target;
  }
  const root = realpathOfExisting(workspace);
  const real = realpathOfExisting(target);
  if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep)) {
    issues.push(issueOf(name, `${quote(path)} leads out of the workspace; give an absolute path if that is meant`));
  } else if (name === "working-directory" && !isDirectory(target)) {
    issues.push(issueOf(name, `${quote(path)} is no directory of the workspace; is the repository checked out before this step?`));
  }
  return target;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The path with the links of its existing part followed: a run directory need not exist yet. */
function realpathOfExisting(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = resolve(path, "..");
    return parent === path ? path : resolve(realpathOfExisting(parent), path.slice(parent.length).replace(/^[\\/]/, ""));
  }
}

/** The runner hands on inputs that `action.yml` does not know; a mistyped name would silently change the run. */
function unknownInputs(env: Env): string[] {
  const known = new Set(inputNames.map(inputVariable));
  return Object.keys(env)
    .filter((variable) => variable.startsWith("INPUT_") && !known.has(variable))
    .sort()
    .map((variable) => {
      const name = variable.slice("INPUT_".length).toLowerCase();
      const near = didYouMean(name, inputNames);
      return `unknown input ${quote(name)}${near === undefined ? "" : `; did you mean "${near}"?`}`;
    });
}
