import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { parseEnvLines, parseList } from "../../../src/github/input-list.ts";

test("a list is separated by line ends and commas, and its empty entries are no entries", () => {
  assert.deepEqual(parseList("a.yaml, b/*.yaml\r\n\n !c \n,"), ["a.yaml", "b/*.yaml", "!c"]);
  assert.deepEqual(parseList(" \n "), []);
});

test("a comma within braces belongs to the pattern", () => {
  assert.deepEqual(parseList("tasks/{a,b}/{c,{d,e}}.yaml,f"), ["tasks/{a,b}/{c,{d,e}}.yaml", "f"]);
});

test("a brace that is not closed does not swallow the next line", () => {
  assert.deepEqual(parseList("a{b\nc,d"), ["a{b", "c", "d"]);
  assert.deepEqual(parseList("a}b,c"), ["a}b", "c"]);
});

test("variables are read line by line, values as they are", () => {
  const { variables, problems } = parseEnvLines("A=1\r\n\n  B = x=y \nC=\n_d2=#no comment");
  assert.deepEqual(variables, { A: "1", B: " x=y ", C: "", _d2: "#no comment" });
  assert.deepEqual(problems, []);
});

test("a value of several lines has an end that its author chooses", () => {
  const { variables, problems } = parseEnvLines("KEY<<END\n-----BEGIN-----\nX=1\n  in\nEND\nB=2");
  assert.deepEqual(variables, { KEY: "-----BEGIN-----\nX=1\n  in", B: "2" });
  assert.deepEqual(problems, []);
});

test("a secret that spills over lines is refused by position and never shown", () => {
  const secret = "-----BEGIN KEY-----\nMIIEvQ/+ab==\nline without sign\n-----END KEY-----";
  const { problems, secrets } = parseEnvLines(`OK=1\nKEY=${secret}`);
  assert.deepEqual(
    problems.map((problem) => problem.replace(/ (?:is|has) .*/, "")),
    ["line 3", "line 4", "line 5"],
  );
  for (const line of secret.split("\n").slice(1)) {
    assert.ok(
      secrets.some((text) => text.includes(line)),
      line,
    );
    assert.equal(problems.join("\n").includes(line), false);
  }
});

test("a value that is never ended is refused and its lines count as secret", () => {
  const { variables, problems, secrets } = parseEnvLines("A=1\nKEY<<END\nsecret line");
  assert.deepEqual(variables, { A: "1" });
  assert.match(problems.join(), /^line 2 starts a value of several lines that is never ended$/);
  assert.ok(secrets.includes("secret line"));
});

test("variables that change what a program loads, or that are the runner's, are refused", () => {
  const names =
    "PATH path LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES BASH_ENV ENV NODE_OPTIONS PYTHONSTARTUP ACTIONS_RUNTIME_TOKEN ACTIONS_X GITHUB_TOKEN GH_TOKEN GITHUB_ENV GITHUB_PATH GITHUB_OUTPUT INPUT_TASKS RUNNER_TEMP STATE_run";
  for (const name of names.split(" ")) {
    const { variables, problems } = parseEnvLines(`${name}=value-of-it`);
    assert.deepEqual(variables, {}, name);
    assert.equal(problems.length, 1, name);
    assert.equal(problems.join().includes("value-of-it"), false);
  }
  assert.deepEqual(Object.keys(parseEnvLines("GITHUB_REPOSITORY=a\nMY_PATH=b\nOPENAI_API_KEY=c").variables), [
    "GITHUB_REPOSITORY",
    "MY_PATH",
    "OPENAI_API_KEY",
  ]);
});

test("a variable that is set twice is refused", () => {
  assert.deepEqual(parseEnvLines("A=1\nA=2").problems, ["line 2 sets a variable a second time"]);
  assert.deepEqual(Object.entries(parseEnvLines("__proto__=1\nconstructor=2").variables), [
    ["__proto__", "1"],
    ["constructor", "2"],
  ]);
});

test("no problem ever holds a piece of the text", () => {
  const piece = fc.oneof(fc.constantFrom("=", "\n", "<<", "A", "PATH=", "END"), fc.string({ minLength: 4, maxLength: 12 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const { problems } = parseEnvLines(pieces.join(""));
      const known =
        /^line \d+ (?:has no valid name before its "="|is not NAME=VALUE \(a value of several lines is written NAME<<END, its lines, END\)|sets a variable (?:a second time|that tasks must not get this way \(PATH, loader or runner variable\))|starts a value of several lines that is never ended|has a NUL character in its value)$/;
      for (const problem of problems) assert.match(problem, known);
    }),
  );
});
