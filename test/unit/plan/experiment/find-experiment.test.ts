import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { InputError } from "../../../../src/errors.ts";
import { findExperiment } from "../../../../src/plan/experiment/find-experiment.ts";
import { taskFolder } from "../task-folder.ts";

const files = { "experiments/ab.yaml": "", "experiments/nightly.yml": "", "own.yaml": "", "nightly/x.txt": "", "my exp/e.yaml": "" };

async function find(name: string, env: Readonly<Record<string, string>> = {}, more: Readonly<Record<string, string>> = {}) {
  await using folder = await taskFolder({ ...files, ...more });
  const named = Object.entries(env).map(([key, value]) => [key, value.replace("<folder>", folder.path)] as const);
  const asked = name.replace("<folder>", folder.path);
  try {
    const found = await findExperiment(asked, { cwd: folder.path, env: Object.fromEntries(named) });
    assert.equal(found.path, join(folder.path, found.name));
    return found.name;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [issue] = error.issues;
    return [issue?.code, issue?.message.replace(folder.path, "<folder>"), issue?.hint];
  }
}

test("a path is relative to the working directory, and may be absolute", async () => {
  assert.equal(await find("experiments/ab.yaml"), "experiments/ab.yaml");
  assert.equal(await find("./own.yaml"), "own.yaml");
  assert.equal(await find("<folder>/own.yaml"), "own.yaml");
  assert.equal(await find("my exp/e.yaml"), "my exp/e.yaml");
});

test("a path with back slashes, as on Windows, finds its file too", async () => {
  assert.equal(await find("experiments\\ab.yaml"), "experiments/ab.yaml");
});

test("variables and ~ in the path are expanded; one that is not set is an error", async () => {
  assert.equal(await find("$EXPERIMENTS/ab.yaml", { EXPERIMENTS: "experiments" }), "experiments/ab.yaml");
  assert.equal(await find("${FILE}", { FILE: "own.yaml" }), "own.yaml");
  assert.equal(await find("~/own.yaml", { HOME: "<folder>" }), "own.yaml");
  assert.deepEqual(await find("$NOPE/ab.yaml"), [
    "undefined-variable",
    "the variable 'NOPE' in the path '$NOPE/ab.yaml' of the experiment is not set",
    "set NOPE in the environment",
  ]);
});

test("a bare name is a file in experiments/, with either extension, and never a folder of that name", async () => {
  assert.equal(await find("ab"), "experiments/ab.yaml");
  assert.equal(await find("nightly"), "experiments/nightly.yml");
});

test("a bare name that two files have is not guessed", async () => {
  assert.deepEqual(await find("ab", {}, { "experiments/ab.yml": "" }), [
    "ambiguous-name",
    "the experiment 'ab' may be 'experiments/ab.yaml' and 'experiments/ab.yml'",
    "name the file itself",
  ]);
});

test("an unknown name tells what may have been meant, or what there is", async () => {
  const message = (name: string) => `there is no experiment '${name}': neither experiments/${name}.yaml nor experiments/${name}.yml exists`;
  assert.deepEqual(await find("nigthly"), ["missing-file", message("nigthly"), "did you mean 'nightly'?"]);
  assert.deepEqual(await find("other"), ["missing-file", message("other"), "in experiments/ there are: ab, nightly"]);
  assert.deepEqual(await find("own"), ["missing-file", message("own"), "for the file in the working directory write './own.yaml'"]);
});

test("without a folder experiments/ the hint says where a bare name is looked for", async () => {
  await using folder = await taskFolder({ "t.yaml": "" });
  await assert.rejects(findExperiment("ab", { cwd: folder.path, env: {} }), (error) => {
    assert.ok(error instanceof InputError);
    assert.equal(error.issues[0]?.hint, "a bare name is looked for in experiments/ below the working directory; else give a path");
    return true;
  });
});

test("a path that does not exist tells what may have been meant", async () => {
  assert.deepEqual(await find("experiments/abc.yaml"), [
    "missing-file",
    "the experiment file 'experiments/abc.yaml' does not exist",
    "did you mean 'experiments/ab.yaml'?",
  ]);
  assert.deepEqual(await find("no/such.yaml"), ["missing-file", "the experiment file 'no/such.yaml' does not exist", undefined]);
});

test("a folder is no experiment, and its files are named", async () => {
  await using folder = await taskFolder(files);
  await mkdir(join(folder.path, "empty"));
  await assert.rejects(findExperiment("./experiments", { cwd: folder.path, env: {} }), (error) => {
    assert.ok(error instanceof InputError);
    assert.deepEqual(
      [error.issues[0]?.message, error.issues[0]?.hint],
      ["the experiment './experiments' is a folder", "name a file in it: experiments/ab.yaml, experiments/nightly.yml"],
    );
    return true;
  });
  await assert.rejects(findExperiment("./empty", { cwd: folder.path, env: {} }), /is a folder/);
});

test("an empty name, and one with a NUL character, are refused in words", async () => {
  assert.deepEqual(await find(" "), [
    "no-experiment",
    "the name of the experiment is empty",
    "give a path, or the name of a file in experiments/",
  ]);
  assert.deepEqual(await find("a\0b.yaml"), ["no-experiment", "the path 'a\\u{0}b.yaml' holds a NUL character", undefined]);
});
