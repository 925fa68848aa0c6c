import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { parseDockerIgnore } from "../../../../src/plan/files/docker-ignore.ts";

const paths = ["a", "a.md", "README.md", "docs/a.md", "docs/b/a.md", "docs/b/x.txt", "src/a.js", "src/lib/a.js", "[x]", "tmp/keep/k", "z!"];

const table: readonly (readonly [file: string, ignored: readonly string[]])[] = [
  ["", []],
  ["# a comment\n\n  \n", []],
  ["a", ["a"]],
  ["/a\n", ["a"]],
  ["./src/\r\n", ["src/a.js", "src/lib/a.js"]],
  ["*.md", ["a.md", "README.md"]],
  ["**/*.md", ["a.md", "README.md", "docs/a.md", "docs/b/a.md"]],
  ["*/*.md", ["docs/a.md"]],
  ["*/lib", ["src/lib/a.js"]],
  ["docs/**", ["docs/a.md", "docs/b/a.md", "docs/b/x.txt"]],
  ["docs/**/x.txt", ["docs/b/x.txt"]],
  ["**", paths],
  ["*\n!README.md", paths.filter((path) => path !== "README.md")],
  ["!README.md\n*", paths],
  ["tmp\n!tmp/keep", []],
  ["tmp\n! tmp/keep \ntmp/keep/k", ["tmp/keep/k"]],
  ["?.md", ["a.md"]],
  ["[a-c].md", ["a.md"]],
  ["[^a]*.md", ["README.md"]],
  ["\\[x\\]", ["[x]"]],
  ["z\\!", ["z!"]],
  ["x/../a", ["a"]],
];

for (const [file, ignored] of table) {
  test(`.dockerignore ${JSON.stringify(file)} keeps out what the builder keeps out`, () => {
    const ignore = parseDockerIgnore(file);
    assert.deepEqual(
      paths.filter((path) => ignore.isIgnored(path)),
      ignored,
    );
  });
}

test("without exceptions all that lies in an ignored folder is ignored", () => {
  const name = fc.stringMatching(/^[a-c*?]{1,3}$/);
  const pattern = fc.array(fc.oneof(name, fc.constant("**")), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const plain = fc.array(fc.stringMatching(/^[a-c]{1,3}$/), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 3 }), plain, fc.stringMatching(/^[a-c]$/), (patterns, path, below) => {
      const ignore = parseDockerIgnore(patterns.join("\n"));
      assert.equal(ignore.hasExceptions, false);
      if (ignore.isIgnored(path.join("/"))) assert.ok(ignore.isIgnored([...path, below].join("/")));
    }),
  );
});

test("a pattern made to run away is answered at once", () => {
  const ignore = parseDockerIgnore(`${"**/".repeat(40)}${"a*".repeat(40)}b`);
  assert.equal(ignore.isIgnored(`${"a/".repeat(60)}${"a".repeat(200)}`), false);
});
