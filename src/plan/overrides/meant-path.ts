import { didYouMean } from "../did-you-mean.ts";
import { settingPlaces } from "./setting-roots.ts";

/** A path of which the step at `index` is not one of the names `allowed` there. */
export interface WrongPath {
  readonly steps: readonly string[];
  readonly index: number;
  readonly allowed: readonly string[];
}

/**
 * The path that was probably meant: a mistyped step, a field whose group was left out (`max_turns`), or one that was
 * looked for in the wrong group (`agent.max_turns`).
 * @param lookUp tells what is still wrong with a path; undefined where it names a field
 */
export function meantPath(
  { steps, index, allowed }: WrongPath,
  lookUp: (steps: readonly string[]) => WrongPath | undefined,
): string | undefined {
  const word = steps[index] ?? "";
  const rest = steps.slice(index + 1);
  const near = didYouMean(word, allowed);
  const mended = near === undefined ? undefined : [...steps.slice(0, index), near, ...rest];
  const exact = mended === undefined ? undefined : lookUp(mended);
  // Once this step is right, a later one may be mistyped too.
  const further = exact !== undefined && exact.index > index ? meantPath(exact, lookUp) : undefined;
  const places = settingPlaces();
  const elsewhere = [
    ...inPlaces(word, rest, places),
    ...(index === 0 ? [...inPlaces(rest[0] ?? "", rest.slice(1), places), ...inPlaces(nearName(word, places), rest, places)] : []),
  ].find((path) => lookUp(path) === undefined);
  if (mended !== undefined && exact === undefined) return mended.join(".");
  return further ?? elsewhere?.join(".") ?? mended?.join(".");
}

type Places = ReturnType<typeof settingPlaces>;

/** Paths to the fields of exactly this name, those near the roots first. */
function inPlaces(name: string, rest: readonly string[], places: Places): string[][] {
  return places.filter(({ names }) => names.includes(name)).map(({ path }) => [...path, name, ...rest]);
}

function nearName(word: string, places: Places): string {
  return (
    didYouMean(
      word,
      places.flatMap(({ names }) => names),
    ) ?? ""
  );
}
