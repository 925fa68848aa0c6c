import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import type { FileEntry } from "../../../../src/sandbox/sandbox.ts";
import { removeTree } from "../../../../src/sandbox/tempdir/leftovers.ts";
import { type HostTreeOptions, linkLeavesTree, readHostTree } from "../../../../src/sandbox/templates/host-tree.ts";

async function withTree(
  work: (root: string, read: (more?: Partial<HostTreeOptions>) => Promise<{ entries: FileEntry[]; skipped: string[] }>) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "host-tree-test-"));
  try {
    await work(root, async (more = {}) => {
      const skipped: string[] = [];
      const onSkipped = (path: string, reason: string): void => void skipped.push(`${path}: ${reason}`);
      const options = { isIgnored: () => false, onSkipped, signal: new AbortController().signal, ...more };
      const entries: FileEntry[] = [];
      for await (const entry of readHostTree(root, options)) entries.push(entry);
      return { entries, skipped };
    });
  } finally {
    await removeTree(root);
  }
}

const shown = (entry: FileEntry): string =>
  entry.kind === "symlink" ? `${entry.path} -> ${entry.target}` : `${entry.path} ${entry.kind} ${entry.mode.toString(8)}`;

test("reads nothing through links, and nothing that is no file", async () => {
  await withTree(async (root, read) => {
    await mkdir(join(root, "d"));
    await writeFile(join(root, "d/f"), "x", { mode: 0o640 });
    await chmod(join(root, "d"), 0o755);
    await symlink("/etc", join(root, "etc"));
    await symlink("d/f", join(root, "l"));
    execFileSync("mkfifo", [join(root, "pipe")]);
    execFileSync("sh", ["-c", `touch "$0/$(printf 'x\\377')"`, root]);
    const { entries, skipped } = await read();
    assert.deepEqual(entries.map(shown), ["d directory 755", "d/f file 640", "etc -> /etc", "l -> d/f"]);
    assert.deepEqual(skipped, ["pipe: neither a file nor a directory nor a link", "x\uFFFD: the name is not UTF-8"]);
  });
});

test("leaves out ignored names at any depth, and with a filter makes no empty directories", async () => {
  await withTree(async (root, read) => {
    await mkdir(join(root, "a/skip/b"), { recursive: true });
    await mkdir(join(root, "empty"));
    for (const path of ["a/skip/b/f", "a/f", "a/g"]) await writeFile(join(root, path), "", { mode: 0o644 });
    const isIgnored = (name: string): boolean => name === "skip";
    assert.deepEqual(
      (await read({ isIgnored })).entries.map(({ path }) => path),
      ["a", "a/f", "a/g", "empty"],
    );
    assert.deepEqual(
      (await read({ isIgnored, isIncluded: (path) => path.endsWith("g") })).entries.map(({ path }) => path),
      ["a/g"],
    );
  });
});

test("streams what is big, no more of it than was announced", async () => {
  await withTree(async (root, read) => {
    await writeFile(join(root, "big"), Buffer.alloc(2_000_000, "x"));
    const [entry] = (await read()).entries;
    assert.ok(entry?.kind === "file" && !(entry.content instanceof Uint8Array));
    await writeFile(join(root, "big"), "grown", { flag: "a" });
    let bytes = 0;
    for await (const chunk of entry.content.open()) bytes += Buffer.from(chunk).length;
    assert.deepEqual([entry.content.size, bytes], [2_000_000, 2_000_000]);
  });
});

test("stops between files when it is aborted", async () => {
  await withTree(async (root, read) => {
    await writeFile(join(root, "f"), "");
    const reason = new Error("stop");
    await assert.rejects(read({ signal: AbortSignal.abort(reason) }), (error) => error === reason);
  });
});

test("tells links that lead out of the tree", () => {
  const table: [string, string, boolean][] = [
    ["l", "f", false],
    ["a/l", "../f", false],
    ["a/l", "../../f", true],
    ["l", "..", true],
    ["l", "../x", true],
    ["l", "a/../../x", true],
    ["l", "/etc", true],
    ["l", "..f", false],
  ];
  for (const [path, target, leaves] of table) assert.equal(linkLeavesTree(path, target), leaves, `${path} -> ${target}`);
});
