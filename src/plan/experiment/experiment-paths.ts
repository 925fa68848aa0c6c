import type { Env } from "../expand-path.ts";
import type { Problem } from "../issues.ts";
import { renameAliases } from "../schema/agent-schema.ts";
import { isMapping } from "../schema/field-types.ts";
import { inlinePromptFile, resolveAgentPaths, resolveSandboxPaths, resolveTemplatePaths, type WithPaths } from "../task-paths.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The path work of an experiment file: all paths are relative to it, prompt files are read and take the place of their
 * prompt. What is not there, or of a wrong type, is left alone: the schema comes afterwards.
 */
export async function resolveExperimentPaths(fields: Fields, folder: string, env: Env): Promise<WithPaths> {
  const problems: Problem[] = [];
  const resolve = async (block: unknown, path: readonly PropertyKey[]): Promise<unknown> => {
    if (!isMapping(block)) return block;
    const resolved = await resolveBlock(renameAliases(block), { folder, env, path });
    problems.push(...resolved.problems);
    return resolved.fields;
  };
  const changed: Record<string, unknown> = { ...fields };
  if ("defaults" in fields) changed.defaults = await resolve(fields.defaults, ["defaults"]);
  if (Array.isArray(fields.variants)) {
    const variants: unknown[] = [];
    for (const [index, variant] of fields.variants.entries()) variants.push(await resolve(variant, ["variants", index]));
    changed.variants = variants;
  }
  return { fields: changed, problems };
}

interface BlockPlace {
  readonly folder: string;
  readonly env: Env;
  readonly path: readonly PropertyKey[];
}

async function resolveBlock(block: Fields, place: BlockPlace): Promise<WithPaths> {
  const at = (name: string): BlockPlace => ({ ...place, path: [...place.path, name] });
  const prompt = await inlinePromptFile(block, "initial_prompt", place);
  const problems = [...prompt.problems];
  const resolved: Record<string, unknown> = { ...prompt.fields };
  const { agent, sandbox, template_sources } = block;
  if (isMapping(agent)) {
    const done = await resolveAgentPaths(agent, at("agent"));
    problems.push(...done.problems);
    resolved.agent = withoutReadFile(agent, done.fields);
  }
  if (isMapping(sandbox)) {
    // Template sources of a nested sandbox are dropped, so nobody looks for them.
    const { template_sources: dropped, ...rest } = sandbox;
    const done = await resolveSandboxPaths(rest, at("sandbox"));
    problems.push(...done.problems);
    resolved.sandbox = dropped === undefined ? done.fields : { ...done.fields, template_sources: dropped };
  }
  if (Array.isArray(template_sources)) {
    const done = await resolveTemplatePaths(template_sources, at("template_sources"));
    problems.push(...done.problems);
    resolved.template_sources = done.sources;
  }
  return { fields: resolved, problems };
}

/** A system prompt's file that was read is set no longer: the layer sets the prompt. */
function withoutReadFile(before: Fields, after: Fields): Fields {
  if (before === after || typeof before.system_prompt_file !== "string" || after.system_prompt_file !== null) return after;
  const { system_prompt_file: _read, ...rest } = after;
  return rest;
}
