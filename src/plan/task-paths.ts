import { isAbsolute } from "node:path";
import { type Env, expandHome, posixPath } from "./expand-path.ts";
import type { Problem } from "./issues.ts";
import { findFile, missingProblem, type PathPlace } from "./paths/find-file.ts";
import { inlinePromptFile, type WithPaths } from "./paths/inline-file.ts";
import { mapLeaves } from "./paths/map-leaves.ts";
import { type PathField, pathFields, stepsOf } from "./paths/path-fields.ts";
import { taskDirProblems } from "./paths/task-dir-files.ts";
import { isMapping } from "./schema/field-types.ts";

export type { PathPlace } from "./paths/find-file.ts";
export { inlinePromptFile, type WithPaths } from "./paths/inline-file.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The path work of loading (formats.md 1) for a whole task: template paths and the Dockerfile become absolute, prompt files
 * are read and take the place of their prompt, and what is named but not there is told. What is not there, or of a wrong type,
 * is left alone: the schema comes afterwards.
 */
export async function resolvePaths(fields: Fields, folder: string, env: Env): Promise<WithPaths> {
  const place = { folder, env, path: [] };
  const prompt = await inlinePromptFile(fields, "initial_prompt", place);
  const problems = [...prompt.problems];
  let resolved = prompt.fields;
  for (const [name, resolve] of Object.entries({ agent: resolveAgentPaths, sandbox: resolveSandboxPaths, reference: checkReference })) {
    const block = resolved[name];
    if (!isMapping(block)) continue;
    const done = await resolve(block, { ...place, path: [name] });
    problems.push(...done.problems);
    if (done.fields !== block) resolved = { ...resolved, [name]: done.fields };
  }
  problems.push(...(await taskDirProblems(resolved.success_criteria, folder)));
  return { fields: resolved, problems };
}

/** Paths of an `agent` block, also a partial one of an experiment: the system prompt's file is inlined, plugins are looked for. */
export async function resolveAgentPaths(agent: Fields, place: PathPlace): Promise<WithPaths> {
  const prompt = await inlinePromptFile(agent, "system_prompt", place);
  const rest = await resolveFields(prompt.fields, ["agent.plugins[].path"], 1, place);
  return { fields: rest.fields, problems: [...prompt.problems, ...rest.problems] };
}

/** Paths of a `sandbox` block, also a partial one of an experiment: templates and the Dockerfile. */
export async function resolveSandboxPaths(sandbox: Fields, place: PathPlace): Promise<WithPaths> {
  return await resolveFields(sandbox, ["sandbox.template_sources[].path", "sandbox.docker.dockerfile_path"], 1, place);
}

/** Paths of a `template_sources` list that stands by itself, as in an experiment; `place.path` is the path of the list. */
export async function resolveTemplatePaths(
  sources: readonly unknown[],
  place: PathPlace,
): Promise<{ readonly sources: readonly unknown[]; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  const [field] = fieldsNamed(["sandbox.template_sources[].path"]);
  if (field === undefined) return { sources, problems };
  const mapped = await mapLeaves(sources, stepsOf(field.field, 2), place.path, visitor(field, place, problems));
  return { sources: Array.isArray(mapped) ? mapped : sources, problems };
}

async function checkReference(reference: Fields, place: PathPlace): Promise<WithPaths> {
  return await resolveFields(reference, ["reference.file", "reference.directory"], 1, place);
}

function fieldsNamed(names: readonly string[]): readonly PathField[] {
  return pathFields.filter(({ field }) => names.includes(field));
}

async function resolveFields(fields: Fields, names: readonly string[], depth: number, place: PathPlace): Promise<WithPaths> {
  const problems: Problem[] = [];
  let resolved = fields;
  for (const field of fieldsNamed(names)) {
    const mapped = await mapLeaves(resolved, stepsOf(field.field, depth), place.path, visitor(field, place, problems));
    if (isMapping(mapped)) resolved = mapped;
  }
  return { fields: resolved, problems };
}

/** Gives what is stored for a path, and notes what is wrong with it. */
function visitor(field: PathField, place: PathPlace, problems: Problem[]) {
  return async (text: string, path: readonly PropertyKey[]): Promise<string> => {
    const found = await findFile(text, { ...place, path });
    if (found.kind === "undefined") {
      if (field.expandedAt === "load") problems.push(found.problem);
      return text;
    }
    for (const problem of [found.problem, missingProblem(field, text, found.stats, path)])
      if (problem !== undefined) problems.push(problem);
    const absolute = field.stored === "absolute" || (field.stored === "as named" && !isAbsoluteWith(text, place.env));
    return absolute ? posixPath(found.path) : text;
  };
}

function isAbsoluteWith(text: string, env: Env): boolean {
  const expanded = expandHome(text, env);
  return expanded.kind === "text" && isAbsolute(expanded.text);
}
