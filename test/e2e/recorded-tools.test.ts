import assert from "node:assert/strict";
import test from "node:test";
import { z } from "zod";
import { makeProject, runCli } from "./cli.ts";

const task = `task_id: recorded
description: a tool that is not there
initial_prompt: cancel order 7
agent:
  type: command
  command: |
    shop orders list --status open > orders.json
    shop orders cancel "order 7" --reason 'not "needed"' || echo "exit $?" > cancel.txt
    helper
sandbox:
  python: null
  mock_path_dirs: [mocks]
  template_sources:
    - {type: starter_files, files: [{path: mocks/helper, content: "#!/bin/sh\\necho helped > helped.txt\\n"}]}
  record_cli:
    - tool: shop
      exit_code: 4
      stderr: "shop: not connected\\n"
      responses:
        - {when: {verb: orders list, flags: {status: {matches_regex: "^op.n$"}}}, stdout: '[{"id": 7}]'}
success_criteria:
  - type: run_command
    description: what the agent got, and what a grader calls is answered and not recorded
    command: cat orders.json cancel.txt helped.txt; shop orders list --status open
    expected_stdout: "[{\\"id\\": 7}]exit 4\\nhelped\\n[{\\"id\\": 7}]"
  - {type: cli_called, description: listed once, tool: shop, verb: orders list, flags: {status: open}, max_count: 1}
  - {type: cli_called, description: cancelled, tool: shop, verb: orders cancel, positional: [order 7], flags: {reason: {contains: '"needed"'}}}
  - {type: cli_called, description: nothing deleted, tool: shop, verb: orders delete, min_count: 0, max_count: 0}
  - {type: cli_called, description: never called, tool: shop, verb: orders show}
`;

const resultFile = z.object({
  final_status: z.string(),
  success_criteria_results: z.array(
    z.object({ description: z.string(), score: z.number(), details: z.string().nullable(), error: z.null() }),
  ),
});

test("a task with a recorded tool, a mock folder and criteria on its calls runs and is judged", async () => {
  await using project = await makeProject({ "tasks/recorded.yaml": task });
  const end = await runCli(["run", "tasks", "-o", "out", "--driver", "tempdir"], { cwd: project.dir });
  assert.equal(end.code, 1, end.stderr);
  const result = await project.readJson("out/default/recorded/00/task.json", resultFile);
  assert.deepEqual(
    result.success_criteria_results.map(({ score, details }) => [score, score === 1 ? "" : details]),
    [
      [1, ""],
      [1, ""],
      [1, ""],
      [1, ""],
      [0, "Matched 0/1 required calls (filters: tool=shop, verb=orders show)"],
    ],
    JSON.stringify(result.success_criteria_results, null, 2),
  );
  assert.equal(result.final_status, "FAILURE");
});
