import assert from "node:assert/strict";
import test from "node:test";
import { InputError } from "../../../src/errors.ts";
import { type Inputs, inputVariable, loadInputs } from "../../../src/github/inputs.ts";

function load(texts: Readonly<Record<string, string>>): Inputs {
  const env = Object.fromEntries(Object.entries({ tasks: "t", ...texts }).map(([name, text]) => [inputVariable(name), text]));
  return loadInputs(env, { workspace: import.meta.dirname }, () => {}).inputs;
}

function problemsOf(name: string, text: string): readonly string[] {
  try {
    load({ [name]: text });
  } catch (error) {
    assert.ok(error instanceof InputError);
    return error.issues.map((issue) => issue.message);
  }
  return [];
}

test("numbers, rates, days and names that have another form are refused, each with its input", () => {
  const bad: Readonly<Record<string, readonly string[]>> = {
    "max-parallel": ["-1", "1.5", "1e3", "0x10", "4 cores", "١", "10001", "NaN"],
    "min-pass-rate": ["90", "NaN", "1e-1", "-0.1", "1.1", "101%", "0,9"],
    "min-task-score": ["5", "NaN", "-1%"],
    "retention-days": ["401", "0", "1.5", "-1", "1e2", "a week"],
    "artifact-name": ["a\nb", "\u0007", "x".repeat(201), "\t"],
    "comment-key": ["a\r\nb", "x".repeat(101)],
    "include-skipped": ["yes", "1"],
    resume: ["yes", "always"],
    "resume-from": ["last", "0", "-1", "007", "1e9", "12345678901234567890", "123/4", "https://github.com/o/r/runs/5", "1 2", "٣"],
    retry: ["none", "all"],
    "on-drift": ["ignore"],
  };
  for (const [name, texts] of Object.entries(bad)) {
    for (const text of texts) {
      const problems = problemsOf(name, text);
      assert.equal(problems.length, 1, `${name} ${JSON.stringify(text)}`);
      assert.ok(problems[0]?.startsWith(`input "${name}": `));
    }
  }
});

test("a rate, score or number of days is read as it is written", () => {
  for (const [text, value] of [
    ["0.9", 0.9],
    [".9", 0.9],
    ["1", 1],
    ["90%", 0.9],
    ["0", 0],
  ] as const) {
    assert.equal(load({ "min-pass-rate": text }).gate.minPassRate, value, text);
    assert.equal(load({ "min-task-score": text }).gate.minTaskScore, value, text);
  }
  for (const days of [1, 400]) assert.equal(load({ "retention-days": String(days) }).retentionDays, days);
});

test("a run to take results from is the newest one, an id, or the page of one", () => {
  const from = (text: string) => load({ "resume-from": text }).resumeFrom;
  assert.equal(from(""), undefined);
  for (const text of ["latest", " Latest "]) assert.equal(from(text), "latest");
  const pages = ["", "/", "/attempts/2", "/job/9?pr=5#step:3:1", "?check_suite_focus=true"];
  for (const text of ["17", ...pages.map((rest) => `https://octo.ghe.com/o/r/actions/runs/17${rest}`)])
    assert.equal(from(text), "17", text);
});

test("a job without a matrix has no leg, and legs stay apart however large they are", () => {
  const legOf = (text: string) => load({ "matrix-leg": text }).matrixLeg;
  for (const text of ["", "null", " null\n", "{}", "{\n}", "${{ toJSON(matrix) }}"]) assert.equal(legOf(text), undefined, text);
  assert.equal(legOf('{"a":1}'), '{"a":1}');
  assert.equal(legOf("not JSON"), "not JSON");
  const huge = (last: string) => legOf(JSON.stringify({ a: "x".repeat(100_000), last })) ?? "";
  assert.ok(huge("1").length < 100);
  assert.notEqual(huge("1"), huge("2"));
  assert.doesNotThrow(() => JSON.parse(huge("1")));
});

test("an expression that nobody replaced is no token", () => {
  assert.equal(load({ "github-token": "${{ github.token }}" }).githubToken, undefined);
});
