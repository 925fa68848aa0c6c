import { InputError, type Issue } from "../../errors.ts";
import { didYouMean } from "../did-you-mean.ts";
import { quote } from "../found-text.ts";
import type { LoadedExperiment, LoadedVariant } from "./loaded-experiment.ts";

const maxShown = 20;

/**
 * The variants of an experiment that are to run, in the file's order: those that are named, or all.
 * @throws InputError `unknown-variant`
 */
export function chooseVariants(experiment: LoadedExperiment, wanted: readonly string[]): readonly LoadedVariant[] {
  const names = new Set(experiment.variants.map(({ variantId }) => variantId));
  const unknown = [...new Set(wanted)].filter((name) => !names.has(name));
  if (unknown.length > 0) throw new InputError(unknown.map((name) => unknownVariant(name, [...names], experiment.file)));
  const chosen = new Set(wanted);
  return wanted.length === 0 ? experiment.variants : experiment.variants.filter(({ variantId }) => chosen.has(variantId));
}

function unknownVariant(name: string, names: readonly string[], file: string | null): Issue {
  const meant = didYouMean(name, names);
  const where = file === null ? "no experiment is given, so there is only" : `${file} has`;
  const shown = names.slice(0, maxShown).map(quote).join(", ");
  const more = names.length > maxShown ? `, … (${names.length} in all)` : "";
  const message = `there is no variant ${quote(name)}: ${where} ${shown}${more}`;
  return { severity: "error", code: "unknown-variant", message, hint: meant === undefined ? undefined : `did you mean '${meant}'?` };
}
