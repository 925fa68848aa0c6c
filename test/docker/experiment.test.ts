import assert from "node:assert/strict";
import { z } from "zod";
import { makeProject, runCli } from "../e2e/cli.ts";
import { dockerTest, testImage } from "./engine.ts";

const runFile = z.object({
  task_results: z.array(z.looseObject({ result_dir: z.string(), status: z.string() })),
  suites: z.array(z.looseObject({ variant_id: z.string(), passed: z.boolean() })),
});

const suite = `task_id: suite
description: says what its row wants
initial_prompt: "Say \${row.word}."
agent: {type: command, command: 'cat > said.txt'}
sandbox: {driver: docker, docker: {network: none, image: ${testImage}}, python: null}
dataset: {rows: [{id: r1, word: red}, {id: r2, word: blue}]}
success_criteria:
  - type: file_contains
    description: "says \${row.word}"
    path: said.txt
    includes: ["\${row.word}", loudly]
    suite_thresholds: {mean: 1}
`;
const experiment = `experiment_id: ab
defaults: {agent: {model: m1}}
variants:
  - variant_id: plain
  - variant_id: loud
    agent: {command: 'cat > said.txt; echo "$EVALBATCH_MODEL" >> said.txt'}
    prompt_mutations: [{type: suffix, content: loudly}]
`;

dockerTest("rows of a dataset run in containers of each variant, with the prompt, command and model that are theirs", async () => {
  await using project = await makeProject({ "suite.yaml": suite, "ab.yaml": experiment });
  const end = await runCli(["run", "suite.yaml", "-e", "ab.yaml", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 1, end.stderr);
  const run = await project.readJson("out/run.json", runFile);
  assert.deepEqual(
    run.task_results.map((row) => [row.result_dir, row.status]),
    [
      ["plain/suite/r1/00", "FAILURE"],
      ["plain/suite/r2/00", "FAILURE"],
      ["loud/suite/r1/00", "SUCCESS"],
      ["loud/suite/r2/00", "SUCCESS"],
    ],
  );
  assert.deepEqual(
    run.suites.map(({ variant_id, passed }) => [variant_id, passed]),
    [
      ["plain", false],
      ["loud", true],
    ],
  );
  assert.match(await project.readText("out/loud/suite/r2/00/artifacts/suite/r2/said.txt"), /Say blue\.\s+loudly\s*m1\n$/);
});
