import assert from "node:assert/strict";
import { chmod, mkdir, symlink } from "node:fs/promises";
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
  assert.equal(
    await messages(folder.path, "!empty"),
    "no task file, folder or pattern is given ('!empty' only leaves out; a file of that name is './!empty')",
  );
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

test("a loop of links and a folder with the name of a file are safe", async () => {
  await using folder = await taskFolder(files);
  await symlink(join(folder.path, "tasks"), join(folder.path, "tasks/deep/loop"));
  await symlink(join(folder.path, "tasks"), join(folder.path, "tasks/loop.yaml"));
  await mkdir(join(folder.path, "tasks/folder.yaml"));
  for (const pattern of ["tasks", "tasks/**/*.{yaml,yml}"]) assert.equal((await names(folder.path, pattern)).length, 4, pattern);
});

test("a link to a file is a file, in a folder as by a glob", async () => {
  await using folder = await taskFolder({ "elsewhere/a.yaml": "", "tasks/b.yaml": "" });
  await symlink("../elsewhere/a.yaml", join(folder.path, "tasks/link.yaml"));
  for (const pattern of ["tasks", "tasks/*.yaml", "tasks/**/*.yaml"])
    assert.deepEqual(await names(folder.path, pattern), ["tasks/b.yaml", "tasks/link.yaml"], pattern);
});

test("a link to nothing is a file of tasks that cannot be read, never left out, and an error where it is named", async () => {
  await using folder = await taskFolder({ "tasks/a.yaml": "" });
  await symlink("gone", join(folder.path, "tasks/gone.yaml"));
  await symlink("self.yaml", join(folder.path, "tasks/self.yaml"));
  for (const pattern of ["tasks", "tasks/*.yaml"])
    assert.deepEqual(await names(folder.path, pattern), ["tasks/a.yaml", "tasks/gone.yaml", "tasks/self.yaml"]);
  assert.equal(await messages(folder.path, "tasks/gone.yaml"), "'tasks/gone.yaml' is a link that leads nowhere");
});

test("a folder is searched whatever its name: blanks, line ends, characters of globs", async () => {
  const odd = "od d/[x]/\u{fc}/new\nline/-{a,b}/t.yaml";
  await using folder = await taskFolder({ [odd]: "", ".hidden/t.yaml": "" });
  assert.deepEqual(await names(folder.path, "."), [odd]);
});

/** The superuser may read everything. */
const asRoot = process.getuid?.() === 0 || process.platform === "win32" ? "permissions mean nothing to this user" : false;

test("a folder below that cannot be looked into is an error, unless it is left out", { skip: asRoot }, async () => {
  await using folder = await taskFolder({ "tasks/a.yaml": "", "tasks/shut/b.yaml": "" });
  const shut = join(folder.path, "tasks/shut");
  await chmod(shut, 0);
  try {
    const hint = "(make it readable, or leave it out: '!' and its name)";
    assert.equal(await messages(folder.path, "tasks"), `the folder 'tasks/shut' cannot be read: permission denied ${hint}`);
    assert.match(await messages(folder.path, "tasks/**/*.yaml"), /'tasks\/shut' cannot be read/);
    assert.deepEqual(await names(folder.path, "tasks/*.yaml"), ["tasks/a.yaml"]);
    assert.match(await messages(folder.path, "tasks/shut/b.yaml"), /^'tasks\/shut\/b\.yaml' cannot be read: permission denied/);
    assert.deepEqual(await names(folder.path, "tasks", "!tasks/shut"), ["tasks/a.yaml"]);
  } finally {
    await chmod(shut, 0o700);
  }
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
