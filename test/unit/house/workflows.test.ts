import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { inputNames } from "../../../src/github/inputs.ts";
import { outputNames } from "../../../src/github/outputs.ts";
import { root } from "./source-files.ts";

const step = z.looseObject({ id: z.string().optional(), uses: z.string().optional(), with: z.record(z.string(), z.unknown()).default({}) });
const job = z.looseObject({
  needs: z.union([z.array(z.string()), z.string().transform((name) => [name])]).default([]),
  if: z.string().optional(),
  environment: z.string().optional(),
  "timeout-minutes": z.number().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(step).default([]),
});
const workflow = z.looseObject({
  on: z.looseObject({}),
  permissions: z.record(z.string(), z.string()),
  concurrency: z.looseObject({ group: z.string() }),
  jobs: z.record(z.string(), job),
});

const workflows = globSync([".github/workflows/*.yml", "examples/workflows/*.yml"], { cwd: root })
  .sort()
  .map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return { file, text, ...workflow.parse(parse(text)) };
  });
const named = (name: string) => workflows.filter(({ file }) => file.endsWith(`/${name}`));
const isOurs = (uses: string | undefined) => uses === "./" || uses === "OWNER/evalbatch@v1";

test("the last job of CI and of the self-test needs every other one and runs also when they failed", () => {
  for (const { file, jobs } of [...named("ci.yml"), ...named("selftest.yml")]) {
    const { all, ...others } = jobs;
    assert.deepEqual(all?.needs.toSorted(), Object.keys(others).sort(), file);
    assert.equal(all?.if, "always()", file);
  }
  assert.deepEqual([...named("ci.yml"), ...named("selftest.yml")].length, 2);
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

test("what may write: the comment's job to pull requests, and one job of a release, behind its environment, to contents", () => {
  const writers = workflows.flatMap(({ file, jobs }) =>
    Object.entries(jobs).flatMap(([name, { permissions = {}, environment }]) =>
      Object.entries(permissions)
        .filter(([, access]) => access !== "read")
        .map(([scope]) => [file, name, scope, environment ?? ""].join(" ").trim()),
    ),
  );
  assert.deepEqual(writers, [
    ".github/workflows/release.yml release contents release",
    ".github/workflows/selftest.yml passing pull-requests",
    "examples/workflows/comment-on-forks.yml comment pull-requests",
    "examples/workflows/pull-request.yml evals pull-requests",
    "examples/workflows/variants.yml evals pull-requests",
  ]);
});

test("actions of others are pinned to a commit with the version beside it, and checkouts keep no credentials", () => {
  for (const { file, text, jobs } of workflows) {
    for (const line of text.split("\n").filter((each) => /\buses: [^.$]/.test(each) && !each.includes("OWNER/evalbatch@v1"))) {
      assert.match(line, /uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file);
    }
    for (const { uses, with: inputs } of Object.values(jobs).flatMap(({ steps }) => steps)) {
      if (uses?.startsWith("actions/checkout@") === true) assert.equal(inputs["persist-credentials"], false, file);
    }
  }
});

test("an action of others has one version in all workflows", () => {
  const versions = new Set(
    workflows.flatMap(({ text }) => [...text.matchAll(/\buses: (actions\/[\w-]+@.*)$/gm)].map(([, uses = ""]) => uses)),
  );
  const names = [...versions].map((version) => version.split("@")[0]);
  assert.deepEqual(names.length, new Set(names).size, [...versions].join("\n"));
});

test("a trigger that comes with secrets and a stranger's files is used once, by a job that runs no action and no code of others", () => {
  const [poster, ...others] = workflows.toSorted((a, b) => Number("workflow_run" in b.on) - Number("workflow_run" in a.on));
  const events = new Set(others.flatMap(({ on }) => Object.keys(on)));
  assert.deepEqual([...events].sort(), ["merge_group", "pull_request", "push", "schedule", "workflow_dispatch"]);
  assert.deepEqual([poster?.file, Object.keys(poster?.on ?? {})], ["examples/workflows/comment-on-forks.yml", ["workflow_run"]]);
  const steps = Object.values(poster?.jobs ?? {}).flatMap((each) => each.steps);
  assert.deepEqual([steps.length, steps.filter(({ uses }) => uses !== undefined)], [1, []]);
});

test("workflows give the action inputs that it has, and read outputs that it has", () => {
  for (const { file, text, jobs } of workflows) {
    for (const { id, uses, with: inputs } of Object.values(jobs).flatMap(({ steps }) => steps)) {
      if (!isOurs(uses)) continue;
      const unknown = Object.keys(inputs).filter((name) => !inputNames.includes(name));
      assert.deepEqual(unknown, [], file);
      const read = id === undefined ? [] : text.matchAll(new RegExp(`steps\\.${id}\\.outputs\\.([\\w-]+)`, "g"));
      for (const [, output = ""] of read) assert.ok(outputNames.includes(output), `${file}: ${output}`);
    }
  }
});

test("a gate for pull requests with its comment takes less than 40 lines", () => {
  const [example] = named("pull-request.yml");
  assert.ok((example?.text.split("\n").length ?? 40) < 40);
});
