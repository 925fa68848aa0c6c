import { describeValue, quote } from "../found-text.ts";
import { fieldText, type Problem } from "../issues.ts";
import { isSet } from "../rules/read-fields.ts";
import { directoryIdentity, safeSegment } from "../run-key.ts";
import { isMapping } from "../schema/field-types.ts";
import { childOf } from "../schema/schema-keys.ts";
import { regexProblem } from "./prompt-mutations.ts";

type Fields = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

interface Block {
  readonly fields: Fields;
  readonly path: Path;
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/**
 * The rules across fields of formats.md 3.1. They read the file's own values, not the validated ones, so that their
 * problems come together with those of the schema.
 */
export function experimentRuleProblems(fields: Fields): Problem[] {
  const variants = variantBlocks(fields);
  const defaults = isMapping(fields.defaults) ? [{ fields: fields.defaults, path: ["defaults"] }] : [];
  return [
    ...variantIdProblems(variants),
    ...variants.flatMap(promptProblems),
    ...[...defaults, ...variants].flatMap((block) => [
      ...mutationProblems(block),
      ...systemPromptProblems(block),
      ...contextProblems(block),
    ]),
    ...defaults.flatMap(droppedTemplates),
  ];
}

function variantBlocks(fields: Fields): Block[] {
  const list: readonly unknown[] = Array.isArray(fields.variants) ? fields.variants : [];
  return list.flatMap((variant, index) => (isMapping(variant) ? [{ fields: variant, path: ["variants", index] }] : []));
}

function error(code: string, path: Path, message: string, hint?: string): Problem {
  return { severity: "error", code, path, message, hint };
}

/** Ids are directories of the results: unique on every file system, and one path component each. */
function variantIdProblems(variants: readonly Block[]): Problem[] {
  const problems: Problem[] = [];
  const seen = new Map<string, { readonly id: string; readonly path: Path }>();
  for (const { fields, path: block } of variants) {
    const id = fields.variant_id;
    const path = [...block, "variant_id"];
    if (typeof id !== "string") continue;
    if (id.trim() === "") problems.push(error("invalid-value", path, "must not be blank"));
    else if (/[/\\]/.test(id))
      problems.push(
        error("invalid-value", path, `found ${describeValue(id)}; a variant_id holds no '/' or '\\'`, "it is one directory of the results"),
      );
    const identity = directoryIdentity(safeSegment(id));
    const other = seen.get(identity);
    if (other === undefined) seen.set(identity, { id, path });
    else if (other.id === id)
      problems.push(error("duplicate-variant", path, `the variant_id ${quote(id)} is used twice: ${fieldText(other.path)} has it too`));
    else {
      const message = `${quote(id)} and ${quote(other.id)} of ${fieldText(other.path)} would share one directory on some file systems`;
      problems.push(error("duplicate-variant", path, message, "give them ids that differ in more"));
    }
  }
  return problems;
}

function promptProblems({ fields, path }: Block): Problem[] {
  const [text, file] = [isSet(fields.initial_prompt), isSet(fields.initial_prompt_file)];
  const problems: Problem[] = [];
  if (text && file)
    problems.push(error("exclusive-fields", [...path, "initial_prompt_file"], "initial_prompt and initial_prompt_file exclude each other"));
  if ((text || file) && isFilled(fields.prompt_mutations)) {
    const name = text ? "initial_prompt" : "initial_prompt_file";
    const hint = "a prompt of the variant's own switches every mutation off: change it there";
    problems.push(error("exclusive-fields", [...path, "prompt_mutations"], `${name} and prompt_mutations exclude each other`, hint));
  }
  return problems;
}

function mutationProblems({ fields, path }: Block): Problem[] {
  const list: readonly unknown[] = Array.isArray(fields.prompt_mutations) ? fields.prompt_mutations : [];
  return list.flatMap((mutation, index) => {
    const [pattern, replacement] = [childOf(mutation, "pattern"), childOf(mutation, "replacement")];
    if (childOf(mutation, "type") !== "replace" || !isTrue(childOf(mutation, "regex"))) return [];
    if (typeof pattern !== "string" || typeof replacement !== "string") return [];
    const found = regexProblem(pattern, replacement);
    if (found === undefined) return [];
    return [error(found.code, [...path, "prompt_mutations", index, ...found.field], found.message, found.hint)];
  });
}

/** As the schema will read it. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && /^(?:true|t|yes|y|on|1)$/i.test(value));
}

function systemPromptProblems({ fields: { agent }, path }: Block): Problem[] {
  if (!isSet(childOf(agent, "system_prompt")) || !isSet(childOf(agent, "system_prompt_file"))) return [];
  return [error("exclusive-fields", [...path, "agent", "system_prompt_file"], "system_prompt and system_prompt_file exclude each other")];
}

function contextProblems({ fields, path }: Block): Problem[] {
  if (!isSet(fields.checker_context)) return [];
  return [error("not-supported", [...path, "checker_context"], "not supported yet: checker_context of an experiment")];
}

/** Upstream drops them without a word, and the experiment runs without its files. */
function droppedTemplates({ fields, path }: Block): Problem[] {
  if (!isFilled(childOf(fields.sandbox, "template_sources"))) return [];
  return [
    {
      severity: "warning",
      code: "dropped-field",
      path: [...path, "sandbox", "template_sources"],
      message: "template_sources inside of defaults.sandbox have no effect",
      hint: "move them to defaults.template_sources",
      atKey: true,
    },
  ];
}
