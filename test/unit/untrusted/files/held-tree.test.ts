import assert from "node:assert/strict";
import { closeSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { type HeldTree, holdTree, type Opened } from "../../../../src/untrusted/files/held-tree.ts";
import { makePlace, put } from "./trees.ts";

function contentOf(opened: Opened): string {
  if (opened.kind === "not opened") return opened.reason;
  const text = readFileSync(opened.fd, "utf8");
  closeSync(opened.fd);
  return text;
}

const tryOpen = (tree: HeldTree, path: string, seen = tree.look(path)): string => contentOf(tree.openFile(path, seen));

/** With handles of directories, and as it is done where the system has no paths to them. */
const ways = process.platform === "linux" ? [true, false] : [false];

for (const useHandles of ways) {
  const how = useHandles ? "through handles" : "by real paths";

  test(`${how}: lists by byte and looks without following`, () => {
    using place = makePlace({ b: "1", é: "2", "a/c": "3", B: "4" });
    symlinkSync(place.outside, join(place.root, "link"));
    using tree = holdTree(place.root, useHandles);
    assert.deepEqual(
      tree.list("").map((name) => Buffer.from(name, "latin1").toString()),
      ["B", "a", "b", "link", "é"],
    );
    assert.equal(tree.look("link").kind, "link");
    assert.equal(tree.look("a").kind, "directory");
    assert.equal(tryOpen(tree, "a/c"), "3");
  });

  test(`${how}: a file that becomes a link, a directory or a pipe between look and open is not opened`, () => {
    using place = makePlace({ file: "ours", "dir/x": "" });
    put(join(place.outside, "secret"), "theirs");
    using tree = holdTree(place.root, useHandles);
    const seen = tree.look("file");
    unlinkSync(join(place.root, "file"));
    symlinkSync(join(place.outside, "secret"), join(place.root, "file"));
    assert.equal(tryOpen(tree, "file", seen), "changed meanwhile");
    unlinkSync(join(place.root, "file"));
    mkdirSync(join(place.root, "file"));
    assert.notEqual(tryOpen(tree, "file", seen), "ours");
    rmSync(join(place.root, "file"), { recursive: true });
    assert.equal(tryOpen(tree, "file", seen), "changed meanwhile");
  });

  test(`${how}: a file that gets a second name between look and open is not opened`, () => {
    using place = makePlace({ file: "ours" });
    using tree = holdTree(place.root, useHandles);
    const seen = tree.look("file");
    linkSync(join(place.root, "file"), join(place.root, "second"));
    assert.equal(tryOpen(tree, "file", seen), "hard link");
    assert.equal(tryOpen(tree, "file"), "hard link");
  });

  test(`${how}: a directory above that becomes a link leads nowhere`, () => {
    using place = makePlace({ "a/b/file": "ours" });
    put(join(place.outside, "b/file"), "theirs");
    using tree = holdTree(place.root, useHandles);
    const seen = tree.look("a/b/file");
    renameSync(join(place.root, "a"), join(place.root, "moved"));
    symlinkSync(place.outside, join(place.root, "a"));
    assert.notEqual(tryOpen(tree, "a/b/file", seen), "theirs");
    using fresh = holdTree(place.root, useHandles);
    assert.throws(() => fresh.list("a"), { code: /ELOOP|ENOTDIR/ });
    assert.throws(() => fresh.list("a/b"), { code: /ELOOP|ENOTDIR/ });
    assert.equal(tryOpen(fresh, "a/b/file", seen), "changed meanwhile");
  });

  test(`${how}: a root beside one with a longer name does not reach it`, () => {
    using place = makePlace({ "x/file": "ours" });
    put(join(`${place.root}-evil`, "file"), "theirs");
    using tree = holdTree(place.root, useHandles);
    const seen = tree.look("x/file");
    rmSync(join(place.root, "x"), { recursive: true });
    symlinkSync(`${place.root}-evil`, join(place.root, "x"));
    assert.notEqual(tryOpen(tree, "x/file", seen), "theirs");
  });

  test(`${how}: hundreds of directories need few handles`, () => {
    using place = makePlace(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`d${index}/e/f`, String(index)])));
    using tree = holdTree(place.root, useHandles);
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 300; index += 1) assert.equal(tryOpen(tree, `d${index}/e/f`), String(index));
    }
    if (useHandles) assert.ok(openHandlesBelow(place.root) <= 64);
  });
}

function openHandlesBelow(root: string): number {
  const { readdirSync, readlinkSync } = process.getBuiltinModule("node:fs");
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(root);
    } catch {
      return false;
    }
  }).length;
}

/** As a writer does who wants no reader to see half a file. */
function replaceWhole(root: string, path: string): void {
  writeFileSync(join(root, `${path}.tmp`), "new");
  renameSync(join(root, `${path}.tmp`), join(root, path));
}

test("a file that its writer replaces as a whole is read in its new form", {
  skip: process.platform !== "linux" && "needs handles",
}, () => {
  using place = makePlace({ "a/task.json": "old" });
  using tree = holdTree(place.root);
  const seen = tree.look("a/task.json");
  replaceWhole(place.root, "a/task.json");
  assert.equal(tryOpen(tree, "a/task.json", seen), "new");
});

test("without handles nobody can tell where a new file comes from, so it is not read", () => {
  using place = makePlace({ "a/task.json": "old" });
  using tree = holdTree(place.root, false);
  const seen = tree.look("a/task.json");
  replaceWhole(place.root, "a/task.json");
  assert.equal(tryOpen(tree, "a/task.json", seen), "changed meanwhile");
});
