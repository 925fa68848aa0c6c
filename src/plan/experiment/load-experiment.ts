import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorMessage, InputError, type Issue, type LineOf } from "../../errors.ts";
import { describeValue } from "../found-text.ts";
import { inFileOrder, issueAt, type Problem, problemsOfZod } from "../issues.ts";
import { isBelow, oddMappings, topFields } from "../load.ts";
import { readFailure } from "../read-failure.ts";
import type { SourceText } from "../yaml/source-text.ts";
import { maxYamlBytes, type ParsedYaml, parseYaml } from "../yaml/yaml.ts";
import { blocksOf } from "./experiment-blocks.ts";
import { resolveExperimentPaths } from "./experiment-paths.ts";
import { experimentRuleProblems } from "./experiment-rules.ts";
import { experimentDefaultsSchema, experimentSchema } from "./experiment-schema.ts";
import { type ExperimentFile, type FindOptions, findExperiment } from "./find-experiment.ts";
import type { LoadedExperiment } from "./loaded-experiment.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads and checks an experiment file (formats.md 3.1).
 * @param name a path, or a bare name for `experiments/<name>.yaml`
 * @throws InputError with all that is wrong with the file
 */
export async function loadExperiment(name: string, options: FindOptions): Promise<LoadedExperiment> {
  const file = await findExperiment(name, options);
  const parsed = parseYaml(await readBytes(file), file.name);
  if (parsed.kind === "invalid") throw new InputError(parsed.issues, linesOf(parsed.source));
  const fields = experimentFields(parsed);
  const problems = [...experimentRuleProblems(fields)];
  const resolved = await resolveExperimentPaths(fields, dirname(file.path), options.env);
  problems.push(...resolved.problems);
  const odd = oddMappings(fields, Object.keys(fields));
  problems.push(...odd);
  const checked = experimentSchema.safeParse(resolved.fields);
  if (!checked.success) {
    const found = problemsOfZod(experimentSchema, resolved.fields, checked.error);
    problems.push(...found.filter(({ path }) => !odd.some((problem) => isBelow(path, problem.path))).map(misplaced));
  }
  const found = [...parsed.warnings.map(duplicateKey), ...problems.map((problem) => issueAt(parsed, problem))];
  const issues = inFileOrder(found, file.name);
  const errors = issues.filter(({ severity }) => severity === "error");
  const warnings = issues.filter(({ severity }) => severity === "warning");
  if (errors.length > 0 || !checked.success) throw new InputError([...errors, ...warnings], linesOf(parsed.source));
  return { ...blocksOf(resolved.fields, checked.data), file: file.name, parsed, warnings };
}

function linesOf(source: SourceText | undefined): { readonly lineOf: LineOf } {
  return { lineOf: (_file, line) => source?.lineAt(line) };
}

async function readBytes(file: ExperimentFile): Promise<Uint8Array> {
  const refuse = (code: string, message: string): InputError => new InputError([{ severity: "error", code, message, file: file.name }]);
  try {
    const { size } = await stat(file.path);
    if (size <= maxYamlBytes) return await readFile(file.path);
    throw refuse("file-too-large", `the file has ${size} bytes, more than ${maxYamlBytes}`);
  } catch (error) {
    throw error instanceof InputError
      ? error
      : refuse("unreadable", `the file cannot be read: ${readFailure(error) ?? errorMessage(error)}`);
  }
}

function experimentFields(parsed: ParsedYaml): Fields {
  const fields = topFields(parsed.value);
  const refuse = (code: string, path: readonly PropertyKey[], message: string, hint?: string): InputError =>
    new InputError([issueAt(parsed, { severity: "error", code, path, message, hint, atKey: true })], linesOf(parsed.source));
  if (fields === undefined) {
    const message =
      parsed.value === null ? "the file is empty" : `an experiment is a mapping of fields, found ${describeValue(parsed.value)}`;
    throw refuse("wrong-type", [], message, "it needs experiment_id and variants");
  }
  if ("variants" in fields || "experiment_id" in fields) return fields;
  const sign = ["task_id", "success_criteria"].find((name) => name in fields);
  if (sign === undefined) return fields;
  const hint = "give it as a task; an experiment has experiment_id and variants";
  throw refuse("not-an-experiment", [sign], `this is a task file and no experiment: it has ${sign}`, hint);
}

/** In a task file the last one wins, as upstream; in an experiment that would run another comparison than the one that is read. */
function duplicateKey(issue: Issue): Issue {
  if (issue.code !== "duplicate-key") return issue;
  return { ...issue, severity: "error", message: issue.message.replace(/; this one wins$/, ""), hint: "keep one of them" };
}

const defaultsFields = Object.keys(experimentDefaultsSchema.shape);

/** A field that exists, but in another block. */
function misplaced(problem: Problem): Problem {
  const name = problem.path.at(-1);
  if (problem.code !== "unknown-key" || typeof name !== "string" || !defaultsFields.includes(name)) return problem;
  if (problem.path.length === 1) return { ...problem, hint: `move it into 'defaults', or into a variant` };
  if (problem.path.length !== 3 || problem.path[0] !== "variants") return problem;
  const instead = name === "sandbox" ? "; a variant can have driver and template_sources" : "";
  return { ...problem, hint: `only 'defaults' can have ${name}${instead}` };
}
