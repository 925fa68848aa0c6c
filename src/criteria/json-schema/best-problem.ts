import type { ErrorObject } from "ajv";
import { compareText, type JsonValue } from "../json/value.ts";
import { isReportedOnce, messageOf, type Problem, problemOf } from "./problem.ts";

const applicators = new Set(["anyOf", "oneOf"]);
/** Only say that something below or beside them failed. */
const echoes = new Set(["if", "propertyNames"]);

/**
 * Which of all errors Python's `jsonschema.exceptions.best_match` shows: the one nearest to the top, not an `anyOf` where there is
 * another; for an `anyOf`, its best alternative unless two are equally good.
 */
export function bestProblem(errors: readonly ErrorObject[], document: JsonValue): string {
  const problems = treeOf(errors);
  let [best] = problems;
  if (best === undefined) return "the document does not fit the schema";
  for (const problem of problems) if (compare(problem, best) > 0) best = problem;
  while (best.context.length > 0) {
    const [first, second]: readonly Problem[] = best.context.toSorted(compare);
    if (first === undefined || (second !== undefined && compare(first, second) === 0)) break;
    best = first;
  }
  return messageOf(best, document);
}

/** Ajv lists the errors of alternatives right before the `anyOf` that they belong to. */
function treeOf(errors: readonly ErrorObject[]): Problem[] {
  const told = errors.filter((error) => !echoes.has(error.keyword));
  const groups = Map.groupBy(told, (error) => `${error.instancePath} ${error.schemaPath}`);
  const problems: Problem[] = [];
  for (const error of told) {
    const same = groups.get(`${error.instancePath} ${error.schemaPath}`) ?? [error];
    if (isReportedOnce(error.keyword) && same[0] !== error) continue;
    const context: Problem[] = [];
    while (applicators.has(error.keyword)) {
      const last = problems.at(-1);
      if (last === undefined || !isBelow(last.error, error)) break;
      context.push(last);
      problems.pop();
    }
    problems.push(problemOf(error, same, context.reverse()));
  }
  return problems;
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
    Number(!applicators.has(a.error.keyword)) - Number(!applicators.has(b.error.keyword)) ||
    Number(!a.typeMatches) - Number(!b.typeMatches)
  );
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index] ?? "";
    const isIndex = /^\d{1,9}$/.test(part) && /^\d{1,9}$/.test(other);
    const difference = isIndex ? Number(part) - Number(other) : compareText(part, other);
    if (difference !== 0) return difference;
  }
  return 0;
}
