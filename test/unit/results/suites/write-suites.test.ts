import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { resultDir } from "../../../../src/plan/run-key.ts";
import { suiteDir } from "../../../../src/results/suites/suite-dir.ts";
import { suiteRollupSchema } from "../../../../src/results/suites/suite-rollup-schema.ts";
import { writeSuiteFiles } from "../../../../src/results/suites/write-suites.ts";
import { temporaryDirectory } from "../fixtures.ts";
import { rollupOf, scored } from "./suite-rows.ts";

const rollup = rollupOf([{ found: [1] }, { status: "ERROR" }], [scored({ mean: 0.5 })]);

test("suite.json and suite.md lie beside the directories of the suite's rows", async () => {
  using run = temporaryDirectory();
  assert.deepEqual(await writeSuiteFiles(run.path, [{ rollup, markdown: "# text" }]), []);
  assert.equal(suiteDir("default", "s"), resultDir("default", "s/r1", 0).split("/").slice(0, -2).join("/"));
  assert.deepEqual(readdirSync(join(run.path, "default/s")).sort(), ["suite.json", "suite.md"]);
  assert.deepEqual(suiteRollupSchema.parse(JSON.parse(readFileSync(join(run.path, "default/s/suite.json"), "utf8"))), rollup);
  assert.equal(readFileSync(join(run.path, "default/s/suite.md"), "utf8"), "# text");
});

test("what is in the way of one suite is told, and costs no other and nothing else", async () => {
  using run = temporaryDirectory();
  // A row called suite.json.
  mkdirSync(join(run.path, "default/s/suite.json/00"), { recursive: true });
  const other = { ...rollup, suite_id: "other" };
  const problems = await writeSuiteFiles(run.path, [
    { rollup, markdown: "" },
    { rollup: other, markdown: "" },
  ]);
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? "", /suite\.json/);
  assert.deepEqual(readdirSync(join(run.path, "default/other")).sort(), ["suite.json", "suite.md"]);
  assert.deepEqual(readdirSync(join(run.path, "default/s")), ["suite.json"]);
});

test("whatever a foreign result calls its variant and suite, the place is below the run directory", () => {
  const id = fc.oneof(fc.string(), fc.constantFrom("..", "../..", "a/../../b", "/etc", ".", "", "a//b", "C:\\x", "\u0000"));
  fc.assert(
    fc.property(id, id, (variantId, suiteId) => {
      const parts = suiteDir(variantId, suiteId).split("/");
      assert.ok(parts.length >= 2);
      for (const part of parts) assert.ok(part !== "" && part !== "." && part !== ".." && !/[\\\0]/.test(part), JSON.stringify(parts));
    }),
  );
});
