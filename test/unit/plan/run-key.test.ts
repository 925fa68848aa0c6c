import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { directoryIdentity, resultDir, runKey, safeSegment } from "../../../src/plan/run-key.ts";

test("ordinary ids give the directories of 0.8.2, a row of a suite a nested one", () => {
  assert.equal(runKey("default", "hello-file", 0), "default/hello-file/00");
  assert.equal(resultDir("default", "hello-file", 0), "default/hello-file/00");
  assert.equal(resultDir("loud", "suite/row_1.a", 12), "loud/suite/row_1.a/12");
  assert.equal(resultDir("default", "Grüße 2 (neu)", 100), "default/Grüße 2 (neu)/100");
});

test("an id that is no safe path is cleaned and gets a hash", () => {
  const ids = [
    "..",
    ".",
    "a/../../b",
    "/etc/passwd",
    "a//b",
    "a:b",
    "a\\b",
    "con",
    "NUL.txt",
    "a\nb",
    "a\u0000b",
    "a ",
    "a.",
    "x".repeat(300),
    "suite.json",
  ];
  for (const id of ids) {
    const directory = resultDir("default", id, 0);
    assert.match(directory, /-[0-9a-f]{8}/, JSON.stringify(id));
    assert.notEqual(directory, `default/${id}/00`);
  }
  assert.match(safeSegment("a:b"), /^a_b-[0-9a-f]{8}$/);
});

test("a variant, task or row that is named like a file of a run gets a directory with another name", () => {
  for (const name of [
    "run.json",
    "Run.md",
    "run.html",
    "plan.json",
    "experiment.json",
    "variant.md",
    "suite.json.tmp",
    "comment.json",
    "evalbatch-files.json",
  ])
    assert.match(resultDir(name, "a", 0), /-[0-9a-f]{8}\/a\/00$/, name);
  for (const name of ["latest", "artifacts", "run", "run.json5", "my-run.json", "task.json"])
    assert.equal(resultDir(name, "a", 0), `${name}/a/00`);
});

test("ids that clean to one name stay apart", () => {
  const ids = ["foo:bar", "foo*bar", "foo|bar", "foo?bar", `${"a".repeat(200)}1`, `${"a".repeat(200)}2`, "α:", "β:"];
  assert.equal(new Set(ids.map(safeSegment)).size, ids.length);
});

const anyId = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constantFrom("..", ".", "", "aux", "a/b", "..\\x", "é"));

test("every part of a directory is a plain name on every platform, for any id", () => {
  fc.assert(
    fc.property(anyId, (id) => {
      const parts = resultDir("default", id, 0).split("/");
      for (const part of parts) {
        assert.ok(part !== "" && part !== "." && part !== "..");
        assert.doesNotMatch(part, /[<>:"|?*\\\p{Cc}]/u);
        assert.doesNotMatch(part, /[. ]$/);
        assert.doesNotMatch(part, /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
        assert.ok(Buffer.byteLength(part) <= 150);
        assert.ok(part.isWellFormed());
      }
    }),
    { numRuns: 1000 },
  );
});

test("a cleaned name is safe: cleaning it again changes nothing", () => {
  fc.assert(
    fc.property(anyId, (id) => assert.equal(safeSegment(safeSegment(id)), safeSegment(id))),
    { numRuns: 1000 },
  );
});

test("different ids have different directories", () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyId, { minLength: 2, maxLength: 20 }), (ids) => {
      assert.equal(new Set(ids.map((id) => resultDir("default", id, 0))).size, ids.length);
    }),
    { numRuns: 500 },
  );
});

test("directories that a case-insensitive disk takes for one have one identity", () => {
  assert.equal(directoryIdentity("default/Foo/00"), directoryIdentity("default/foo/00"));
  assert.equal(directoryIdentity("default/é/00"), directoryIdentity("default/e\u0301/00"));
});
