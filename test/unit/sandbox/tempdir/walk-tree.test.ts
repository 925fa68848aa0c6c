import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rename, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { holdDirectory, withHandle } from "../../../../src/sandbox/tempdir/held-directory.ts";
import { removeTree } from "../../../../src/sandbox/tempdir/leftovers.ts";
import { walkTree } from "../../../../src/sandbox/tempdir/walk-tree.ts";

const { signal } = new AbortController();
const skip = process.platform === "linux" ? false : "directories can be reached by handle on Linux only";

test("a directory that becomes a link after it was looked at is walked as it was", { skip }, async () => {
  const tmpDir = await realpath(await mkdtemp(join(tmpdir(), "walk-test-")));
  try {
    const [top, victim] = [join(tmpDir, "top"), join(tmpDir, "victim")];
    await mkdir(join(top, "a/b"), { recursive: true });
    await mkdir(victim);
    await writeFile(join(top, "a/b/mine"), "m");
    await writeFile(join(victim, "secret"), "s");
    const seen: string[] = [];
    await withHandle(holdDirectory(top), async (held) => {
      await walkTree(
        held,
        { exclude: [], signal },
        {
          file: async ({ path }) => void seen.push(path),
          directory: async ({ path, place }, _stats, enter) => {
            if (path === "a") {
              await rename(place, join(tmpDir, "away"));
              await symlink(victim, place);
            }
            await enter();
          },
          unwanted: async ({ path }, reason) => void seen.push(`${path}: ${reason}`),
        },
      );
      assert.equal(held.state(), "same");
    });
    assert.deepEqual(seen, ["a/b/mine"]);
  } finally {
    await removeTree(tmpDir);
  }
});
