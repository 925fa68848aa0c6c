import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { root } from "./source-files.ts";

const job = z.looseObject({
  needs: z.array(z.string()).default([]),
  if: z.string().optional(),
  "timeout-minutes": z.number().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(z.looseObject({ uses: z.string().optional(), with: z.record(z.string(), z.unknown()).default({}) })).default([]),
});
const workflow = z.looseObject({ permissions: z.record(z.string(), z.string()), jobs: z.record(z.string(), job) });

const workflows = globSync(".github/workflows/*.yml", { cwd: root }).map((file) => {
  const text = readFileSync(join(root, file), "utf8");
  return { file, text, ...workflow.parse(parse(text)) };
});

test("the last job of CI needs every other one and runs also when they failed", () => {
  const ci = workflows.find(({ file }) => file.endsWith("ci.yml"));
  const { all, ...others } = ci?.jobs ?? {};
  assert.deepEqual(all?.needs.toSorted(), Object.keys(others).sort());
  assert.equal(all?.if, "always()");
});

test("no workflow grants anything at its top, and every job ends by itself", () => {
  for (const { file, permissions, jobs } of workflows) {
    assert.deepEqual(permissions, {}, file);
    for (const [name, { "timeout-minutes": minutes, permissions: granted }] of Object.entries(jobs)) {
      assert.ok(minutes !== undefined, `${file}: ${name} has no timeout-minutes`);
      assert.ok(granted !== undefined, `${file}: ${name} says nothing about its permissions`);
    }
  }
});

test("actions of others are pinned to a commit with the version beside it, and checkouts keep no credentials", () => {
  for (const { file, text, jobs } of workflows) {
    for (const line of text.split("\n").filter((each) => /\buses: [^.$]/.test(each))) {
      assert.match(line, /uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file);
    }
    for (const step of Object.values(jobs).flatMap(({ steps }) => steps)) {
      if (step.uses?.startsWith("actions/checkout@") === true) assert.equal(step.with["persist-credentials"], false, file);
    }
  }
});
