import { z } from "zod";
import { InputError, type Issue } from "../errors.ts";
import type { OverrideFlags } from "../plan/overrides/overrides.ts";
import { maxRepeats, inputNames as overrideNames, parseOverrides } from "../plan/overrides/parse-overrides.ts";
import { parseSetLines } from "./input-list.ts";
import { choiceOr, count, flag, list, optionalLine, optionalName } from "./input-types.ts";

/** Most that a number of rows or tasks can be. */
const maxCount = 1_000_000;

/** Inputs that say which experiment runs, with which settings, and how much of it; each from its text. */
export const selectionSchemas = {
  experiment: optionalName(1000),
  variant: list,
  agent: optionalLine,
  model: optionalLine,
  repeats: count(maxRepeats),
  set: z.string().transform(parseSetLines),
  sample: count(maxCount),
  "sample-per-stratum": count(maxCount),
  "sample-seed": optionalLine,
  "max-tasks": count(maxCount),
  "on-max-tasks": choiceOr(["fail", "sample"], "fail"),
  "confirm-above": count(maxCount),
  confirmed: flag(false),
} as const;

const schema = z.object(selectionSchemas);

/** What is to run and how much of it, besides the patterns and tags. */
export interface SelectionInputs {
  /** As given: a path, or a bare name. */
  readonly experiment: string | undefined;
  readonly variants: readonly string[];
  /** Its driver is the input's, else "docker" unless `set` names one. */
  readonly overrides: OverrideFlags;
  readonly sample: number | undefined;
  readonly samplePerStratum: number | undefined;
  readonly sampleSeed: string | undefined;
  readonly maxTasks: number | undefined;
  readonly onMaxTasks: "fail" | "sample";
  readonly confirmAbove: number | undefined;
  readonly confirmed: boolean;
}

type Driver = "docker" | "tempdir";

type RawSelection = z.output<typeof schema> & { readonly driver: Driver | undefined; readonly image: string | undefined };

export function selectionInputsOf(data: RawSelection): SelectionInputs {
  const { set, agent: type, model, repeats, image } = data;
  return {
    experiment: data.experiment,
    variants: data.variant,
    overrides: { set, type, model, repeats, image, driver: data.driver ?? standardDriver(set) },
    sample: data.sample,
    samplePerStratum: data["sample-per-stratum"],
    sampleSeed: data["sample-seed"],
    maxTasks: data["max-tasks"],
    onMaxTasks: data["on-max-tasks"],
    confirmAbove: data["confirm-above"],
    confirmed: data.confirmed,
  };
}

/** In a workflow tasks run in containers, unless somebody says otherwise anywhere. */
function standardDriver(set: readonly string[]): Driver | undefined {
  return parseOverrides({ set }, overrideNames).sandbox.driver === undefined ? "docker" : undefined;
}

/**
 * What is wrong with `set` and the inputs that are short for it, by the rules of the command line (formats.md 3.4).
 * @param texts the inputs' texts: other inputs may be wrong as well, and all is told at once
 */
export function overrideIssues(texts: Readonly<Record<string, string>>): readonly Issue[] {
  const given = (name: string): string | undefined => texts[name] || undefined;
  const driver = given("driver")?.toLowerCase();
  try {
    parseOverrides(
      {
        set: parseSetLines(texts.set ?? ""),
        type: given("agent"),
        model: given("model"),
        driver: driver === "docker" || driver === "tempdir" ? driver : undefined,
      },
      overrideNames,
    );
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.issues;
    throw error;
  }
}
