import assert from "node:assert/strict";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import type { TreeFilter } from "../../../../src/plan/stamp/tree-filters.ts";
import { type TreeLimits, TreeReader } from "../../../../src/plan/stamp/tree-reader.ts";
import { taskFolder } from "../task-folder.ts";

const filter: TreeFilter = { key: "", isIgnored: () => false, withoutTasks: false };
const roomy: TreeLimits = { files: 100, bytes: 1000, listed: 1000, depth: 10 };
const plain = (text: string) => text;
const noWay = async (): Promise<void> => undefined;

async function read(files: Record<string, string>, limits: Partial<TreeLimits>) {
  await using folder = await taskFolder(files);
  const reader = new TreeReader(plain, noWay, { ...roomy, ...limits });
  const tree = await reader.folder(folder.path, filter, "folder f", {});
  assert.ok(tree);
  return { files: Object.fromEntries(tree.files), value: tree.value, problems: reader.problems.list() };
}

test("a folder with too many files, or too many bytes, is known by names and sizes", async () => {
  const files = { "a/x": "12", "a/y": "345" };
  const known = { "a/x": "2 bytes", "a/y": "3 bytes" };
  const line = ["folder f is large and is compared by names and sizes: 2 files, 5 bytes"];
  for (const limits of [{ files: 1 }, { bytes: 4 }]) {
    const { value, files: found, problems } = await read(files, limits);
    assert.deepEqual([found, problems], [known, line]);
    assert.equal((await read({ ...files, "a/x": "21" }, limits)).value, value);
    assert.notEqual((await read({ ...files, "a/x": "123" }, limits)).value, value);
  }
});

test("of a folder without an end the first files are known, always the same ones", async () => {
  const names = ["d", "b", "e", "a", "c"];
  const { files, problems } = await read(Object.fromEntries(names.map((name) => [name, "1"])), { listed: 3 });
  assert.deepEqual(Object.keys(files), ["a", "b", "c"]);
  assert.deepEqual(problems, ["folder f has more than 3 files; the rest is not compared"]);
});

test("folders that lie too deep are left out with a line", async () => {
  const { files, problems } = await read({ "a/b/c": "1", top: "1" }, { depth: 2 });
  assert.deepEqual(Object.keys(files), ["top"]);
  assert.deepEqual(problems, ["folder f: a/b is left out: it lies too deep"]);
});

test("a large file alone is known by its size", async () => {
  await using folder = await taskFolder({ a: "12345" });
  const path = join(folder.path, "a");
  const reader = new TreeReader(plain, noWay, { ...roomy, bytes: 4 });
  assert.equal(await reader.fileValue(path, await stat(path), "file a"), "5 bytes");
  assert.deepEqual(reader.problems.list(), ["file a is large and is compared by its size only"]);
});

test("a file is read once, whoever names it", async () => {
  await using folder = await taskFolder({ a: "1" });
  const path = join(folder.path, "a");
  const reader = new TreeReader(plain, noWay);
  const before = await reader.fileValue(path, await stat(path), "file a");
  await writeFile(path, "2");
  assert.equal((await reader.folder(folder.path, filter, "folder f", {}))?.files.get("a"), before);
});

test("what its caller throws between files ends it", async () => {
  await using folder = await taskFolder({ a: "1" });
  const stop = async (): Promise<void> => {
    throw new Error("stop");
  };
  await assert.rejects(new TreeReader(plain, stop).folder(folder.path, filter, "folder f", {}), /^Error: stop$/);
});
