import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { applyLayers, type Overrides } from "../../../../src/plan/layers/layers.ts";
import { loadTask } from "../../../../src/plan/load.ts";
import { noAgentTask, taskFolder } from "../task-folder.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures");
const tree = z.record(z.string(), z.unknown());
const goldenSchema = z.object({ resolved: tree, source_yaml: z.string(), lineage: tree });

async function layered(path: string, overrides: Overrides = {}) {
  const loaded = await loadTask({ path, name: "t.yaml", explicit: true }, {});
  assert.ok(loaded.kind === "loaded", JSON.stringify(loaded.kind === "problem" ? loaded.issues : loaded));
  const result = applyLayers(loaded, overrides);
  assert.ok(result.kind === "resolved", JSON.stringify(result));
  return { ...result, sourceYaml: loaded.parsed.source.text };
}

async function fromText(yaml: string, overrides: Overrides = {}) {
  await using folder = await taskFolder({ "t.yaml": yaml });
  return layered(join(folder.path, "t.yaml"), overrides);
}

for (const name of ["prepared-files", "template-copy"]) {
  test(`resolves ${name} to the config and lineage that 0.8.2 wrote`, async () => {
    const golden = goldenSchema.parse(JSON.parse(readFileSync(join(fixtures, `plan/all-pass/${name}.task-config.json`), "utf8")));
    const folder = join(fixtures, "upstream/all-pass");
    const { task, lineage, sourceYaml } = await layered(join(folder, `${name}.yaml`));
    const here = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(folder, "/workspace/tasks"));
    assert.deepEqual(here(task), golden.resolved);
    assert.deepEqual(here(lineage), golden.lineage);
    assert.deepEqual(Object.keys(lineage), Object.keys(golden.lineage));
    assert.equal(sourceYaml, golden.source_yaml);
  });
}

test("--driver beats the task, and the lineage names the flag", async () => {
  const { task, lineage } = await fromText(noAgentTask("t", "sandbox: {driver: tempdir}\n"), { driver: "docker" });
  assert.equal(task.sandbox.driver, "docker");
  assert.deepEqual(lineage["sandbox.driver"], { value: "docker", source: "cli", source_detail: "-D sandbox.driver" });
});

test("--image is for tasks that name neither an image nor a Dockerfile", async () => {
  const image = async (docker: string) => {
    await using folder = await taskFolder({
      "t.yaml": noAgentTask("t", `sandbox: {driver: docker${docker}}\n`),
      Dockerfile: "FROM scratch",
    });
    return (await layered(join(folder.path, "t.yaml"), { image: "mine:1" })).task.sandbox.docker.image;
  };
  assert.equal(await image(""), "mine:1");
  assert.equal(await image(", docker: {network: none}"), "mine:1");
  assert.equal(await image(", docker: {image: 'own:2'}"), "own:2");
  assert.equal(await image(", docker: {dockerfile_path: Dockerfile}"), "coder-eval-agent:0.8.2");
});

test("the default clean-up comes after the task's own post_run", async () => {
  const { task } = await fromText(noAgentTask("t", "post_run: [{command: mine}]\n"));
  assert.deepEqual(
    task.post_run.map(({ command }) => command),
    ["mine", "rm -rf node_modules .npm-prefix"],
  );
});

test("without an agent in the task the built-in one is taken", async () => {
  const { task } = await fromText(
    "task_id: t\ndescription: d\ninitial_prompt: p\nsuccess_criteria: [{type: file_exists, description: e, path: p}]\n",
  );
  assert.equal(task.agent.type, "claude-code");
  assert.equal(task.run_limits.max_turns, 20);
});

test("values of a file are recorded as they were understood", async () => {
  const { lineage } = await fromText(noAgentTask("t", "run_limits: {max_turns: '7'}\nsandbox: {limits: {timeout: 60.0}}\n"));
  assert.equal(lineage["run_limits.max_turns"]?.value, 7);
  assert.deepEqual(lineage["sandbox.limits"]?.value, { timeout: 60 });
});
