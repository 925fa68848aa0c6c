import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { resolveInside } from "../../../../src/sandbox/tempdir/confine.ts";

async function withTree(work: (root: string) => Promise<void>): Promise<void> {
  const top = await realpath(await mkdtemp(join(tmpdir(), "confine-test-")));
  try {
    const root = join(top, "root");
    await mkdir(join(root, "a/b"), { recursive: true });
    await writeFile(join(root, "a/f"), "");
    await mkdir(join(top, "root2"));
    await writeFile(join(top, "root2/secret"), "");
    const links = {
      "a/up": "..",
      "a/out": "../../root2",
      "a/top": root,
      "a/sibling": `${root}2/secret`,
      "a/climb": `${root}/../root2/secret`,
      "a/loop": "loop",
    };
    for (const [path, target] of Object.entries(links)) await symlink(target, join(root, path));
    await work(root);
  } finally {
    await rm(top, { recursive: true });
  }
}

test("follows links as the kernel does, and says outside where one leaves", async () => {
  await withTree(async (root) => {
    const ends = async (path: string) => {
      const found = await resolveInside(root, path);
      return found.kind === "outside" ? "outside" : `${found.kind} ${found.path?.slice(root.length)}`;
    };
    const expected: Record<string, string> = {
      "": "found ",
      "a/b/../f": "found /a/f",
      "a/up/a/f": "found /a/f",
      "a/top/a/./f": "found /a/f",
      "a/out": "outside",
      "a/out/secret": "outside",
      "a/sibling": "outside",
      "a/climb": "outside",
      "a/up/..": "outside",
      "a/loop": "missing undefined",
      "a/none": "missing /a/none",
      "a/up/none": "missing /none",
      "a/none/x": "missing undefined",
      "a/f/x": "missing undefined",
      "none/../../x": "outside",
      "none/../a": "missing undefined",
    };
    for (const [path, end] of Object.entries(expected)) assert.equal(await ends(path), end, path);
    assert.equal(await ends(`${root}/a/f`), "found /a/f");
    assert.equal(await ends(`${root}2/secret`), "outside");
    assert.equal(await ends("a\0b"), "missing undefined");
  });
});

test("never gives a path outside of root, whatever the parts are", async () => {
  await withTree(async (root) => {
    const part = fc.constantFrom("a", "b", "f", "up", "out", "top", "sibling", "climb", "loop", "..", ".", "", "none", "secret", "root2");
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.boolean(), async (parts, absolute) => {
        const found = await resolveInside(root, absolute ? `${root}/${parts.join("/")}` : parts.join("/"));
        const path = found.kind === "outside" ? root : (found.path ?? root);
        assert.ok(path === root || path.startsWith(`${root}/`));
        if (found.kind === "found") assert.equal(await realpath(path), path);
      }),
      { numRuns: 300 },
    );
  });
});
