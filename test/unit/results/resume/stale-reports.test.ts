import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { setAsideStaleReports } from "../../../../src/results/resume/stale-reports.ts";
import { temporaryDirectory } from "../fixtures.ts";

function filesIn(runDir: string, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(runDir, name)), { recursive: true });
    writeFileSync(join(runDir, name), name);
  }
}

test("reports of variants and suites that are not written any more get another name, and nothing else does", async () => {
  using place = temporaryDirectory();
  filesIn(place.path, [
    ...[
      "old/variant.json",
      "old/variant.md",
      "new/variant.json",
      "new/variant.md",
      "old/s/suite.json",
      "old/s/suite.md",
      "new/s/suite.json",
    ],
    ...["old/t/00/task.json", "old/t/00/artifacts/variant.json", "nested/run.json", "nested/v/variant.json"],
  ]);
  const moved = await setAsideStaleReports(place.path, new Set(["new", "new/s"]));
  assert.deepEqual(moved, ["old/s/suite.json", "old/s/suite.md", "old/variant.json", "old/variant.md"]);
  for (const name of moved) assert.equal(readFileSync(join(place.path, `${name}.previous`), "utf8"), name);
  for (const name of ["new/variant.json", "new/variant.md", "new/s/suite.json", "old/t/00/artifacts/variant.json", "nested/v/variant.json"])
    assert.ok(existsSync(join(place.path, name)), name);
});

test("a link to elsewhere, and one in the place of a report, cost nothing", async () => {
  using place = temporaryDirectory();
  using elsewhere = temporaryDirectory();
  filesIn(elsewhere.path, ["variant.json"]);
  symlinkSync(elsewhere.path, join(place.path, "linked"));
  mkdirSync(join(place.path, "v"));
  symlinkSync(join(elsewhere.path, "variant.json"), join(place.path, "v/variant.json"));
  mkdirSync(join(place.path, "d/variant.json.previous/x"), { recursive: true });
  filesIn(place.path, ["d/variant.json"]);
  assert.deepEqual(await setAsideStaleReports(place.path, new Set()), ["v/variant.json"]);
  assert.ok(existsSync(join(elsewhere.path, "variant.json")));
});
