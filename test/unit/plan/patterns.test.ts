import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { InputError } from "../../../src/errors.ts";
import { findTaskFiles } from "../../../src/plan/patterns.ts";
import { taskFolder } from "./task-folder.ts";

const files = {
  "tasks/b.yaml": "",
  "tasks/a.yml": "",
  "tasks/notes.txt": "",
  "tasks/deep/er/c.yaml": "",
  "tasks/node_modules/x/hidden.yaml": "",
  "tasks/.git/config.yaml": "",
  "tasks/[odd] {name}.yaml": "",
  "other/d.yaml": "",
};

async function names(cwd: string, ...patterns: readonly string[]): Promise<string[]> {
  return (await findTaskFiles(patterns, { cwd })).map(({ name }) => name);
}

async function messages(cwd: string, ...patterns: readonly string[]): Promise<string> {
  try {
    await findTaskFiles(patterns, { cwd });
  } catch (error) {
    assert.ok(error instanceof InputError);
    return error.issues.map(({ message, hint }) => `${message}${hint === undefined ? "" : ` (${hint})`}`).join("\n");
  }
  return assert.fail("no error");
}

test("a folder gives every .yaml and .yml below, sorted by code point, without node_modules and .git", async () => {
  await using folder = await taskFolder(files);
  assert.deepEqual(await names(folder.path, "tasks"), ["tasks/[odd] {name}.yaml", "tasks/a.yml", "tasks/b.yaml", "tasks/deep/er/c.yaml"]);
});

test("globs know braces, ** and exclusions, wherever those stand", async () => {
  await using folder = await taskFolder(files);
  assert.deepEqual(await names(folder.path, "{tasks,other}/*.yaml"), ["other/d.yaml", "tasks/[odd] {name}.yaml", "tasks/b.yaml"]);
  assert.deepEqual(await names(folder.path, "!**/deep/**", "**/*.{yaml,yml}", "!tasks/\\[*"), [
    "other/d.yaml",
    "tasks/a.yml",
    "tasks/b.yaml",
  ]);
});

test("a folder can be excluded by its name", async () => {
  await using folder = await taskFolder(files);
  assert.deepEqual(await names(folder.path, "tasks", "!tasks/deep", "!tasks/a.yml"), ["tasks/[odd] {name}.yaml", "tasks/b.yaml"]);
});

test("what exists is taken literally, whatever characters its name has", async () => {
  await using folder = await taskFolder(files);
  const found = await findTaskFiles(["tasks/[odd] {name}.yaml"], { cwd: folder.path });
  assert.deepEqual(
    found.map(({ name, explicit }) => ({ name, explicit })),
    [{ name: "tasks/[odd] {name}.yaml", explicit: true }],
  );
});

test("every pattern without a match is named, all at once", async () => {
  await using folder = await taskFolder(files);
  assert.equal(
    await messages(folder.path, "nope/*.yaml", "tasks", "task", "tasks/bb.yaml", ""),
    [
      "the pattern 'nope/*.yaml' matches no file",
      "no such file or folder: 'task' (did you mean 'tasks'?)",
      "no such file or folder: 'tasks/bb.yaml' (did you mean 'tasks/b.yaml'?)",
      "a pattern is empty",
    ].join("\n"),
  );
});

test("a folder without YAML is an error, and so are exclusions alone", async () => {
  await using folder = await taskFolder({ "empty/x.txt": "" });
  assert.equal(await messages(folder.path, "empty"), "the folder 'empty' holds no .yaml or .yml file");
  assert.match(await messages(folder.path, "!empty"), /^no task file/);
});

test("a file is there once, whatever names lead to it", async () => {
  await using folder = await taskFolder(files);
  await symlink(join(folder.path, "tasks/b.yaml"), join(folder.path, "tasks/z-link.yaml"));
  const found = await findTaskFiles(["tasks/b.yaml", "./tasks/../tasks/b.yaml", "tasks/*.yaml", join(folder.path, "tasks/b.yaml")], {
    cwd: folder.path,
  });
  assert.deepEqual(
    found.map(({ name, explicit }) => [name, explicit]),
    [
      ["tasks/[odd] {name}.yaml", false],
      ["tasks/b.yaml", true],
    ],
  );
});

test("a loop of links and a link to nothing are safe", async () => {
  await using folder = await taskFolder(files);
  await symlink(join(folder.path, "tasks"), join(folder.path, "tasks/deep/loop"));
  await symlink(join(folder.path, "gone"), join(folder.path, "tasks/gone.yaml"));
  await mkdir(join(folder.path, "tasks/folder.yaml"));
  assert.equal((await names(folder.path, "tasks/**/*.{yaml,yml}")).length, 4);
});

test("back slashes separate where they are no escapes", async () => {
  await using folder = await taskFolder(files);
  assert.deepEqual(await names(folder.path, "tasks\\b.yaml", "tasks\\deep\\**\\*.yaml"), ["tasks/b.yaml", "tasks/deep/er/c.yaml"]);
});

test("a leading ~ is the home directory", async () => {
  await using folder = await taskFolder(files);
  const found = await findTaskFiles(["~/other"], { cwd: join(folder.path, "tasks"), home: folder.path });
  assert.deepEqual(
    found.map(({ path }) => path),
    [join(folder.path, "other/d.yaml")],
  );
});

test("a file above the working directory keeps its absolute name", async () => {
  await using folder = await taskFolder(files);
  assert.deepEqual(await names(join(folder.path, "tasks"), "../other/d.yaml"), [join(folder.path, "other/d.yaml")]);
});
