import type { ErrorObject } from "ajv";
import { compareText, type JsonValue } from "../json/value.ts";
import { type Problem, problemOf } from "./problem.ts";

const applicators = new Set(["anyOf", "oneOf"]);
/** Only say that something below or beside them failed. */
const echoes = new Set(["if", "propertyNames"]);

/**
 * Which of all errors Python's `jsonschema.exceptions.best_match` shows: the one nearest to the top, not an `anyOf` where there is
 * another; for an `anyOf`, its best alternative unless two are equally good.
 */
export function bestProblem(errors: readonly ErrorObject[], document: JsonValue): string {
  const problems = treeOf(errors, document);
  let best = problems.reduce((found, problem) => (compare(problem, found) > 0 ? problem : found), problems[0] ?? unknown);
  while (best.context.length > 0) {
    const [first, second] = best.context.toSorted(compare);
    if (first === undefined || (second !== undefined && compare(first, second) === 0)) break;
    best = first;
  }
  return best.message;
}

const unknown: Problem = { keyword: "", path: [], message: "the document does not fit the schema", typeMatches: false, context: [] };

/** Ajv lists the errors of alternatives right before the `anyOf` that they belong to. */
function treeOf(errors: readonly ErrorObject[], document: JsonValue): Problem[] {
  const flat: { readonly error: ErrorObject; readonly problem: Problem }[] = [];
  for (const error of errors) {
    if (echoes.has(error.keyword)) continue;
    const same = errors.filter((one) => one.instancePath === error.instancePath && one.schemaPath === error.schemaPath);
    if (same[0] !== error && same.length > 1 && /additional|unevaluated/.test(error.keyword)) continue;
    const context: Problem[] = [];
    while (applicators.has(error.keyword)) {
      const last = flat.at(-1);
      if (last === undefined || !isBelow(last.error, error)) break;
      context.unshift(last.problem);
      flat.pop();
    }
    flat.push({ error, problem: problemOf(error, same, context, document) });
  }
  return flat.map(({ problem }) => problem);
}

/** An error of an alternative itself, or of a definition that the alternative refers to. */
function isBelow(child: ErrorObject, parent: ErrorObject): boolean {
  if (!child.instancePath.startsWith(parent.instancePath)) return false;
  const siblings = parent.schemaPath.slice(0, parent.schemaPath.lastIndexOf("/") + 1);
  return (
    child.schemaPath.startsWith(`${parent.schemaPath}/`) ||
    !child.schemaPath.startsWith(siblings) ||
    /^#\/(\$defs|definitions)\//.test(child.schemaPath)
  );
}

/** Positive when `a` is the more telling one. */
function compare(a: Problem, b: Problem): number {
  return (
    b.path.length - a.path.length ||
    comparePaths(a.path, b.path) ||
    Number(!applicators.has(a.keyword)) - Number(!applicators.has(b.keyword)) ||
    Number(!a.typeMatches) - Number(!b.typeMatches)
  );
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const difference = compareText(part, b[index] ?? "");
    if (difference !== 0) return difference;
  }
  return 0;
}
