import assert from "node:assert/strict";
import { labelNames } from "../../src/sandbox/docker/labels.ts";
import { containerListSchema, networkListSchema, volumeListSchema } from "../../src/sandbox/docker/responses.ts";
import { makeProject, runCli, runFile } from "../e2e/cli.ts";
import { dockerTest, testImage } from "./engine.ts";

const count = 200;

/** Every fourth task has an agent that leaves a process behind, every tenth fails. */
function task(number: number): string {
  const agent =
    number % 4 === 0 ? "initial_prompt: x\nagent: {type: command, command: 'echo hi > hi.txt; sleep 300 &'}" : "agent: {type: none}";
  const check = number % 10 === 0 ? "false" : "true";
  return `task_id: many-${number}
description: one of many
${agent}
sandbox: {driver: docker, docker: {image: ${testImage}, network: none}, python: null}
success_criteria:
  - {type: run_command, description: check, command: "${check}"}
`;
}

dockerTest("200 tasks at -j 8: every row is there, and no container, network or volume is left", async (engine) => {
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, number) => [`t/${String(number).padStart(3, "0")}.yaml`, task(number)]),
  );
  await using project = await makeProject(files);
  const runDir = `many-${process.pid}`;
  const end = await runCli(["run", "t", "-o", runDir, "-j", "8"], { cwd: project.dir });
  assert.equal(end.code, 1, end.stderr.slice(-2000));
  const run = await project.readJson(`${runDir}/run.json`, runFile);
  assert.deepEqual([run.tasks_planned, run.tasks_run, run.tasks_succeeded, run.tasks_failed, run.tasks_error], [count, count, 180, 20, 0]);
  assert.deepEqual(
    run.task_results.map((row) => row.task_id),
    Array.from({ length: count }, (_, number) => `many-${number}`),
  );
  const { client } = engine;
  const containers = await client.json(containerListSchema, { method: "GET", path: "/containers/json", query: { all: true } });
  const networks = await client.json(networkListSchema, { method: "GET", path: "/networks" });
  const { Volumes: volumes } = await client.json(volumeListSchema, { method: "GET", path: "/volumes" });
  const left = [...containers, ...networks, ...(volumes ?? [])].filter((thing) => thing.Labels?.[labelNames.run]?.startsWith(`${runDir}-`));
  assert.deepEqual(left, []);
});
