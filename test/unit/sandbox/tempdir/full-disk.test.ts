import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { exportTree } from "../../../../src/sandbox/tempdir/export-tree.ts";
import { holdDirectory, withHandle } from "../../../../src/sandbox/tempdir/held-directory.ts";
import { removeTree } from "../../../../src/sandbox/tempdir/leftovers.ts";
import { withTinyDisk } from "../tmpfs.ts";

const { signal } = new AbortController();

test("a full disk ends an export: no part of a file stays, and the report lists what is missing", async (t) => {
  await withTinyDisk(t, async (disk) => {
    const source = await realpath(await mkdtemp(join(tmpdir(), "full-test-")));
    try {
      await writeFile(join(source, "a"), "small");
      await writeFile(join(source, "b"), Buffer.alloc(2 * 1024 * 1024));
      await writeFile(join(source, "c"), "small");
      await mkdir(join(source, "d"));
      await writeFile(join(source, "d/e"), "small");
      await symlink("a", join(source, "f"));
      const report = await withHandle(
        holdDirectory(source),
        async (held) => await exportTree(held, join(disk, "out"), { exclude: [], maxBytes: 1e9, move: true, signal }),
      );
      const full = "disk full";
      assert.deepEqual(report, {
        files: 1,
        bytes: 5,
        leftOut: [
          { path: "b", reason: full },
          { path: "c", reason: full },
          { path: "d", reason: full },
          { path: "d/e", reason: full },
          { path: "f", reason: "link" },
        ],
        leftOutCount: 5,
      });
      assert.deepEqual(await readdir(join(disk, "out"), { recursive: true }), ["a"]);
    } finally {
      await removeTree(source);
    }
  });
});
