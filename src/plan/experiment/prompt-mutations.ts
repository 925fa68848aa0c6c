import { CheckTimeoutError, withTimeLimit } from "../../criteria/time-limit.ts";
import { PythonError, RegexTimeoutError } from "../../python/python-error.ts";
import { compilePythonRegex, type PythonRegex } from "../../python/regex.ts";
import { replacePythonRegex } from "../../python/regex-replace.ts";
import { parsePythonReplacement, type ReplacementPart } from "../../python/regex-template.ts";
import { quote } from "../found-text.ts";
import type { PromptMutation } from "./experiment-schema.ts";

/** Fills `${row.<field>}` in a text of the experiment from the dataset row at hand. */
export type Fill = (
  text: string,
) => { readonly kind: "text"; readonly text: string } | { readonly kind: "problem"; readonly message: string };

/** What is wrong with a mutation; `field` is the path inside of it. */
export interface MutationProblem {
  readonly code: string;
  readonly field: readonly PropertyKey[];
  readonly message: string;
  readonly hint?: string | undefined;
}

export type Mutated = { readonly kind: "text"; readonly text: string } | { readonly kind: "problem"; readonly problem: MutationProblem };

/** As of prompt files. Mutations can double a prompt each: ten lines of YAML must not fill the memory. */
const maxPromptCharacters = 5 * 1024 * 1024;

/** Prompts are short: a pattern that needs more than this for one of them runs away. */
const regexLimitMs = 1000;

/** A plan has thousands of prompts: a pattern that ran away on so many of them is tried on no more. */
const maxRunaways = 3;
const runaways = new WeakMap<PromptMutation, number>();

/**
 * Applies one mutation to a prompt (formats.md 3.1). Values of a dataset row that `fill` brings into a replacement are plain
 * text there, never group references.
 */
export function applyMutation(prompt: string, mutation: PromptMutation, fill: Fill = asIs): Mutated {
  switch (mutation.type) {
    case "prefix":
      return filled(fill, mutation.content, ["content"], (content) => joined([content, prompt], mutation.separator, "content"));
    case "suffix":
      return filled(fill, mutation.content, ["content"], (content) => joined([prompt, content], mutation.separator, "content"));
    case "replace":
      return mutation.regex ? replaceRegex(prompt, mutation, fill) : replaceText(prompt, mutation, fill);
    case "template":
      return fillTemplate(prompt, mutation.variables, fill);
  }
}

/** What is wrong with a `replace` by regular expression before it meets any prompt. */
export function regexProblem(pattern: string, replacement: string): MutationProblem | undefined {
  const compiled = compileReplace(pattern, replacement);
  return compiled.kind === "problem" ? compiled.problem : undefined;
}

/** The texts of a mutation that may hold `${row.<field>}`. */
export function textsOf(mutation: PromptMutation): readonly string[] {
  if (mutation.type === "template") return Object.values(mutation.variables);
  return [mutation.type === "replace" ? mutation.replacement : mutation.content];
}

const asIs: Fill = (content) => text(content);

function text(value: string): { readonly kind: "text"; readonly text: string } {
  return { kind: "text", text: value };
}

function problem(
  code: string,
  field: readonly PropertyKey[],
  message: string,
  hint?: string,
): { kind: "problem"; problem: MutationProblem } {
  return { kind: "problem", problem: { code, field, message, hint } };
}

function filled(fill: Fill, content: string, field: readonly PropertyKey[], use: (content: string) => Mutated): Mutated {
  const done = fill(content);
  return done.kind === "text" ? use(done.text) : problem("row-placeholder", field, done.message);
}

/** The pieces with `between` them, unless that is no prompt any more. */
function joined(pieces: readonly string[], between: string, ...field: readonly PropertyKey[]): Mutated {
  let length = between.length * (pieces.length - 1);
  for (const piece of pieces) length += piece.length;
  if (length <= maxPromptCharacters) return text(pieces.join(between));
  return problem("prompt-too-large", field, `the prompt would have ${length} characters, more than ${maxPromptCharacters}`);
}

type Replace = Extract<PromptMutation, { type: "replace" }>;

function replaceText(prompt: string, { pattern, replacement }: Replace, fill: Fill): Mutated {
  return filled(fill, replacement, ["replacement"], (content) => {
    // As Python's `str.replace`: an empty pattern is before every character and at the end.
    return joined(pattern === "" ? ["", ...prompt, ""] : prompt.split(pattern), content, "replacement");
  });
}

type Compiled =
  | { readonly kind: "compiled"; readonly regex: PythonRegex; readonly parts: readonly ReplacementPart[] }
  | { readonly kind: "problem"; readonly problem: MutationProblem };

function compileReplace(pattern: string, replacement: string): Compiled {
  let regex: PythonRegex;
  try {
    regex = compilePythonRegex(pattern, 0);
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    return problem("invalid-regex", ["pattern"], `${quote(pattern)} is no valid regular expression: ${error.message}`, error.hint);
  }
  try {
    return { kind: "compiled", regex, parts: parsePythonReplacement(replacement, regex) };
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    const message = `${quote(replacement)} is no valid replacement: ${error.message}`;
    return problem("invalid-replacement", ["replacement"], message, "write a plain backslash as '\\\\'");
  }
}

const runawayHint = "a repetition inside a repetition, such as (a+)+, makes a pattern run away";

function replaceRegex(prompt: string, mutation: Replace, fill: Fill): Mutated {
  const { pattern, replacement } = mutation;
  const soFar = runaways.get(mutation) ?? 0;
  if (soFar >= maxRunaways)
    return problem(
      "regex-limit",
      ["pattern"],
      `the regular expression took too long on ${soFar} other prompts: ${quote(pattern)}`,
      runawayHint,
    );
  const compiled = compileReplace(pattern, replacement);
  if (compiled.kind === "problem") return compiled;
  const parts: ReplacementPart[] = [];
  for (const part of compiled.parts) {
    const done = typeof part === "number" ? part : fill(part);
    if (typeof done === "number") parts.push(done);
    else if (done.kind === "text") parts.push(done.text);
    else return problem("row-placeholder", ["replacement"], done.message);
  }
  try {
    return text(
      withTimeLimit("the regular expression", regexLimitMs, () => replacePythonRegex(compiled.regex, parts, prompt, maxPromptCharacters)),
    );
  } catch (error) {
    if (!(error instanceof CheckTimeoutError || error instanceof RegexTimeoutError)) throw error;
    runaways.set(mutation, soFar + 1);
    return problem(
      "regex-limit",
      ["pattern"],
      `${error.message}: ${quote(pattern)} on a prompt of ${prompt.length} characters`,
      runawayHint,
    );
  }
}

/** As upstream one variable after the other: what one brings in, a later one may fill. */
function fillTemplate(prompt: string, variables: Readonly<Record<string, string>>, fill: Fill): Mutated {
  let current = prompt;
  for (const [name, content] of Object.entries(variables)) {
    const done = filled(fill, content, ["variables", name], (value) => joined(current.split(`{${name}}`), value, "variables", name));
    if (done.kind === "problem") return done;
    current = done.text;
  }
  return text(current);
}
