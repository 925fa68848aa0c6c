import assert from "node:assert/strict";
import test from "node:test";
import { planRelease } from "../../../scripts/release/plan.ts";

const changelog =
  "# Changelog\n\n## Unreleased\n\n- next\n\n## 1.10.0 (2026-12-01)\n\n- ten\n- more\n\n## 1.9.1\n\n- nine\n\n## 1.0.0\n\n## 0.1.0\n- first\n";
const release = (tag: string, tags: readonly string[] = [], manifestVersion = tag.slice(1)) =>
  planRelease({ tag, manifestVersion, changelog, tags });

test("a release takes its notes from its own section of the change log", () => {
  assert.equal(release("v1.10.0").notes, "- ten\n- more");
  assert.equal(release("v0.1.0").notes, "- first");
});

test("the tags of its major and minor version follow the highest release, compared as numbers", () => {
  assert.deepEqual(release("v1.10.0", ["v1.9.1", "v1", "v1.10", "v2.0.0"]).moves, ["v1", "v1.10"]);
  assert.deepEqual(release("v1.9.1", ["v1.9.0", "v1.10.0"]).moves, ["v1.9"]);
  assert.deepEqual(release("v1.9.1", ["v1.9.2", "v1.10.0"]).moves, []);
  assert.deepEqual(release("v1.9.1", ["v1.9.1", "v1.10.0-rc.1", "v10.0.0"]).moves, ["v1", "v1.9"]);
});

test("a pre-release moves no tag, and what is not released yet is its notes", () => {
  assert.deepEqual(release("v1.11.0-rc.1"), { version: "1.11.0-rc.1", prerelease: true, moves: [], notes: "- next" });
});

test("a tag that is no version, or not the one of package.json and the change log, is refused with every reason", () => {
  for (const tag of ["1.2.3", "v1", "v1.2", "v01.2.3", "v1.2.3-", "v1.2.3 v1", ""])
    assert.throws(() => release(tag), /no tag of a release/, tag);
  assert.throws(() => release("v1.10.0", [], "1.9.1"), /package\.json has version 1\.9\.1/);
  assert.throws(() => release("v3.0.0", [], "2.0.0"), /package\.json .*; CHANGELOG\.md has no section "## 3\.0\.0"/);
  assert.throws(() => release("v1.0.0"), /no section "## 1\.0\.0" with something in it/);
});
