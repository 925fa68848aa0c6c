import type { z } from "zod";
import type { Issue } from "../errors.ts";
import { didYouMean } from "./did-you-mean.ts";
import { describeValue, quote } from "./found-text.ts";
import { allowedKeys, allowedWords, childOf } from "./schema/schema-keys.ts";
import type { ParsedYaml } from "./yaml/yaml.ts";

export type Place = Pick<Issue, "file" | "line" | "column">;

export interface Problem {
  readonly severity: Issue["severity"];
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly hint?: string | undefined;
  /** Point at the field's name instead of its value. */
  readonly atKey?: boolean | undefined;
}

/** Where a path stands in a parsed file. */
export function placeIn(parsed: ParsedYaml, path: readonly PropertyKey[], of: "key" | "value" = "value"): Place {
  return { file: parsed.source.file, ...parsed.positionOf(path, of) };
}

/** A problem at a path of a parsed file, with its place in the file. */
export function issueAt(parsed: ParsedYaml, { severity, code, message, path, atKey, hint }: Problem): Issue {
  const place = placeIn(parsed, path, atKey === true ? "key" : "value");
  return { severity, code, message, ...place, field: path.length === 0 ? undefined : fieldText(path), hint };
}

/** Issues of one file from its top to its end, then those of other files as they came, then what is said of the file as a whole. */
export function inFileOrder(issues: readonly Issue[], file: string): readonly Issue[] {
  const own = issues.filter((issue) => issue.file === file);
  const others = issues.filter((issue) => issue.file !== file);
  const placed = own.filter(({ line }) => line !== undefined);
  const whole = own.filter(({ line }) => line === undefined);
  return [...placed.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)), ...others, ...whole];
}

/** `success_criteria[2].path`; a name that is no plain word is put in quotes. */
export function fieldText(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      const name = String(step);
      if (!/^[\w-]{1,60}$/.test(name)) return `[${quote(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join("");
}

/** Of one file: more of them help nobody, and the place of each costs a walk. */
export const maxProblems = 100;

/** The problems that are told of a file: the first of them, errors before warnings, and that there are more. */
export function firstProblems(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= maxProblems) return problems;
  const errors = problems.filter(({ severity }) => severity === "error");
  const warnings = problems.filter(({ severity }) => severity === "warning");
  const message = `only the first ${maxProblems} problems of this file are listed`;
  return [...[...errors, ...warnings].slice(0, maxProblems), { severity: "warning", code: "more-problems", path: [], message }];
}

/**
 * All problems that zod found, in words: what was found, what is allowed, what may have been meant. Of very many only as
 * many as `firstProblems` needs to see that it has to cut.
 */
export function problemsOfZod(schema: z.core.$ZodType, value: unknown, error: z.core.$ZodError): Problem[] {
  return error.issues.slice(0, maxProblems + 1).flatMap((issue) => problemsOfIssue(schema, value, issue));
}

function problemsOfIssue(schema: z.core.$ZodType, value: unknown, issue: z.core.$ZodIssue): Problem[] {
  const path = issue.path;
  const found = path.reduce<unknown>((at, step) => childOf(at, step), value);
  const problem = (code: string, message: string, hint?: string): Problem => ({ severity: "error", code, path, message, hint });
  switch (issue.code) {
    case "unrecognized_keys": {
      const allowed = allowedKeys(schema, path, value);
      return issue.keys.slice(0, maxProblems + 1).map((key) => unknownKey(key, path, allowed));
    }
    case "invalid_type":
      if (found === undefined) return [missing(path)];
      // A field that is there only to be refused: its schema says why.
      if (issue.expected === "undefined") return [problem("not-here", lowerFirst(issue.message))];
      return [wrongType(path, found, expectedWord(issue.expected))];
    case "invalid_value":
      if (found === undefined) return [missing(path)];
      return [wrongWord(path, found, issue.values.map(String))];
    case "invalid_union":
      return [wrongArm(schema, value, path, found, issue)];
    case "too_small":
      return [problem("too-small", sizeMessage(found, issue.inclusive === false ? "more than" : "at least", issue.minimum, issue))];
    case "too_big":
      return [problem("too-large", sizeMessage(found, issue.inclusive === false ? "less than" : "at most", issue.maximum, issue))];
    case "invalid_format":
      return [problem("invalid-text", `found ${describeValue(found)}; ${lowerFirst(issue.message)}`)];
    default:
      return [problem("invalid-value", customMessage(found, issue.message))];
  }
}

function unknownKey(key: string, path: readonly PropertyKey[], allowed: readonly string[]): Problem {
  const meant = didYouMean(key, allowed);
  const list = allowed.length > 0 ? `allowed: ${allowed.join(", ")}` : undefined;
  const hint = meant === undefined ? list : `did you mean '${meant}'? ${list ?? ""}`.trim();
  return { severity: "error", code: "unknown-key", path: [...path, key], message: `unknown field ${quote(key)}`, hint, atKey: true };
}

function missing(path: readonly PropertyKey[]): Problem {
  return { severity: "error", code: "missing-field", path, message: `required field '${String(path.at(-1) ?? "")}' is missing` };
}

const quoteHint = "put it in quotes to make it text";

function wrongType(path: readonly PropertyKey[], found: unknown, expected: string): Problem {
  const unquoted = expected === "text" && found !== null && !Array.isArray(found) && describeValue(found) !== "a mapping";
  const message = `found ${describeValue(found)}, expected ${expected}`;
  return { severity: "error", code: "wrong-type", path, message, hint: unquoted ? quoteHint : undefined };
}

function wrongWord(path: readonly PropertyKey[], found: unknown, allowed: readonly string[]): Problem {
  const meant = typeof found === "string" ? didYouMean(found, allowed) : undefined;
  const message = `found ${describeValue(found)}, expected ${allowed.length === 1 ? "" : "one of "}${allowed.join(", ")}`;
  return { severity: "error", code: "wrong-value", path, message, hint: meant === undefined ? undefined : `did you mean '${meant}'?` };
}

type UnionIssue = z.core.$ZodIssueInvalidUnion;

function wrongArm(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[], found: unknown, issue: UnionIssue): Problem {
  if ("discriminator" in issue && typeof issue.discriminator === "string") {
    const words = allowedWords(schema, path.slice(0, -1), value, issue.discriminator);
    if (found === undefined) return { ...missing(path), hint: `one of ${words.join(", ")}` };
    const problem = { ...wrongWord(path, found, words), code: "unknown-type" };
    // A schema may say it better itself: some of its words may only be there to be refused.
    return /^Invalid (?:input|discriminator)/.test(issue.message)
      ? problem
      : { ...problem, message: `found ${describeValue(found)}; ${lowerFirst(issue.message)}` };
  }
  const expected = issue.errors
    .flatMap((errors) => errors.filter((error) => error.path.length === 0))
    .map((error) => (error.code === "invalid_type" ? expectedWord(error.expected) : lowerFirst(error.message)));
  if (expected.length > 0) return wrongType(path, found, [...new Set(expected)].join(" or "));
  return { severity: "error", code: "invalid-value", path, message: customMessage(found, issue.message) };
}

function sizeMessage(found: unknown, relation: string, limit: number | bigint, issue: z.core.$ZodIssue): string {
  if (issue.message !== "" && !/^Too (?:small|big)/.test(issue.message)) return customMessage(found, issue.message);
  if (typeof found === "string" && "origin" in issue && issue.origin === "string")
    return `found ${describeValue(found)}, expected ${relation} ${limit} characters`;
  if (Array.isArray(found)) return `found ${found.length} entries, expected ${relation} ${limit}`;
  return `found ${describeValue(found)}, expected ${relation} ${limit}`;
}

function expectedWord(expected: string): string {
  const words: Readonly<Record<string, string>> = {
    string: "text",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    array: "a list",
    object: "a mapping",
    record: "a mapping",
    null: "null",
    undefined: "nothing",
  };
  return words[expected] ?? expected;
}

/** Rules of ours say what is wanted; the value is added unless they quote it themselves. */
function customMessage(found: unknown, message: string): string {
  const text = lowerFirst(message);
  const quoted = typeof found === "string" && [`'${found}'`, JSON.stringify(found)].some((word) => text.includes(word));
  const shown = typeof found === "string" && found !== "" && found.length <= 80 && !quoted;
  return shown ? `found ${describeValue(found)}; ${text}` : text;
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
