import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { compileFnmatch } from "../../../src/plan/files/fnmatch.ts";
import { compileGlob, hasGlobMagic } from "../../../src/sandbox/glob-match.ts";

const row = z.object({ pattern: z.string(), matches: z.array(z.string()) });
const golden = z
  .object({
    paths: z.array(z.string()),
    directories: z.array(z.string()),
    glob: z.array(row),
    names: z.array(z.string()),
    fnmatch: z.array(row),
  })
  .parse(JSON.parse(readFileSync(new URL("../../fixtures/glob/python.json", import.meta.url), "utf8")));

for (const { pattern, matches } of golden.glob) {
  test(`glob ${JSON.stringify(pattern)} finds what Python's glob finds`, () => {
    const matcher = compileGlob(pattern);
    assert.deepEqual(
      golden.paths.filter((path) => matcher.matches(path, golden.directories.includes(path))),
      matches,
    );
  });
}

for (const { pattern, matches } of golden.fnmatch) {
  test(`fnmatch ${JSON.stringify(pattern)} takes what Python's fnmatchcase takes`, () => {
    assert.deepEqual(golden.names.filter(compileFnmatch(pattern)), matches);
  });
}

test("a directory that the walker may skip holds no match", () => {
  for (const { pattern, matches } of golden.glob) {
    const { mayMatchBelow } = compileGlob(pattern);
    for (const path of matches) {
      const parts = path.split("/");
      for (let depth = 0; depth < parts.length; depth += 1)
        assert.ok(mayMatchBelow(parts.slice(0, depth).join("/")), `${pattern}: ${path}`);
    }
  }
  assert.equal(compileGlob("a/*").mayMatchBelow("b"), false);
  assert.equal(compileGlob("a/*").mayMatchBelow("a/b"), false);
});

test("a text without magic matches itself alone", () => {
  const part = fc.string({ minLength: 1 }).filter((text) => !hasGlobMagic(text) && !text.includes("/") && text !== "." && text !== "..");
  fc.assert(fc.property(part, part, (a, b) => compileGlob(a).matches(b, false) === (a === b)));
});

test("a pattern made to run away is answered at once", () => {
  const { matches } = compileGlob(`${"**/".repeat(30)}${"*a".repeat(30)}b`);
  assert.equal(matches(`${"d/".repeat(200)}${"a".repeat(5000)}`, false), false);
});
