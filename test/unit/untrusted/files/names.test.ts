import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { createNameMap } from "../../../../src/untrusted/files/name-map.ts";
import { bytesOf, rawOf, showRaw } from "../../../../src/untrusted/files/raw-path.ts";
import { maxNameBytes, pathIdentity, safeName } from "../../../../src/untrusted/files/safe-name.ts";
import { createRedactor } from "../../../../src/untrusted/redact.ts";

const raw = (text: string): string => rawOf(Buffer.from(text));
const newMap = (secrets: readonly string[] = []) => createNameMap(createRedactor(secrets), ["manifest.json"]);
const names = (paths: readonly string[], map = newMap()): (string | undefined)[] => paths.map((path) => map.take(raw(path))?.name);

test("a name that is one everywhere stays as it is", () => {
  for (const name of ["task.json", "a b", "100%", "%3A", "ünï", "日本", "console.log", "com10", ".env", "a~2.txt", "👍", "x".repeat(180)]) {
    assert.equal(safeName(name), name);
  }
});

test("what is refused by the artifact service, Windows or a reader's eye is percent-encoded", () => {
  assert.equal(safeName('":<>|*?\\/'), "%22%3A%3C%3E%7C%2A%3F%5C%2F");
  assert.equal(safeName("a\r\n\t\u007f\u0085"), "a%0D%0A%09%7F%C2%85");
  assert.equal(safeName("gpj.\u202eexe\u200b"), "gpj.%E2%80%AEexe%E2%80%8B");
  assert.equal(safeName("dot."), "dot%2E");
  assert.equal(safeName("dots.. "), "dots..%20");
  assert.equal(safeName("CON"), "%43ON");
  assert.equal(safeName("aux.c"), "%61ux.c");
  assert.equal(safeName("lpt1 .txt"), "%6Cpt1 .txt");
});

test("a long name keeps its beginning and its extension, and two of them stay two", () => {
  const [first, second] = [safeName(`${"a".repeat(250)}1.json`), safeName(`${"a".repeat(250)}2.json`)];
  assert.match(first, /^a{100,}~[0-9a-f]{12}\.json$/);
  assert.notEqual(first, second);
  assert.ok(Buffer.byteLength(safeName("😀:".repeat(60))) <= maxNameBytes);
});

test("paths that would become one get a number, the first one keeps its name", () => {
  assert.deepEqual(names(["a:b.txt", "a%3Ab.txt", "A%3AB.TXT", "c"]), ["a%3Ab.txt", "a%3Ab~2.txt", "A%3AB~3.TXT", "c"]);
  assert.deepEqual(names(["é", "e\u0301"]), ["é", "e\u0301~2"]);
  assert.deepEqual(names(["manifest.json", "Manifest.json"]), ["manifest~2.json", "Manifest~3.json"]);
  assert.deepEqual(names(["x~2", "X", "x"]), ["x~2", "X", "x~3"]);
});

test("a directory has one name for all that is in it, and never that of a file", () => {
  assert.deepEqual(names(["a:/1", "a%3A", "a:/2", "A%3a/1"]), ["a%3A/1", "a%3A~2", "a%3A/2", "A%3a~3/1"]);
});

test("files far down move up instead of getting a path that nobody can unpack", () => {
  const deep = Array.from({ length: 60 }, (_, index) => `directory-${index}`).join("/");
  const [first = "", second = "", third = ""] = names([`${deep}/file.txt`, `${deep}/other/file.txt`, `${deep}/other/b.txt`]);
  for (const name of [first, second, third]) assert.ok(Buffer.byteLength(name) < 800);
  assert.equal(first.split("/").at(-1), "file.txt");
  assert.equal(second.split("/").at(-1), "file~2.txt");
  assert.equal(third.split("/").at(-1), "b.txt");
});

test("names with secrets are hidden and still tell files apart", () => {
  const map = newMap(["hunter2hunter2", "part/one/two"]);
  assert.deepEqual(
    names(["hunter2hunter2.txt", "x/hunter2hunter2", "x/HUNTER", "redacted.txt", "a/part/one/two/f", "a/part/one/two/g"], map),
    ["redacted.txt", "x/redacted", "x/HUNTER", "redacted~2.txt", "a/redacted/f", "a/redacted/g"],
  );
  assert.equal(JSON.stringify(map.renamed()).includes("hunter2"), false);
  assert.equal(map.take(raw("y/hunter2hunter2/hunter2hunter2"))?.redactions, 2);
});

test("a name is forgotten when its file did not leave", () => {
  const map = newMap();
  names(["a:", "b:"], map);
  map.forget(raw("a:"));
  assert.deepEqual(map.renamed(), [{ path: "b:", name: "b%3A" }]);
});

test("a list of renamed files that gets too long takes no more", () => {
  const map = newMap();
  const directory = Array.from({ length: 20 }, () => "?".repeat(170)).join("/");
  const taken = Array.from({ length: 6_000 }, (_, index) => map.take(`${directory}/${index}`));
  assert.ok(taken.indexOf(undefined) > 3_000);
  assert.equal(taken.at(-1), undefined);
  assert.deepEqual(map.take("plain"), { name: "plain", redactions: 0 });
});

const byteName = fc
  .oneof(
    fc.uint8Array({ minLength: 1, maxLength: 6 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 8 }).map((text) => Buffer.from(text)),
    fc
      .constantFrom("a", "A", "a:", "a%3A", "con", "x.", "x%2E", "a~2", "s3cr3t", "redacted", "w".repeat(240), "%FF")
      .map((text) => Buffer.from(text)),
  )
  .map((bytes) => rawOf(Buffer.from(bytes)).replace(/[/\0]/g, "-"))
  .map((name) => (/^\.{1,2}$/.test(name) ? "dots" : name));
const paths = fc
  .uniqueArray(
    fc.array(byteName, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/")),
    { maxLength: 40 },
  )
  .map((all) => all.filter((path) => !all.some((other) => other.startsWith(`${path}/`))));

test("no two paths get one name, and no name holds what is refused", () => {
  fc.assert(
    fc.property(paths, (all) => {
      const map = newMap();
      const given = all.map((path) => map.take(path)?.name ?? "");
      const files = given.map(pathIdentity);
      assert.equal(new Set([...files, "manifest.json"]).size, all.length + 1);
      for (const name of given) {
        assert.ok(name.isWellFormed());
        assert.doesNotMatch(name, /["\\:<>|*?\p{Cc}\p{Cf}]/u);
        for (const part of name.split("/")) {
          assert.doesNotMatch(part, /^$|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
          assert.ok(Buffer.byteLength(part) <= 255);
        }
        // No file has the name of a directory.
        assert.ok(!files.some((other) => other.startsWith(`${pathIdentity(name)}/`)));
      }
    }),
    { numRuns: 500 },
  );
});

test("the list of renamed files leads from every name back to the bytes of its path", () => {
  fc.assert(
    fc.property(paths, (all) => {
      const map = newMap();
      const given = new Map(all.map((path) => [map.take(path)?.name ?? "", path]));
      const listed = new Map(map.renamed().map((entry) => [entry.name, entry]));
      for (const [name, path] of given) {
        const entry = listed.get(name);
        const shown = entry?.path ?? name;
        const text = entry?.percent_encoded === true ? shown.replace(/%([0-9A-F]{2})/g, (_all, hex: string) => `\0${hex}`) : shown;
        const bytes = text
          .split("\0")
          .map((piece, index) =>
            index === 0 ? Buffer.from(piece) : Buffer.concat([Buffer.from(piece.slice(0, 2), "hex"), Buffer.from(piece.slice(2))]),
          );
        assert.equal(rawOf(Buffer.concat(bytes)), path);
      }
    }),
    { numRuns: 300 },
  );
});

test("a raw path sorts as its code points do", () => {
  const texts = ["z", "é", "\uffee", "😀", "a"];
  const sorted = texts
    .map(raw)
    .sort()
    .map((path) => bytesOf(path).toString());
  assert.deepEqual(sorted, ["a", "z", "é", "\uffee", "😀"]);
  assert.deepEqual(showRaw("a%\xff\xc3\xa9"), { text: "a%25%FFé", encoded: true });
});
