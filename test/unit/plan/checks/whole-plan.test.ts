import assert from "node:assert/strict";
import test from "node:test";
import { planProblems } from "../../../../src/plan/checks/whole-plan.ts";
import type { ResolvedTask } from "../../../../src/plan/resolved-task.ts";
import { resolvedTask } from "./resolved-task.ts";

const planned = (taskFile: string, sandbox: object): ResolvedTask => ({
  key: `default/${taskFile}/00`,
  taskId: taskFile,
  variantId: "default",
  replicateIndex: 0,
  task: resolvedTask({ sandbox }),
  taskFile,
  taskDir: "/tasks",
  sourceYaml: "",
  lineage: {},
  resultDir: `default/${taskFile}/00`,
  contributions: () => [],
  notSupported: [],
});

test("an image that nobody can pull is told once for all tasks", () => {
  const nameless = { driver: "docker" };
  assert.deepEqual(planProblems([planned("a.yaml", {}), planned("b.yaml", { driver: "docker", docker: { image: "alpine" } })]), []);
  assert.deepEqual(planProblems([planned("a.yaml", { driver: "docker", docker: { dockerfile_path: "/x" } })]), []);
  const one = planProblems([planned("a.yaml", nameless), planned("a.yaml", nameless)]);
  assert.equal(one.length, 1);
  assert.equal(
    one[0]?.message,
    "a.yaml runs in docker and names no image: coder-eval-agent:0.8.2 can be pulled from nowhere, so where the engine lacks it python:3.13-slim is used",
  );
  const two = planProblems([planned("a.yaml", nameless), planned("b.yaml", nameless), planned("c.yaml", {})]);
  assert.match(two[0]?.message ?? "", /^2 task files run in docker and name no image, a\.yaml among them: /);
  assert.match(two[0]?.hint ?? "", /--image/);
  const agent = {
    ...planned("a.yaml", nameless),
    task: resolvedTask({ sandbox: nameless, agent: { type: "codex" }, initial_prompt: "p" }),
  };
  assert.deepEqual(planProblems([agent]), []);
});
