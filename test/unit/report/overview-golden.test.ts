import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { goldenDirectory, goldenFiles, situations } from "./overview-golden.ts";

// `UPDATE_GOLDEN=1` writes the files anew: read the difference before you commit it.
const update = process.env.UPDATE_GOLDEN === "1";

const files = await goldenFiles();

test("there is a golden file for each rendering, and no other", () => {
  if (update) mkdirSync(goldenDirectory, { recursive: true });
  else assert.deepEqual(readdirSync(goldenDirectory).sort(), [...files.keys()].sort());
});

test("each situation has its run.md, its summary and its comment", () => {
  assert.equal(situations.length, 10);
  for (const name of situations)
    for (const kind of ["run", "summary", "comment"]) assert.ok(files.has(`${name}.${kind}.md`), `${name}.${kind}`);
});

for (const [name, text] of files) {
  test(`${name} is as it was reviewed`, () => {
    const path = join(goldenDirectory, name);
    if (update) writeFileSync(path, text);
    assert.equal(text, readFileSync(path, "utf8"));
  });
}
