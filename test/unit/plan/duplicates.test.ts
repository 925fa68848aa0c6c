import assert from "node:assert/strict";
import test from "node:test";
import { duplicateProblems } from "../../../src/plan/duplicates.ts";
import { resultDir } from "../../../src/plan/run-key.ts";

const named = (taskId: string, taskFile: string, replicateIndex = 0) => ({
  taskId,
  taskFile,
  resultDir: resultDir("default", taskId, replicateIndex),
});
const told = (...tasks: readonly ReturnType<typeof named>[]) =>
  duplicateProblems(tasks).map(({ file, problem }) => `${file}: ${problem.message}`);

test("the same id twice is an error of the later file that names the other one", () => {
  assert.deepEqual(told(named("a", "x.yaml"), named("b", "y.yaml"), named("a", "z.yaml")), [
    "z.yaml: the task id 'a' is used twice: in x.yaml too",
  ]);
});

test("ids that differ in case only are an error: they are one directory on macOS and Windows", () => {
  assert.deepEqual(told(named("Foo", "x.yaml"), named("foo", "y.yaml")), [
    "y.yaml: the results of 'foo' and 'Foo' of x.yaml would share one directory: the ids differ in upper and lower case only",
  ]);
});

test("ids that look the same are told apart in words, since nobody sees the difference", () => {
  assert.match(told(named("u\u0308", "x.yaml"), named("\u00fc", "y.yaml"))[0] ?? "", /differ only in how their characters are composed/);
});

test("an id whose results would lie inside another's is an error, also inside those of a later replicate", () => {
  const inside = "x.yaml: the results of 'a/01' would lie inside those of 'a' of y.yaml, in 'default/a/01'";
  assert.deepEqual(told(named("a/01", "x.yaml"), named("a", "y.yaml")), []);
  assert.deepEqual(told(named("a/01", "x.yaml"), named("a/01", "x.yaml", 1), named("a", "y.yaml"), named("a", "y.yaml", 1)), [inside]);
});

test("two files that share many rows are told of once", () => {
  const rows = (file: string) => ["s/r1", "s/r2", "s/r3"].flatMap((id) => [named(id, file), named(id, file, 1)]);
  assert.deepEqual(told(...rows("x.yaml"), ...rows("y.yaml")), [
    "y.yaml: the task id 's/r1' is used twice: in x.yaml too, and so with 2 more",
  ]);
});

test("replicates and rows of a suite are no duplicates", () => {
  assert.deepEqual(told(named("a", "x.yaml"), named("a", "x.yaml", 1), named("s/r1", "y.yaml"), named("s/r2", "y.yaml")), []);
});

test("rows of one dataset whose ids differ in case only are told without a second file", () => {
  assert.deepEqual(told(named("s/A", "x.yaml"), named("s/a", "x.yaml")), [
    "x.yaml: the results of 's/a' and 's/A' would share one directory: the ids differ in upper and lower case only",
  ]);
});
