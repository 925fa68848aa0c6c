import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { InternalError } from "../../../../src/errors.ts";
import type { Selection } from "../../../../src/untrusted/files/stage.ts";
import { makePlace, put, reasons, secret, stage, stagedNames, stagedText, takeAll } from "./trees.ts";

const onLinux = { skip: process.platform === "linux" ? false : "needs the file systems of Linux" };

test("files are copied with their directories, and the manifest lies beside them", async () => {
  using place = makePlace({ "run.json": "{}\n", "a/b/c.txt": "hello", "a/empty": "" });
  const staged = await stage(place);
  assert.deepEqual(stagedNames(place), ["a/b/c.txt", "a/empty", "run.json"]);
  assert.equal(stagedText(place, "a/b/c.txt"), "hello");
  assert.deepEqual(staged.files.map((file) => file.slice(place.staging.length + 1)).sort(), [
    "a/b/c.txt",
    "a/empty",
    "evalbatch-files.json",
    "run.json",
  ]);
  assert.equal(staged.bytes, 8);
  assert.deepEqual(JSON.parse(stagedText(place, "evalbatch-files.json")), staged.manifest);
  assert.deepEqual(staged.manifest, {
    schema_version: 1,
    files: 3,
    bytes: 8,
    redactions: 0,
    left_out_count: 0,
    left_out_totals: {},
    left_out: [],
    renamed: [],
  });
});

test("links are listed and never followed, whatever they point at", async () => {
  using place = makePlace({ "real/file.txt": "x" });
  put(join(place.outside, "passwd"), "root");
  symlinkSync(join(place.outside, "passwd"), join(place.root, "absolute"));
  symlinkSync("../outside", join(place.root, "directory"));
  symlinkSync("nowhere", join(place.root, "broken"));
  symlinkSync("loop", join(place.root, "loop"));
  symlinkSync("..", join(place.root, "real/up"));
  const staged = await stage(place);
  assert.deepEqual(stagedNames(place), ["real/file.txt"]);
  assert.deepEqual(reasons(staged), { absolute: "link", broken: "link", directory: "link", loop: "link", "real/up": "link" });
});

test("a link where a directory of ours would be is listed, one where nothing of ours would be is not", async () => {
  using place = makePlace({ "v/t/00/task.json": "{}" });
  for (const name of ["v/t/01", "v/t/00/foreign"]) symlinkSync(place.outside, join(place.root, name));
  const select = (path: string, kind: string): Selection =>
    kind === "directory"
      ? path.endsWith("foreign")
        ? { kind: "leave", reason: undefined }
        : takeAll()
      : path.endsWith("task.json")
        ? takeAll()
        : { kind: "leave", reason: undefined };
  assert.deepEqual(reasons(await stage(place, { select })), { "v/t/01": "link" });
});

test("a hard link is left out, also under the name of a result", async () => {
  using place = makePlace({ "ok.txt": "x" });
  put(join(place.outside, "key"), "private");
  linkSync(join(place.outside, "key"), join(place.root, "task.json"));
  assert.deepEqual(reasons(await stage(place)), { "task.json": "hard link" });
});

test("pipes and sockets are left out, and nobody waits for them", onLinux, async () => {
  using place = makePlace();
  execFileSync("mkfifo", [join(place.root, "pipe")]);
  const server = createServer().listen(join(place.root, "socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    assert.deepEqual(reasons(await stage(place)), { pipe: "no regular file", socket: "no regular file" });
  } finally {
    server.close();
  }
});

test("a root that is a link is what its owner chose; one that is missing is an entry", async () => {
  using place = makePlace({ "a.txt": "x" });
  symlinkSync(place.root, join(place.outside, "latest"));
  await stage(place, { root: join(place.outside, "latest") });
  assert.deepEqual(stagedNames(place), ["a.txt"]);
  using other = makePlace();
  const staged = await stage(other, { root: join(other.outside, "gone") });
  assert.deepEqual(reasons(staged), { "./": "changed meanwhile" });
  assert.equal(staged.files.length, 1);
});

test("a tree is never copied into itself", async () => {
  using place = makePlace({ "a.txt": "x" });
  await assert.rejects(stage(place, { staging: place.root }), InternalError);
  await assert.rejects(stage(place, { root: join(place.staging, "below") }), InternalError);
  const inside = join(place.root, "staging");
  mkdirSync(inside);
  const staged = await stage(place, { staging: inside });
  assert.equal(staged.manifest.files, 1);
  assert.deepEqual(readdirSync(inside).sort(), ["a.txt", "evalbatch-files.json"]);
});

test("names that the artifact service refuses leave under others, and the manifest tells which", async () => {
  using place = makePlace({ 'a"b/c:d.txt': "1", "plain.txt": "2", "new\nline": "3", "100%": "4" });
  const staged = await stage(place);
  assert.deepEqual(stagedNames(place), ["100%", "a%22b/c%3Ad.txt", "new%0Aline", "plain.txt"]);
  assert.deepEqual(staged.manifest.renamed, [
    { path: 'a"b/c:d.txt', name: "a%22b/c%3Ad.txt" },
    { path: "new\nline", name: "new%0Aline" },
  ]);
});

test("names that are not UTF-8 leave percent-encoded", onLinux, async () => {
  using place = makePlace();
  writeFileSync(Buffer.concat([Buffer.from(`${place.root}/%`), Buffer.from([0xff, 0xc3, 0xa9, 0x80])]), "x");
  const staged = await stage(place);
  assert.deepEqual(stagedNames(place), ["%25%FFé%80"]);
  assert.deepEqual(staged.manifest.renamed, [{ path: "%25%FFé%80", name: "%25%FFé%80", percent_encoded: true }]);
});

test("a secret in a name is hidden in the name, in the manifest and in the count", async () => {
  using place = makePlace({ "hunter2hunter2.txt": "x", "dir-hunter2hunter2/f": "y", "dir-hunter2hunter2/g": "z" });
  symlinkSync("x", join(place.root, "link-hunter2hunter2"));
  const { createRedactor } = await import("../../../../src/untrusted/redact.ts");
  const staged = await stage(place, { redactor: createRedactor(["hunter2hunter2"]) });
  assert.deepEqual(stagedNames(place), ["dir-redacted/f", "dir-redacted/g", "redacted.txt"]);
  assert.deepEqual(reasons(staged), { "link-***": "link" });
  assert.equal(staged.redactions, 4);
  assert.equal(stagedText(place, "evalbatch-files.json").includes("hunter2"), false);
});

test("a secret that is split over directories is hidden too", async () => {
  using place = makePlace({ [`x/${secret}.txt`]: "x" });
  const staged = await stage(place);
  assert.deepEqual(stagedNames(place), ["x/redacted.txt"]);
  assert.deepEqual(staged.manifest.renamed, [{ path: "x/***.txt", name: "x/redacted.txt" }]);
});

test("texts are redacted and the places counted", async () => {
  using place = makePlace({ "a.log": `one ${secret}\ntwo ${secret}\n`, "b.log": "none\n" });
  const staged = await stage(place);
  assert.equal(stagedText(place, "a.log"), "one ***\ntwo ***\n");
  assert.equal(staged.redactions, 2);
  assert.equal(staged.bytes, Buffer.byteLength("one ***\ntwo ***\nnone\n"));
});

test("what comes first by rank is there when the room is not enough for all", async () => {
  using place = makePlace({ "a-big.bin": "x".repeat(900), "b/run.json": "y".repeat(200), "z.txt": "z".repeat(50) });
  const select = (path: string): Selection => ({ kind: "take", rank: path.endsWith("run.json") ? 0 : 1 });
  const staged = await stage(place, { select, limits: { totalBytes: 1000 } });
  assert.deepEqual(stagedNames(place), ["b/run.json", "z.txt"]);
  assert.deepEqual(staged.manifest.left_out, [{ path: "a-big.bin", reason: "all files together too large", bytes: 900 }]);
  assert.deepEqual(staged.manifest.left_out_totals, { "all files together too large": { count: 1, bytes: 900 } });
});

test("each limit leaves out what goes beyond it and takes what still fits", async () => {
  using place = makePlace({
    "t1/a": "x".repeat(60),
    "t1/d": "x".repeat(20),
    "t1/b": "x".repeat(60),
    "t1/c": "x".repeat(40),
    "t2/a": "x".repeat(60),
    "t3/big": "x".repeat(101),
  });
  put(join(place.root, "of-nobody"), "x".repeat(90));
  const select = (path: string): Selection => ({ kind: "take", rank: 0, group: path === "of-nobody" ? undefined : path.split("/")[0] });
  const byGroup = await stage(place, { select, limits: { groupBytes: 80, fileBytes: 100 } });
  assert.deepEqual(reasons(byGroup), { "t1/b": "task too large", "t1/c": "task too large", "t3/big": "file too large" });
  rmSync(place.staging, { recursive: true });
  mkdirSync(place.staging);
  assert.deepEqual(reasons(await stage(place, { limits: { files: 5 } })), { "t2/a": "too many files", "t3/big": "too many files" });
});

test("a task with countless files does not take the place of the others", async () => {
  using place = makePlace({ "t1/a": "1", "t1/b": "2", "t1/c": "3", "t2/a": "4" });
  const select = (path: string): Selection => ({ kind: "take", rank: 0, group: path.split("/")[0] });
  const staged = await stage(place, { select, limits: { files: 3, groupFiles: 2 } });
  assert.deepEqual(reasons(staged), { "t1/c": "too many files of one task" });
});

test("a sparse file of two terabytes costs nothing", onLinux, async () => {
  using place = makePlace({ "disk.img": "" });
  truncateSync(join(place.root, "disk.img"), 2 * 1024 ** 4);
  const staged = await stage(place);
  assert.deepEqual(staged.manifest.left_out, [{ path: "disk.img", reason: "file too large", bytes: 2 * 1024 ** 4 }]);
});

test("a file that grows while it is copied ends at the size that was counted", async () => {
  const text = "line\n".repeat(400_000);
  using place = makePlace({ "task.log": text });
  const staging = stage(place);
  const timer = setInterval(() => appendFileSync(join(place.root, "task.log"), "more\n".repeat(1000)), 0);
  const staged = await staging.finally(() => clearInterval(timer));
  assert.equal(staged.bytes % 5, 0);
  assert.ok(staged.bytes >= text.length && staged.bytes < readFileSync(join(place.root, "task.log")).length);
});

test("directories that take long to come to are read last, so that they can't hide results", async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`a/artifacts/${index}`, "x"]));
  using place = makePlace({ ...files, "z/task.json": "{}" });
  const select = (path: string, kind: string): Selection => ({
    kind: "take",
    rank: kind === "directory" && path.endsWith("artifacts") ? 1 : 0,
  });
  const { findFiles } = await import("../../../../src/untrusted/files/find-files.ts");
  const { holdTree } = await import("../../../../src/untrusted/files/held-tree.ts");
  const left: string[] = [];
  const leftOut = {
    add: ({ raw, reason }: { raw: string; reason: string }) => void left.push(`${raw}: ${reason}`),
    redactions: 0,
    finish: assert.fail,
  };
  using tree = holdTree(place.root);
  const found = await findFiles(tree, { select, signal: undefined, leftOut, maxEntries: 4 });
  assert.deepEqual(
    found.map(({ raw }) => raw),
    ["z/task.json"],
  );
  assert.deepEqual(left, ["a/artifacts: too many entries"]);
});

test("what is left without a reason is not mentioned, what is left with one is", async () => {
  using place = makePlace({ "src/x.ts": "1", ".git/config": "2", "foreign.txt": "3", "mine.txt": "4" });
  const select = (path: string): Selection =>
    path === "mine.txt" ? takeAll() : { kind: "leave", reason: path === ".git" ? "hidden" : undefined };
  const staged = await stage(place, { select });
  assert.deepEqual(stagedNames(place), ["mine.txt"]);
  assert.deepEqual(staged.manifest.left_out, [{ path: ".git/", reason: "hidden", bytes: null }]);
});

test("a directory is asked about once more when its names are known", async () => {
  using place = makePlace({ "old/run.json": "{}", "old/x": "1", "new/x": "2" });
  const select = (_path: string, _kind: string, names?: readonly string[]): Selection =>
    names?.includes("run.json") === true ? { kind: "leave", reason: "another run" } : takeAll();
  assert.deepEqual(reasons(await stage(place, { select })), { "old/": "another run" });
  assert.deepEqual(stagedNames(place), ["new/x"]);
});

test("a directory that becomes a link while the tree is read leads nowhere", async () => {
  using place = makePlace({ "a/task.json": "ours", "b/task.json": "ours too", "c/last": "x" });
  put(join(place.outside, "task.json"), "theirs");
  const select = (path: string): Selection => {
    if (path === "c/last") {
      for (const name of ["a", "b"]) {
        renameSync(join(place.root, name), join(place.root, `was-${name}`));
        symlinkSync(place.outside, join(place.root, name));
      }
    }
    return takeAll();
  };
  await stage(place, { select });
  for (const name of stagedNames(place)) assert.notEqual(stagedText(place, name), "theirs", name);
});

test("a tree that vanishes while it is copied gives entries and no error", async () => {
  using place = makePlace({ "a/1": "x", "a/2": "y", "b/3": "z", "c/last": "x" });
  const select = (path: string): Selection => {
    if (path === "c/last") rmSync(join(place.root, "a"), { recursive: true });
    return takeAll();
  };
  const staged = await stage(place, { select });
  assert.deepEqual(stagedNames(place), ["b/3", "c/last"]);
  assert.deepEqual(reasons(staged), { "a/1": "changed meanwhile", "a/2": "changed meanwhile" });
});

test("when time is up, what is not copied is left out by name and the manifest still stands", async () => {
  using place = makePlace({ a: "1", b: "2" });
  const stop = new AbortController();
  const select = (path: string): Selection => {
    if (path === "b") stop.abort();
    return takeAll();
  };
  const staged = await stage(place, { select, signal: stop.signal });
  assert.deepEqual(reasons(staged), { a: "no time left", b: "no time left" });
  assert.deepEqual(reasons(await stageAgain(place, AbortSignal.abort())), { "./": "no time left" });
});

async function stageAgain(place: ReturnType<typeof makePlace>, signal: AbortSignal) {
  rmSync(place.staging, { recursive: true });
  mkdirSync(place.staging);
  return await stage(place, { signal });
}

test("paths that no program would make end in an entry", onLinux, async () => {
  using place = makePlace({ ok: "x" });
  // Deeper than a path can say.
  const made = spawnSync("sh", ["-c", "i=0; while [ $i -lt 150 ]; do mkdir d && cd -P d && i=$((i+1)); done; echo x > deep"], {
    cwd: place.root,
  });
  assert.equal(made.status, 0);
  const staged = await stage(place);
  assert.deepEqual(Object.keys(staged.manifest.left_out_totals), ["too deep"]);
  assert.deepEqual(stagedNames(place), ["ok"]);
});

test("the manifest names the first thousand and counts the rest", async () => {
  using place = makePlace();
  for (let index = 0; index < 1100; index += 1) symlinkSync("nowhere", join(place.root, `link-${index}`));
  const { manifest } = await stage(place);
  assert.equal(manifest.left_out.length, 1000);
  assert.equal(manifest.left_out_count, 1100);
  assert.equal(manifest.left_out_totals.link?.count, 1100);
});

const name = fc.oneof(
  fc.constantFrom(
    "a",
    "A",
    "con",
    "NUL.txt",
    "x.",
    " y",
    "b:c",
    "b%3Ac",
    "é",
    "e\u0301",
    "q?",
    "q%3F",
    "q~2%3F",
    "_",
    "..x",
    "evalbatch-files.json",
    "w".repeat(200),
  ),
  fc.string({ unit: "binary", minLength: 1, maxLength: 6 }),
);
const tree = fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { maxLength: 25 });
const limits = fc.record({
  fileBytes: fc.integer({ min: 0, max: 40 }),
  totalBytes: fc.integer({ min: 0, max: 200 }),
  files: fc.integer({ min: 0, max: 20 }),
  groupBytes: fc.integer({ min: 0, max: 90 }),
  groupFiles: fc.integer({ min: 0, max: 9 }),
});

test("every file is either copied, byte by byte, or counted in the manifest, within every limit", onLinux, async () => {
  await fc.assert(
    fc.asyncProperty(tree, limits, async (paths, chosen) => {
      using place = makePlace();
      const made = new Map<string, string>();
      for (const parts of paths) {
        const path = parts
          .map((part) => part.toWellFormed().replace(/[/\0]/g, "-"))
          .map((part) => (/^\.{1,2}$/.test(part) ? "dots" : part))
          .join("/");
        const content = `content of ${path}`.slice(0, 45);
        try {
          put(join(place.root, path), content);
          made.set(path, content);
        } catch {
          // A file where a directory would have to be.
        }
      }
      const select = (path: string): Selection => ({ kind: "take", rank: path.length % 3, group: path.slice(0, 1) });
      const { manifest, files } = await stage(place, { select, limits: chosen });
      assert.equal(manifest.files + manifest.left_out_count, made.size);
      assert.ok(manifest.files <= chosen.files && manifest.bytes <= chosen.totalBytes);
      const originalOf = new Map(manifest.renamed.map(({ path, name: given }) => [given, path]));
      const copied = stagedNames(place);
      assert.equal(copied.length, manifest.files);
      assert.equal(new Set(files.map((file) => file.normalize("NFC").toLowerCase())).size, files.length);
      for (const given of copied) {
        assert.doesNotMatch(given, /[":<>|*?\\\p{Cc}]|[. ](?:\/|$)/u);
        const original = originalOf.get(given) ?? given;
        assert.equal(stagedText(place, given), made.get(original), given);
      }
    }),
    { numRuns: 60 },
  );
});
