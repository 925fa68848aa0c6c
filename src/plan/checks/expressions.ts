import type { Criterion } from "../../criteria/criterion-schema.ts";
import { quote } from "../found-text.ts";
import type { Problem } from "../issues.ts";
import type { SandboxConfig } from "../schema/task-schema.ts";
import { jmespathFault, regexFault } from "./expression-faults.ts";
import { warning } from "./problem.ts";

type Path = readonly PropertyKey[];

interface Pattern {
  readonly path: Path;
  readonly pattern: string;
  /** Python's numbers. */
  readonly flags: number;
  /** What happens when it does not compile (formats.md 2.2). */
  readonly outcome: string;
}

/** Python's `re.DOTALL`: what command_executed searches with. */
const dotAll = 16;

/** Expressions of a criterion that cannot be read: the criterion is judged all the same, and cannot be met. */
export function expressionProblems(criterion: Criterion, index: number): Problem[] {
  const base = ["success_criteria", index];
  const problems = patternsOf(criterion).flatMap((pattern) => regexProblem(base, pattern));
  if (criterion.type !== "json_check") return problems;
  const expressions = criterion.assertions.flatMap(({ expression }, at) => {
    const fault = jmespathFault(expression);
    if (fault === undefined) return [];
    const message = `${quote(expression)} is no valid JMESPath: ${fault}`;
    return [warning("invalid-jmespath", [...base, "assertions", at, "expression"], message, "the assertion cannot be met")];
  });
  return [...problems, ...expressions];
}

/** Regular expressions of recorded tools' answers. */
export function recordedProblems(recorded: SandboxConfig["record_cli"]): Problem[] {
  return (recorded ?? []).flatMap(({ responses }, tool) =>
    responses.flatMap(({ when }, at) =>
      flagPatterns(when.flags, "the answer is never given, and the call is recorded with an error").flatMap((pattern) =>
        regexProblem(["sandbox", "record_cli", tool, "responses", at, "when"], pattern),
      ),
    ),
  );
}

function regexProblem(base: Path, { path, pattern, flags, outcome }: Pattern): Problem[] {
  const fault = regexFault(pattern, flags);
  if (fault === undefined) return [];
  return [warning("invalid-regex", [...base, ...path], `${quote(pattern)} is no valid regular expression: ${fault}`, outcome)];
}

type Flags = Extract<Criterion, { type: "cli_called" }>["flags"];

function flagPatterns(flags: Flags, outcome: string): Pattern[] {
  return Object.entries(flags ?? {}).flatMap(([name, match]) =>
    match.matches_regex === null
      ? []
      : [{ path: ["flags", name, "matches_regex"], pattern: match.matches_regex, flags: match.flags, outcome }],
  );
}

const unmet = "the criterion cannot be met";

function patternsOf(criterion: Criterion): Pattern[] {
  switch (criterion.type) {
    case "file_matches_regex":
      return [{ path: ["pattern"], pattern: criterion.pattern, flags: criterion.flags, outcome: unmet }];
    case "file_check":
      return criterion.patterns.map(({ pattern, flags }, index) => ({
        path: ["patterns", index, "pattern"],
        pattern,
        flags,
        outcome: "the pattern counts as not satisfied, whatever must_match says",
      }));
    case "run_command": {
      const isRegex = criterion.stdout_match === "regex" && criterion.expected_stdout !== null;
      return isRegex ? [{ path: ["expected_stdout"], pattern: criterion.expected_stdout ?? "", flags: 0, outcome: unmet }] : [];
    }
    case "json_check":
      return criterion.assertions.flatMap(({ operator, expected }, index) =>
        operator === "regex" && typeof expected === "string"
          ? [{ path: ["assertions", index, "expected"], pattern: expected, flags: 0, outcome: "the assertion cannot be met" }]
          : [],
      );
    case "command_executed":
      return (["command_pattern", "exclude_pattern"] as const).flatMap((name) => {
        const pattern = criterion[name];
        return pattern === null ? [] : [{ path: [name], pattern, flags: dotAll, outcome: unmet }];
      });
    case "cli_called":
      return flagPatterns(criterion.flags, unmet);
    default:
      return [];
  }
}
