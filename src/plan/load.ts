import { readFileSync } from "node:fs";
import { lstat, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorMessage, type Issue } from "../errors.ts";
import { didYouMean } from "./did-you-mean.ts";
import type { Env } from "./expand-path.ts";
import { describeValue, quote } from "./found-text.ts";
import { firstProblems, inFileOrder, issueAt, maxProblems, type Problem, problemsOfZod } from "./issues.ts";
import type { TaskFile } from "./patterns.ts";
import { isMissing, readFailure } from "./read-failure.ts";
import { renameAliases } from "./schema/agent-schema.ts";
import { isMapping } from "./schema/field-types.ts";
import { type TaskDefinition, taskFieldNames, taskSchema } from "./schema/task-schema.ts";
import { resolvePaths } from "./task-paths.ts";
import { ruleProblems } from "./task-rules.ts";
import type { SourceText } from "./yaml/source-text.ts";
import { maxYamlBytes, type ParsedYaml, parseYaml } from "./yaml/yaml.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A task file that is fine by itself. */
export interface LoadedTask {
  readonly kind: "loaded";
  readonly file: TaskFile;
  /** Absolute. */
  readonly folder: string;
  readonly definition: TaskDefinition;
  /** What the file itself sets, paths resolved: the task's layer (formats.md 3.2). */
  readonly fields: Fields;
  readonly parsed: ParsedYaml;
  readonly warnings: readonly Issue[];
}

/** A task file that cannot run. `type` names the kind of error as the Python tool does. */
export interface LoadProblem {
  readonly kind: "problem";
  readonly file: TaskFile;
  readonly type: "FileNotFoundError" | "OSError" | "YAMLError" | "ValueError";
  /** Errors and warnings, all of the file. */
  readonly issues: readonly Issue[];
  readonly source: SourceText | undefined;
}

/** A YAML file that a folder or glob brought in and that is no task. */
export interface NoTask {
  readonly kind: "no task";
  readonly file: TaskFile;
  readonly notice: Issue;
}

export type LoadResult = LoadedTask | LoadProblem | NoTask;

/** Reads and checks one task file. Never throws: what is wrong with the file is in the result. */
export async function loadTask(file: TaskFile, env: Env): Promise<LoadResult> {
  const read = await readTaskFile(file);
  if ("kind" in read) return read;
  const parsed = parseYaml(read.bytes, file.name);
  if (parsed.kind === "invalid") {
    const text = parsed.source?.text;
    if (!file.explicit && text !== undefined && !/^(?:task_id|success_criteria)[ \t]*:/m.test(text))
      return noTask(file, "it is no YAML of a task");
    return { kind: "problem", file, type: "YAMLError", issues: parsed.issues, source: parsed.source };
  }
  const fields = topFields(parsed.value);
  if (!file.explicit && !("task_id" in (fields ?? {})) && !("success_criteria" in (fields ?? {}))) {
    return noTask(
      file,
      fields !== undefined && "variants" in fields ? "it is an experiment" : "it has neither task_id nor success_criteria",
    );
  }
  if (fields === undefined) {
    const message = parsed.value === null ? "the file is empty" : `a task is a mapping of fields, found ${describeValue(parsed.value)}`;
    return invalid(file, parsed, [issueAt(parsed, { severity: "error", code: "wrong-type", path: [], message })]);
  }
  return checkTask(file, parsed, fields, env);
}

type Read = { readonly bytes: Uint8Array };

async function readTaskFile(file: TaskFile): Promise<Read | LoadProblem> {
  const problem = (type: LoadProblem["type"], code: string, message: string): LoadProblem => ({
    kind: "problem",
    file,
    type,
    issues: [{ severity: "error", code, message, file: file.name }],
    source: undefined,
  });
  try {
    const stats = await stat(file.path);
    if (!stats.isFile()) return problem("ValueError", "not-a-file", "it is not a file");
    if (stats.size > maxYamlBytes)
      return problem("ValueError", "file-too-large", `the file has ${stats.size} bytes, more than ${maxYamlBytes}`);
    // At once: four further calls per file that each wait for a turn take longer than the reading itself.
    return { bytes: readFileSync(file.path) };
  } catch (error) {
    if (isMissing(error)) {
      // Found in a folder a moment ago: as a link, or it has been removed since.
      const isLink = (await lstat(file.path).catch(() => undefined))?.isSymbolicLink() === true;
      return problem("FileNotFoundError", "unreadable", isLink ? "it is a link that leads nowhere" : "the file does not exist");
    }
    return problem("OSError", "unreadable", `the file cannot be read: ${readFailure(error) ?? errorMessage(error)}`);
  }
}

function noTask(file: TaskFile, reason: string): NoTask {
  const hint = "name the file itself to have it read as a task";
  return {
    kind: "no task",
    file,
    notice: { severity: "warning", code: "no-task", message: `not taken for a task: ${reason}`, file: file.name, hint },
  };
}

function invalid(file: TaskFile, parsed: ParsedYaml, issues: readonly Issue[]): LoadProblem {
  return { kind: "problem", file, type: "ValueError", issues, source: parsed.source };
}

/** The top level's fields. Keys that are not text can only be unknown fields; they are dropped with the other unknown ones. */
export function topFields(value: unknown): Record<string, unknown> | undefined {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, inner]) => [String(key), inner]));
  return isMapping(value) ? { ...value } : undefined;
}

async function checkTask(file: TaskFile, parsed: ParsedYaml, top: Fields, env: Env): Promise<LoadedTask | LoadProblem> {
  const fields = renameAliases(top);
  const resolved = await resolvePaths(fields, dirname(file.path), env);
  const odd = oddMappings(fields);
  const definition = taskSchema.safeParse(resolved.fields);
  const found = definition.success
    ? []
    : problemsOfZod(taskSchema, resolved.fields, definition.error).filter(
        ({ path }) => !odd.some((problem) => isBelow(path, problem.path)),
      );
  const problems = firstProblems([...unknownFields(top), ...ruleProblems(fields), ...resolved.problems, ...odd, ...found]);
  const issues = inFileOrder([...parsed.warnings, ...problems.map((problem) => issueAt(parsed, problem))], file.name);
  if (!definition.success || issues.some((issue) => issue.severity === "error")) return invalid(file, parsed, issues);
  return {
    kind: "loaded",
    file,
    folder: dirname(file.path),
    definition: definition.data,
    fields: resolved.fields,
    parsed,
    warnings: issues,
  };
}

/** Mappings with keys that are no text, and sets: a schema would see an empty mapping in them. */
export function oddMappings(fields: Fields, names: readonly string[] = taskFieldNames): Problem[] {
  const problems: Problem[] = [];
  const visit = (value: unknown, path: readonly PropertyKey[]): void => {
    if (problems.length > maxProblems) return;
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    else if (isMapping(value)) for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
    else if (value instanceof Map || value instanceof Set) {
      problems.push({
        severity: "error",
        code: "odd-key",
        path,
        message: `found ${describeValue(value)}`,
        hint: "put keys in quotes to make them text",
      });
    }
  };
  for (const name of names) visit(fields[name], [name]);
  return problems;
}

export function isBelow(path: readonly PropertyKey[], top: readonly PropertyKey[]): boolean {
  return top.every((step, index) => path[index] === step);
}

function unknownFields(fields: Fields): Problem[] {
  const unknown = Object.keys(fields).filter((name) => !taskFieldNames.includes(name));
  return unknown.slice(0, maxProblems + 1).map((name) => {
    const meant = didYouMean(name, taskFieldNames);
    return {
      severity: "warning",
      code: "unknown-field",
      path: [name],
      message: `unknown field ${quote(name)}, ignored`,
      hint: meant === undefined ? undefined : `did you mean '${meant}'?`,
      atKey: true,
    };
  });
}
