import type { Criterion } from "../../criteria/criterion-schema.ts";
import type { ResolvedDefinition } from "../resolved-task.ts";
import { canonicalText, canonicalTexts, digestOf, type Redact } from "./canonical.ts";
import { criterionFieldsLeftOut, simulationFieldsLeftOut } from "./stamped-fields.ts";

/** In the place of a digest, where a task has no such part. */
const nothing = "none";

export type TextDigests = Readonly<Record<string, string>>;

/** Gives the digests of a task's parts that are texts: everything of its definition that can change its result and is no setting. */
export type StampTexts = (task: ResolvedDefinition, reference: unknown) => TextDigests;

/** What rows of a dataset have in common is digested once. */
export function createTextStamps(redact: Redact): StampTexts {
  const known = new WeakMap<object, string>();

  const once = (key: object, make: () => string): string => {
    const digest = known.get(key) ?? make();
    known.set(key, digest);
    return digest;
  };
  const digest = (value: unknown, leftOut?: object): string => digestOf(canonicalText(value, redact, leftOut));
  const digestOfPart = (part: unknown): string => {
    if (part === null || part === undefined || (Array.isArray(part) && part.length === 0)) return nothing;
    return typeof part === "object" ? once(part, () => digest(part)) : digest(part);
  };
  const digestOfCriteria = (criteria: readonly Criterion[]): string => {
    const fresh = criteria.filter((criterion) => !known.has(criterion));
    const texts = canonicalTexts(fresh, redact, criterionFieldsLeftOut);
    for (const [index, criterion] of fresh.entries()) known.set(criterion, digestOf(texts[index] ?? ""));
    return digestOf(criteria.map((criterion) => known.get(criterion)).join(" "));
  };

  return (task, reference) => {
    const { checker_context, expected_commands, initial_prompt, post_run, pre_run, simulation, success_criteria } = task;
    return {
      checker_context: digestOfPart(checker_context),
      expected_commands: digestOfPart(expected_commands),
      initial_prompt: digestOfPart(initial_prompt),
      post_run: digestOfPart(post_run),
      pre_run: digestOfPart(pre_run),
      reference: digestOfPart(reference),
      // One that is switched off changes nothing.
      simulation: simulation?.enabled === true ? once(simulation, () => digest(simulation, simulationFieldsLeftOut)) : nothing,
      success_criteria: once(success_criteria, () => digestOfCriteria(success_criteria)),
    };
  };
}
