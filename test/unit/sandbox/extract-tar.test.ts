import assert from "node:assert/strict";
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import test from "node:test";
import fc from "fast-check";
import { pack } from "tar-stream";
import { extractTar } from "../../../src/sandbox/extract-tar.ts";
import type { ExportOptions } from "../../../src/sandbox/sandbox.ts";
import { withTinyDisk } from "./tmpfs.ts";

interface Entry {
  readonly name: string;
  readonly type?: "file" | "directory" | "symlink" | "link" | "fifo" | "character-device" | "block-device";
  readonly mode?: number;
  readonly linkname?: string;
  readonly text?: string;
}

const never = new AbortController().signal;
const everything: ExportOptions = { exclude: [], maxBytes: 1_000_000, signal: never };

function tarOf(entries: readonly Entry[]): Readable {
  const tar = pack();
  for (const { text = "", ...header } of entries) {
    if (header.type === undefined || header.type === "file") tar.entry(header, text);
    else tar.entry(header);
  }
  tar.finalize();
  return Readable.from(tar);
}

/** A host directory `out` inside a directory of its own, in which nothing else may appear. */
async function withHostDir(body: (hostDir: string, outside: () => Promise<string[]>) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-tar-"));
  try {
    await body(join(dir, "out"), async () => (await readdir(dir)).filter((name) => name !== "out"));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

test("files and directories come out under the packed directory's content, with their modes and no set-uid", async () => {
  await withHostDir(async (out) => {
    const tar = tarOf([
      { name: "work/", type: "directory", mode: 0o755 },
      { name: "work/secret", mode: 0o600, text: "s" },
      { name: "work/run", mode: 0o4755, text: "r" },
      { name: "work/closed", mode: 0o040, text: "c" },
      { name: "work/readonly/", type: "directory", mode: 0o555 },
      { name: "work/readonly/inner", mode: 0o444, text: "i" },
      { name: "work/no/parent/entry", mode: 0o644, text: "p" },
    ]);
    assert.deepEqual(await extractTar(tar, out, everything), { files: 5, bytes: 5, leftOut: [], leftOutCount: 0 });
    const mode = async (path: string) => (await lstat(join(out, path))).mode & 0o7777;
    assert.deepEqual(
      await Promise.all(["secret", "run", "closed", "readonly", "readonly/inner"].map(mode)),
      [0o600, 0o755, 0o640, 0o755, 0o644],
    );
    assert.equal(await readFile(join(out, "no/parent/entry"), "utf8"), "p");
  });
});

test("nothing of a hostile archive is written outside, and each refusal has its reason", async () => {
  await withHostDir(async (out, outside) => {
    const tar = tarOf([
      { name: "../escaped", text: "x" },
      { name: "work/../../escaped", text: "x" },
      { name: "work/a/../../../escaped", text: "x" },
      { name: "/etc/evalbatch-escaped", text: "x" },
      { name: "work/link", type: "symlink", linkname: "/etc" },
      { name: "work/link/evalbatch-escaped", text: "below a link that was left out" },
      { name: "work/up", type: "symlink", linkname: "../.." },
      { name: "work/hard", type: "link", linkname: "/etc/passwd" },
      { name: "work/pipe", type: "fifo" },
      { name: "work/tty", type: "character-device" },
      { name: "work/disk", type: "block-device" },
      { name: "work/good", text: "good" },
    ]);
    const report = await extractTar(tar, out, everything);
    assert.deepEqual(
      report.leftOut.map(({ path, reason }) => `${path}: ${reason}`),
      [
        "../escaped: name leads upwards",
        "work/../../escaped: name leads upwards",
        "work/a/../../../escaped: name leads upwards",
        "/etc/evalbatch-escaped: name is absolute",
        "link: link",
        "up: link",
        "hard: link",
        "pipe: fifo",
        "tty: device",
        "disk: device",
      ],
    );
    assert.deepEqual((await readdir(out)).sort(), ["good", "link"]);
    assert.ok((await lstat(join(out, "link"))).isDirectory());
    assert.deepEqual(await outside(), []);
  });
});

test("a link that lies in the host directory already is never followed", async () => {
  await withHostDir(async (out, outside) => {
    await mkdir(out);
    await mkdir(join(out, "../target"));
    await symlink("../target", join(out, "dir"));
    await symlink("../target/file", join(out, "file"));
    const report = await extractTar(
      tarOf([
        { name: "w/dir/x", text: "x" },
        { name: "w/dir/", type: "directory" },
        { name: "w/file", text: "new" },
      ]),
      out,
      everything,
    );
    assert.deepEqual(report.leftOut, [
      { path: "dir/x", reason: "something else is in its place" },
      { path: "dir", reason: "something else is in its place" },
    ]);
    assert.equal(await readFile(join(out, "file"), "utf8"), "new");
    assert.deepEqual([await outside(), await readdir(join(out, "../target"))], [["target"], []]);
  });
});

test("excluded names, what is over the cap and what is nested too deep stay behind; the rest comes", async () => {
  await withHostDir(async (out) => {
    const deep = Array.from({ length: 120 }, (_, index) => `w/${"d/".repeat(index + 1)}`);
    const tar = tarOf([
      { name: "w/big", text: "x".repeat(60) },
      { name: "w/bigger", text: "x".repeat(60) },
      { name: "w/small", text: "x".repeat(40) },
      { name: "w/.venv/", type: "directory" },
      { name: "w/.venv/lib/", type: "directory" },
      { name: "w/.venv/lib/x.py", text: "x" },
      { name: "w/a.pyc", text: "x" },
      ...deep.map((name) => ({ name, type: "directory" }) as const),
    ]);
    const report = await extractTar(tar, out, { ...everything, exclude: [".venv", "*.pyc"], maxBytes: 100 });
    assert.deepEqual([report.files, report.bytes], [2, 100]);
    assert.deepEqual(
      report.leftOut.map(({ path, reason }) => (path.startsWith("d/") ? reason : `${path}: ${reason}`)),
      ["bigger: over the size limit", ".venv: excluded", "a.pyc: excluded", "nested too deep"],
    );
  });
});

test("a full disk ends the writing: no part of a file stays, and the rest is listed", async (t) => {
  await withTinyDisk(t, async (disk) => {
    const big = "x".repeat(2 * 1024 * 1024);
    const tar = tarOf([
      { name: "work/a", text: "a" },
      { name: "work/b", text: big },
      { name: "work/c", text: "c" },
    ]);
    const report = await extractTar(tar, join(disk, "out"), { ...everything, maxBytes: 1e9 });
    assert.deepEqual([report.files, report.bytes], [1, 1]);
    assert.deepEqual(
      report.leftOut,
      ["b", "c"].map((path) => ({ path, reason: "disk full" })),
    );
    assert.deepEqual(await readdir(join(disk, "out")), ["a"]);
  });
});

test("a broken archive and an abort reject, and do not hang", async () => {
  await withHostDir(async (out) => {
    const whole = Buffer.concat(await tarOf([{ name: "w/f", text: "x".repeat(5000) }]).toArray());
    await assert.rejects(extractTar(Readable.from([whole.subarray(0, 2000)]), out, everything));
    await assert.rejects(extractTar(Readable.from([Buffer.alloc(1024, 7)]), out, everything));
    const reason = new Error("stop");
    await assert.rejects(
      extractTar(tarOf([{ name: "w/f", text: "x" }]), out, { ...everything, signal: AbortSignal.abort(reason) }),
      reason,
    );
  });
});

test("whatever the names, nothing appears beside the host directory", async () => {
  const part = fc.oneof(fc.constantFrom("..", ".", "", "a", "b", "C:", "\\", "-rf", " ", "é", "a\nb"), fc.string({ maxLength: 8 }));
  const name = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/"));
  const entry = fc.record({
    name,
    type: fc.constantFrom("file", "directory", "symlink", "link"),
    linkname: name,
    text: fc.constantFrom("", "t"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 8 }), async (entries) => {
      await withHostDir(async (out, outside) => {
        const safe = entries.filter(
          (one) => one.name !== "" && !one.name.includes("\0") && one.linkname !== "" && !one.linkname.includes("\0"),
        );
        await extractTar(tarOf(safe), out, everything);
        assert.deepEqual(await outside(), []);
        const left = await readdir(out, { recursive: true, withFileTypes: true });
        assert.ok(left.every((one) => one.isFile() || one.isDirectory()));
      });
    }),
    { numRuns: 60 },
  );
});

test("an entry that claims to be endless ends the export instead of holding it up, and the report says so", async () => {
  await withHostDir(async (out) => {
    const tar = pack();
    tar.entry({ name: "work/a" }, "kept");
    // Two terabytes of which nothing ever comes, as of a sparse file.
    tar.entry({ name: "work/big", size: 2 * 1024 ** 4 });
    const report = await extractTar(Readable.from(tar), out, everything);
    assert.deepEqual([report.files, report.leftOutCount], [1, 2]);
    assert.deepEqual(report.leftOut[0], { path: "big", reason: "over the size limit" });
    assert.match(report.leftOut[1]?.reason ?? "", /what comes after it was not looked at/);
    assert.equal(await readFile(join(out, "a"), "utf8"), "kept");
  });
});

test("what is left out is read past up to a limit, excluded names included", async () => {
  await withHostDir(async (out) => {
    const entries = [
      { name: "work/node_modules/x", text: "0123456789" },
      { name: "work/b", text: "kept" },
      { name: "work/node_modules/y", text: "0123456789" },
      { name: "work/z", text: "not kept" },
    ];
    const all = await extractTar(tarOf(entries), out, { ...everything, exclude: ["node_modules"] }, 20);
    assert.equal(all.files, 2);
    const some = await extractTar(tarOf(entries), join(out, "again"), { ...everything, exclude: ["node_modules"] }, 19);
    assert.equal(some.files, 1);
    assert.equal(some.leftOut.at(-1)?.path, "node_modules/y");
  });
});
