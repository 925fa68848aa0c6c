import assert from "node:assert/strict";
import test from "node:test";
import { locate, maxFileBytes, readText } from "../../../src/criteria/sandbox-path.ts";
import { contextOf } from "./check.ts";

const files = {
  "notes.txt": "a\r\nb\rc\n",
  "w[1].txt": "literal",
  "w1.txt": "pattern",
  "out/report-1.json": "{}",
  "out/report-2.json": "{}",
  "node_modules/x/readme.md": "no",
  "src/readme.md": "yes",
  "dist/only.js": "built",
  pipe: { kind: "other" },
  "link-out": { kind: "outside" },
} as const;

test("a literal path wins over a pattern", async () => {
  const context = contextOf({ files });
  assert.deepEqual(await locate("w[1].txt", context), { kind: "found", path: "w[1].txt", what: "file" });
  assert.deepEqual(await locate("w[12].txt", context), { kind: "found", path: "w1.txt", what: "file" });
  assert.deepEqual(await locate("", context), { kind: "found", path: ".", what: "directory" });
});

test("a pattern that finds several files can not be read, and names them", async () => {
  const context = contextOf({ files });
  assert.deepEqual(await locate("out/*.json", context), { kind: "several", paths: ["out/report-1.json", "out/report-2.json"] });
  await assert.rejects(readText("out/*.json", context), {
    name: "ValueError",
    message: "pattern 'out/*.json' matches 2 files, needs exactly one: out/report-1.json, out/report-2.json",
  });
  assert.deepEqual(await readText("out/*.xml", context), { kind: "none", error: "File 'out/*.xml' does not exist" });
});

test("a pattern does not find ignored names, unless it spells them out", async () => {
  assert.deepEqual(await locate("**/readme.md", contextOf({ files })), { kind: "found", path: "src/readme.md", what: "file" });
  assert.deepEqual(await locate("dist/*.js", contextOf({ files })), { kind: "found", path: "dist/only.js", what: "file" });
  assert.deepEqual(await locate("*/only.js", contextOf({ files })), { kind: "missing" });
  const all = contextOf({ files }, { ignoredNames: () => false });
  assert.equal((await locate("**/readme.md", all)).kind, "several");
});

test("nothing outside of the sandbox is looked at", async () => {
  const context = contextOf({ files });
  for (const path of ["../etc/passwd", "/etc/passwd", "a/../../b", "link-out", "../*", "/etc/*", "link-*"]) {
    assert.deepEqual(await locate(path, context), { kind: "outside" }, path);
    assert.deepEqual(await readText(path, context), { kind: "none", error: `Path '${path}' leads outside the sandbox` });
  }
});

test("text is read as Python reads it, or fails as it fails there", async () => {
  const latin1 = Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x20]);
  const context = contextOf({ files: { ...files, "latin1.txt": latin1 } });
  assert.deepEqual(await readText("notes.txt", context), { kind: "text", text: "a\nb\nc\n" });
  await assert.rejects(readText("latin1.txt", context), { name: "UnicodeDecodeError" });
  await assert.rejects(readText("out", context), { name: "IsADirectoryError", message: "[Errno 21] Is a directory: '/work/out'" });
  await assert.rejects(readText("pipe", context), { name: "OSError" });
  await assert.rejects(readText("a\0b", context), { name: "ValueError", message: "embedded null byte" });
});

test("a file beyond the limit is an error, not half a file", async () => {
  const context = contextOf({ files: { "big.txt": new Uint8Array(maxFileBytes + 1) } });
  const read = await readText("big.txt", context);
  assert.deepEqual(read, { kind: "none", error: "File 'big.txt' is too large to check: 50000001 bytes, at most 50000000 are read" });
});
