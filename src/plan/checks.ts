import type { Criterion } from "../criteria/criterion-schema.ts";
import { JmespathError } from "../criteria/jmespath/error.ts";
import { parseJmespath } from "../criteria/jmespath/parser.ts";
import { PythonRegexError } from "../python/python-error.ts";
import { compilePythonRegex } from "../python/regex.ts";
import type { Env } from "./expand-path.ts";
import { quote } from "./found-text.ts";
import type { Problem } from "./issues.ts";
import type { ResolvedDefinition } from "./resolved-task.ts";

/**
 * What can be seen to go wrong without running. All of it is a warning: as in 0.8.2 such a task runs, and the criterion
 * scores 0 with the error or the set-up fails (formats.md 2.2).
 */
export function foreseeableProblems(task: ResolvedDefinition, env: Env): Problem[] {
  return [...task.success_criteria.flatMap(criterionProblems), ...dockerProblems(task, env)];
}

function warning(code: string, path: readonly PropertyKey[], message: string, hint?: string): Problem {
  return { severity: "warning", code, path, message, hint };
}

interface Pattern {
  readonly path: readonly PropertyKey[];
  readonly pattern: string;
  readonly flags: number;
}

/** Regular expressions of the executed types; other types are refused before. */
function patternsOf(criterion: Criterion): Pattern[] {
  switch (criterion.type) {
    case "file_matches_regex":
      return [{ path: ["pattern"], pattern: criterion.pattern, flags: criterion.flags }];
    case "file_check":
      return criterion.patterns.map(({ pattern, flags }, index) => ({ path: ["patterns", index, "pattern"], pattern, flags }));
    case "run_command": {
      const isRegex = criterion.stdout_match === "regex" && criterion.expected_stdout !== null;
      return isRegex ? [{ path: ["expected_stdout"], pattern: criterion.expected_stdout ?? "", flags: 0 }] : [];
    }
    case "json_check":
      return criterion.assertions.flatMap(({ operator, expected }, index) =>
        operator === "regex" && typeof expected === "string"
          ? [{ path: ["assertions", index, "expected"], pattern: expected, flags: 0 }]
          : [],
      );
    default:
      return [];
  }
}

function criterionProblems(criterion: Criterion, index: number): Problem[] {
  const base = ["success_criteria", index];
  const problems = patternsOf(criterion).flatMap(({ path, pattern, flags }) => regexProblem([...base, ...path], pattern, flags));
  if (criterion.type !== "json_check") return problems;
  const expressions = criterion.assertions.flatMap(({ expression }, at) =>
    jmespathProblem([...base, "assertions", at, "expression"], expression),
  );
  return [...problems, ...expressions];
}

function regexProblem(path: readonly PropertyKey[], pattern: string, flags: number): Problem[] {
  try {
    compilePythonRegex(pattern, flags);
    return [];
  } catch (error) {
    if (!(error instanceof PythonRegexError)) throw error;
    return [
      warning("invalid-regex", path, `${quote(pattern)} is no valid regular expression: ${error.message}`, "the criterion cannot be met"),
    ];
  }
}

function jmespathProblem(path: readonly PropertyKey[], expression: string): Problem[] {
  try {
    parseJmespath(expression);
    return [];
  } catch (error) {
    if (!(error instanceof JmespathError)) throw error;
    return [
      warning("invalid-jmespath", path, `${quote(expression)} is no valid JMESPath: ${error.message}`, "the assertion cannot be met"),
    ];
  }
}

function dockerProblems({ sandbox }: ResolvedDefinition, env: Env): Problem[] {
  if (sandbox.driver !== "docker") return [];
  const problems: Problem[] = [];
  sandbox.docker.env_passthrough_extra.forEach((name, index) => {
    if (Object.hasOwn(env, name) && env[name] !== undefined) return;
    problems.push(
      warning(
        "unset-variable",
        ["sandbox", "docker", "env_passthrough_extra", index],
        `the variable ${quote(name)} is not set, so it is not passed on`,
      ),
    );
  });
  return problems;
}
