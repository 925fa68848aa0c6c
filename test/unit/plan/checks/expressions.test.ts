import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { z } from "zod";
import { regexFault } from "../../../../src/plan/checks/expression-faults.ts";
import { PythonRegexError } from "../../../../src/python/python-error.ts";
import { compilePythonRegex } from "../../../../src/python/regex.ts";
import { criteria, foreseen } from "./resolved-task.ts";

const broken = "missing ), unterminated subpattern at position 0";

test("a pattern that Python refuses is told for every criterion that has patterns, with what will happen", () => {
  const found = foreseen(
    criteria(
      { type: "file_matches_regex", path: "a", pattern: "(" },
      { type: "file_check", path: "a", patterns: [{ pattern: "ok" }, { pattern: "(", must_match: false }] },
      { type: "run_command", command: "x", stdout_match: "regex", expected_stdout: "(" },
      { type: "json_check", path: "a", assertions: [{ expression: "a", operator: "regex", expected: "(" }] },
      { type: "command_executed", command_pattern: "(", exclude_pattern: "(" },
      { type: "cli_called", tool: "uip", flags: { output: { matches_regex: "(" } } },
    ),
  );
  const unmet = "the criterion cannot be met";
  const at = (path: string, outcome: string) =>
    `warning success_criteria.${path}: '(' is no valid regular expression: ${broken} / ${outcome}`;
  assert.deepEqual(found, [
    at("0.pattern", unmet),
    at("1.patterns.1.pattern", "the pattern counts as not satisfied, whatever must_match says"),
    at("2.expected_stdout", unmet),
    at("3.assertions.0.expected", "the assertion cannot be met"),
    at("4.command_pattern", unmet),
    at("4.exclude_pattern", unmet),
    at("5.flags.output.matches_regex", unmet),
  ]);
});

test("a pattern of a recorded tool's answer is one, too", () => {
  const responses = [{ when: { verb: "x" } }, { when: { flags: { output: { matches_regex: "[z-a]" } } } }];
  assert.deepEqual(foreseen({ sandbox: { record_cli: [{ tool: "uip", responses }] } }), [
    "warning sandbox.record_cli.0.responses.1.when.flags.output.matches_regex: '[z-a]' is no valid regular expression: " +
      "bad character range z-a at position 1 / the answer is never given, and the call is recorded with an error",
  ]);
});

test("a text that is no pattern is not read as one", () => {
  assert.deepEqual(
    foreseen(
      criteria(
        { type: "run_command", command: "x", expected_stdout: "(" },
        { type: "json_check", path: "a", assertions: [{ expression: "a", expected: "(" }] },
        { type: "cli_called", tool: "uip", flags: { output: "(" } },
      ),
    ),
    [],
  );
});

test("flags decide what compiles", () => {
  const regex = (pattern: string, flags: number) => foreseen(criteria({ type: "file_matches_regex", path: "a", pattern, flags }));
  assert.deepEqual(regex("(?L)a", 0).length, 1);
  assert.deepEqual(regex("a # (", 64), []);
  assert.deepEqual(regex("a # (", 0).length, 1);
  assert.match(regex("a", 4)[0] ?? "", /cannot use LOCALE flag with a str pattern/);
});

test("a JMESPath expression that cannot be read is told with its place", () => {
  const json = (expression: string) => foreseen(criteria({ type: "json_check", path: "a", assertions: [{ expression, expected: 1 }] }));
  assert.deepEqual(json("items[?id=='x'].name | [0]"), []);
  const [found] = json("a[");
  assert.match(
    found ?? "",
    /^warning success_criteria\.0\.assertions\.0\.expression: 'a\[' is no valid JMESPath: Incomplete expression \/ the assertion cannot be met$/,
  );
  assert.match(json("(".repeat(50_000))[0] ?? "", /is no valid JMESPath/);
});

test("says of every pattern what compiling it says", () => {
  const { rows } = z
    .object({ rows: z.array(z.object({ pattern: z.string(), flags: z.number() })) })
    .parse(JSON.parse(readFileSync(new URL("../../../fixtures/python/regex-extra.json", import.meta.url), "utf8")));
  const compiled = (pattern: string, flags: number): string | undefined => {
    try {
      compilePythonRegex(pattern, flags);
      return undefined;
    } catch (error) {
      if (!(error instanceof PythonRegexError)) throw error;
      return error.message;
    }
  };
  assert.ok(rows.length > 500);
  for (const { pattern, flags } of rows) assert.equal(regexFault(pattern, flags), compiled(pattern, flags), pattern);
  for (const pattern of ["(?<=a+)b", "(?<!a|bb)c", "(?<=ab)c", "(?<name>a)"])
    assert.equal(regexFault(pattern, 0), compiled(pattern, 0), pattern);
});
